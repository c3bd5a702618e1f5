import FoundationEssentials
import QwinkleModel

/// A code typed by the user: the code itself, or the whole address of the page that shows it.
struct TypedCode {
  let code: String
  /// OAuth's `state`, which identifies the sign-in. Nil unless the user typed an address that contains it.
  var state: String?

  /// - Throws: ``SignInError/noCode``, or ``SignInError/denied(host:)`` if the address reports a denial.
  init(_ typed: String) throws(SignInError) {
    // Anything longer than this isn't a code: the user may have copied a whole page.
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
