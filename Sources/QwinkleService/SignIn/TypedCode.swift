import FoundationEssentials
import QwinkleModel

/// What a person typed as a code: the code itself, or the whole address of the page that shows it.
struct TypedCode {
  let code: String
  /// What the address says for which sign-in it was made; nil where there is none.
  var state: String?

  /// - Throws: ``SignInError/noCode``, or ``SignInError/denied(host:)`` where the address says so.
  init(_ typed: String) throws(SignInError) {
    // No code has as many characters; a page that was copied whole has.
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
