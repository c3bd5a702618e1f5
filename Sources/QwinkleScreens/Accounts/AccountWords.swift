/// Strings of the account list and the sign-in sheet.
enum AccountWords {
  static let title = "Accounts"
  static let shown = "shown"
  static let choose = "switch"
  static let none = "This run has one account only."

  // MARK: Signing in

  static let signIn = "Sign in"
  static let server = "Server"
  static let code = "Code"
  static let aboutServer = "The server where you have an account, such as tilde.example, or your handle."
  static let noServer = "Type the name of a server first."
  static let asking = "Asking the server…"
  static let pageIsOpen = "Allow Qwinkle in your browser. If it shows nothing, open this page:"
  static let openPage = "Open this page in a browser and allow Qwinkle:"
  static let aboutCode = "Then type the code that it shows, unless sign-in completes by itself."
  static let noCode = "Type the code that the page shows."
  static let signingIn = "Signing in…"

  // MARK: Counts

  static func unread(_ count: Int) -> String { "•\(count)" }

  /// Shown after the account in the header: unread items in other accounts.
  static func elsewhere(_ count: Int) -> String { "+\(count)" }
}
