public import PaneKit
public import QwinkleAccount

/// The accounts that the program can show, one at a time. Open accounts that aren't shown continue to fetch and send.
@MainActor
public protocol AccountDirectory: AnyObject {
  /// The saved accounts in the order they were added, then the shared timeline of this host if it has one, then
  /// `local` (the embedded server), then open accounts that aren't saved. Reads files on each access.
  var accounts: [ListedAccount] { get }
  /// Called when another account is shown, when the other accounts have been opened, and when the unread count or the
  /// connection of an account that is not shown changes.
  var didChange: TargetActions { get set }
  /// Number of unread messages and notifications in the open accounts that are not shown.
  var unreadElsewhere: Int { get }
  /// Kinds of the writes in progress in accounts that are not shown.
  var inProgressElsewhere: [WriteKind] { get }
  /// Shows the screen of an account. `name` is the account's full name, or only the part before the @ if no other
  /// account has the same part. If the account isn't open yet, it is opened first, and the visible screen reports an
  /// error.
  ///
  /// - Returns: A sentence with the reason if the account can't be shown or is already visible; otherwise nil.
  func show(accountNamed name: String) -> String?
  /// Cancels the opening of an account, if one is being opened.
  func cancelOpening()
  /// Starts a sign-in. Returns nil if accounts can't be added.
  func newSignIn() -> (any SignInSteps)?
  /// Shows an account after a sign-in and reports the sign-in on its screen. An account that is already open continues
  /// with its new token.
  func show(_ account: SignedInAccount)
}

/// An account in the list of accounts.
public struct ListedAccount: Hashable, Sendable {
  /// `mara@tilde.example`, or `local` for the embedded service.
  public var name: String
  /// The name for display, with the server's domain instead of its host.
  public var words: String
  public var isShown: Bool
  /// Unread messages and notifications; 0 while the account is not open.
  public var unreadCount: Int
  /// A short description of the account's problem, if any.
  public var problem: String?

  public init(name: String, words: String? = nil, isShown: Bool, unreadCount: Int = 0, problem: String? = nil) {
    self.name = name
    self.words = words ?? name
    self.isShown = isShown
    self.unreadCount = unreadCount
    self.problem = problem
  }
}
