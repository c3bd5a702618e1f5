/// Messages shown when the program or another account's screen starts.
enum StartWords {
  static let endedEarly = "The last start was cut short. This one is fresh; drafts are safe."
  static let otherVersion = "Your screen was saved by another version of Qwinkle, so this start is fresh."

  // MARK: Accounts

  static let oneAccount = "This run has one account only."
  static let notOpened = "can't be opened"
  static let signInAgain = "sign in again"

  static let gettingToken = "Getting the token… ^C cancels."

  static func signedIn(_ name: String) -> String { "Signed in as \(name)" }
  /// Shown instead of switching to the account, if the user has opened a sheet while the account was being opened.
  static func isReady(_ name: String) -> String { "\(name) is ready. A switches." }
  static func isShown(_ name: String) -> String { "\(name) is shown already." }
}
