import QwinkleModel

/// Where a program wants to be told that somebody signed in (RFC 6749, section 3.1.2).
struct RedirectURI: Hashable, Sendable {
  /// Shows the code instead, for people to copy.
  static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

  /// Schemes under which a browser would run, open or read something itself.
  private static let refusedSchemes: Set<String> = [
    "about", "blob", "chrome", "data", "file", "filesystem", "javascript", "mailto", "resource", "vbscript",
    "view-source", "ws", "wss",
  ]

  /// As it was registered.
  let text: String
  /// In lower case.
  private let scheme: String

  /// nil for what cannot be one: no absolute URI, with a fragment, or of a scheme that could do harm.
  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), text.utf8.allSatisfy(Self.mayStand) else { return nil }
    let scheme = text[..<colon].lowercased()
    guard scheme.utf8.first.map(Self.isLetter) == true,
      scheme.utf8.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }),
      !Self.refusedSchemes.contains(scheme), text.index(after: colon) < text.endIndex
    else { return nil }
    self.text = text
    self.scheme = scheme
    if scheme == "urn", text != Self.outOfBand { return nil }
    // What stands before an @ would be taken for the place.
    if isWeb, authority.isEmpty || !authority.utf8.allSatisfy(Origin.isAuthority) { return nil }
  }

  var isOutOfBand: Bool { text == Self.outOfBand }

  /// Where people are sent, in few words.
  var place: String { isWeb ? "\(scheme)://\(authority)" : "\(scheme):" }

  /// What a Content-Security-Policy calls it; nil where nobody is sent anywhere.
  var policySource: String? {
    if isOutOfBand { return nil }
    // Policies know no addresses in brackets.
    return isWeb && !authority.contains("[") ? place : "\(scheme):"
  }

  /// The URI with more in its query. Values that are nil are left out.
  func adding(_ items: [(name: String, value: String?)]) -> String {
    let query = items.compactMap { item in item.value.map { "\(item.name)=\(PercentEncoding.component($0))" } }
    let separator = text.contains("?") ? (text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&") : "?"
    return text + separator + query.joined(separator: "&")
  }

  private var isWeb: Bool { scheme == "http" || scheme == "https" }

  /// Host and port of a web address; empty where they don't stand where they should.
  private var authority: String {
    let rest = text.dropFirst(scheme.count + 1)
    guard rest.hasPrefix("//") else { return "" }
    return String(rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" })
  }

  /// The characters of URIs but `#`; a browser reads `\` as a slash and drops what is no character.
  private static func mayStand(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "#"), UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: (0x21...0x7E).contains(byte)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
