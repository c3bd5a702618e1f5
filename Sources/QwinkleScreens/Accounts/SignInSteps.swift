/// Signs in at one server, step by step. Made for one sheet.
@MainActor
public protocol SignInSteps: AnyObject {
  /// Registers at a server and returns the address of the page where the user allows Qwinkle. A browser is opened with
  /// it if there is one here.
  ///
  /// - Parameter server: as typed: `tilde.example`.
  func begin(at server: String) async throws(SignInTrouble) -> SignInPage
  /// What the browser brings back, for ``finish(code:)``; nil if nothing will come.
  func redirected() async -> String?
  /// Exchanges the code, or the whole address of the page that shows it, and keeps the account.
  func finish(code: String) async throws(SignInTrouble) -> SignedInAccount
  /// Call when nobody waits any more.
  func end()
}

/// The page where the user allows Qwinkle.
public struct SignInPage: Hashable, Sendable {
  public var address: String
  /// Whether a browser was opened with it.
  public var isOpen: Bool
  /// What to know before going on, as a sentence; nil if all is well.
  public var warning: String?

  public init(address: String, isOpen: Bool, warning: String? = nil) {
    self.address = address
    self.isOpen = isOpen
    self.warning = warning
  }
}

/// An account that somebody has just signed in to.
public struct SignedInAccount: Hashable, Sendable {
  /// `mara@tilde.example`
  public var name: String
  /// What to know of it, as a sentence; nil if all is well.
  public var remark: String?

  public init(name: String, remark: String? = nil) {
    self.name = name
    self.remark = remark
  }
}

/// Why a step failed, for people.
public struct SignInTrouble: Error, Hashable, Sendable {
  public var sentence: String
  /// Whether another code may work.
  public var isAboutCode: Bool

  public init(_ sentence: String, isAboutCode: Bool = false) {
    self.sentence = sentence
    self.isAboutCode = isAboutCode
  }
}
