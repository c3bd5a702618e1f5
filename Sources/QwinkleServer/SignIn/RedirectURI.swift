import QwinkleModel
import SafeText

/// The address that receives the result of a sign-in (RFC 6749, section 3.1.2).
struct RedirectURI: Hashable, Sendable {
  /// Special value for no redirect: the code is shown, and the user copies it.
  static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

  /// Schemes that a browser handles itself, by running, opening or reading the URI, instead of passing it to an app.
  private static let refusedSchemes: Set<String> = [
    "about", "blob", "chrome", "data", "file", "filesystem", "javascript", "mailto", "resource", "vbscript",
    "view-source", "ws", "wss",
  ]

  /// The URI as the app registered it.
  let text: String
  /// In lower case.
  private let scheme: String

  /// Returns nil if the text isn't an absolute URI, contains a fragment, or has a scheme that could be harmful.
  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), text.utf8.allSatisfy(Self.mayStand) else { return nil }
    let scheme = text[..<colon].lowercased()
    guard scheme.utf8.first?.isLetter == true,
      scheme.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }),
      !Self.refusedSchemes.contains(scheme), text.index(after: colon) < text.endIndex
    else { return nil }
    self.text = text
    self.scheme = scheme
    if scheme == "urn", text != Self.outOfBand { return nil }
    // Rejects user information: text before an @ could be mistaken for the host.
    if isWeb, authority.isEmpty || !authority.utf8.allSatisfy(BaseURL.isAuthority) { return nil }
  }

  var isOutOfBand: Bool { text == Self.outOfBand }

  /// A short form of the destination, shown to the user.
  var place: String { isWeb ? "\(scheme)://\(authority)" : "\(scheme):" }

  /// The destination as a Content-Security-Policy source. Nil if the code is shown to the user instead of sent by
  /// redirect.
  var policySource: String? {
    if isOutOfBand { return nil }
    // Policies don't support IPv6 addresses in brackets.
    return isWeb && !authority.contains("[") ? place : "\(scheme):"
  }

  /// Returns the URI with items added to its query. Items with a nil value are left out.
  func adding(_ items: [(name: String, value: String?)]) -> String {
    let query = items.compactMap { item in item.value.map { "\(item.name)=\(PercentEncoding.component($0))" } }
    let separator = text.contains("?") ? (text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&") : "?"
    return text + separator + query.joined(separator: "&")
  }

  private var isWeb: Bool { scheme == "http" || scheme == "https" }

  /// Host and port of a web address, or empty if the address has no host.
  private var authority: String {
    let rest = text.dropFirst(scheme.count + 1)
    guard rest.hasPrefix("//") else { return "" }
    return String(rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" })
  }

  /// Returns whether a byte is accepted. Only URI characters except `#` are, because browsers read `\` as a slash and
  /// drop invalid characters.
  private static func mayStand(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !#"#\"<>^`{|}"#.utf8.contains(byte)
  }
}
