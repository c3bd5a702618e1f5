import FoundationEssentials
import QwinkleModel

/// What the user typed as a code: the code itself, or the whole address of the page that shows it.
struct TypedCode {
  let code: String
  /// The sign-in that the address was made for; nil if it doesn't say.
  var state: String?

  /// - Throws: ``SignInError/noCode``, or ``SignInError/denied(host:)`` if the address says so.
  init(_ typed: String) throws(SignInError) {
    // No code is that long, but a whole page that was copied is.
    guard typed.utf8.count <= 8192, let word = Secret(typed)?.value else { throw .noCode }
    guard word.contains("://") else {
      code = word
      return
    }
    guard let url = URL(string: word), let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
    else { throw .noCode }
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    if value("error") == "access_denied" { throw .denied(host: url.host() ?? "") }
    guard let code = value("code"), !code.isEmpty else { throw .noCode }
    self.code = code
    state = value("state")
  }
}
