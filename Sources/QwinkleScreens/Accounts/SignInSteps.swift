/// The steps of a sign-in. Each sign-in sheet has its own instance.
@MainActor
public protocol SignInSteps: AnyObject {
  /// Registers Qwinkle at a server and returns the page where the user authorizes Qwinkle. Opens the page in a browser
  /// if possible. After a failure, this can be called again, also with another server.
  ///
  /// - Parameter server: The server as the user typed it, such as `tilde.example` or `@anna@tilde.example`.
  func begin(at server: String) async throws(SignInTrouble) -> SignInPage
  /// Waits for the browser's redirect and returns its address, which ``finish(code:)`` accepts. Returns nil if no
  /// redirect can be received.
  func redirected() async -> String?
  /// Exchanges a code and saves the account. `code` may also be the whole address of the page that shows the code.
  func finish(code: String) async throws(SignInTrouble) -> SignedInAccount
  /// Stops waiting for the browser. Call this when the sheet closes.
  func end()
}

/// The page where the user authorizes Qwinkle.
public struct SignInPage: Hashable, Sendable {
  public var address: String
  /// Whether a browser has opened the page.
  public var isOpen: Bool
  /// A line about the server: its name, title and number of users, if it reports them.
  public var server: String?
  /// A warning to show before the user continues, in one or more sentences, if any.
  public var warning: String?

  public init(address: String, isOpen: Bool, server: String? = nil, warning: String? = nil) {
    self.address = address
    self.isOpen = isOpen
    self.server = server
    self.warning = warning
  }
}

/// An account that the user has just signed in to.
public struct SignedInAccount: Hashable, Sendable {
  /// `mara@tilde.example`
  public var name: String
  /// A problem to report to the user, as a sentence, if any.
  public var remark: String?

  public init(name: String, remark: String? = nil) {
    self.name = name
    self.remark = remark
  }
}

/// An error in a sign-in step, for the user.
public struct SignInTrouble: Error, Hashable, Sendable {
  public var sentence: String
  /// Whether the user can try another code.
  public var isAboutCode: Bool

  public init(_ sentence: String, isAboutCode: Bool = false) {
    self.sentence = sentence
    self.isAboutCode = isAboutCode
  }
}
