public import PaneKit
public import QwinkleAccount

/// The accounts that the program can show, one at a time. The others that are open go on fetching and sending.
@MainActor
public protocol AccountDirectory: AnyObject {
  /// All accounts, in the order in which they were added. Reads a file.
  var accounts: [ListedAccount] { get }
  /// Sent when an account comes or goes, or when the number of unread items in one that is not shown changes.
  var didChange: TargetActions { get set }
  /// Unread messages and notifications in the open accounts that are not shown.
  var unreadElsewhere: Int { get }
  /// Writes of the accounts that are not shown, on their way to their servers.
  var underWayElsewhere: [UnderWay] { get }
  /// Shows the screen of an account, by its full name or by the part before the @ if only one has it. If that fails
  /// later, the screen that is shown says why.
  ///
  /// - Returns: why that is impossible, as a sentence; nil if it is shown, or soon will be.
  func show(accountNamed name: String) -> String?
  /// Gives up the account that is about to be shown.
  func cancelOpening()
  /// Begins a sign-in; nil where accounts cannot be added.
  func newSignIn() -> (any SignInSteps)?
  /// Shows an account that was just signed in to, with its new token, and says so there. One that is open goes on as it
  /// is.
  func show(_ account: SignedInAccount)
}

/// An account in the list of accounts.
public struct ListedAccount: Hashable, Sendable {
  /// `mara@tilde.example`, or `local` for the embedded service.
  public var name: String
  /// The name for the user, with the server's domain where `name` has its host.
  public var words: String
  public var isShown: Bool
  /// Unread messages and notifications; 0 while the account is not open.
  public var unreadCount: Int
  /// What keeps it from working, in a few words; nil if nothing is known.
  public var problem: String?

  public init(name: String, words: String? = nil, isShown: Bool, unreadCount: Int = 0, problem: String? = nil) {
    self.name = name
    self.words = words ?? name
    self.isShown = isShown
    self.unreadCount = unreadCount
    self.problem = problem
  }
}
