import QwinkleModel
import SafeText

/// Decides which untrusted addresses become links.
enum SafeURL {
  /// Schemes that another program can open without running code.
  private static let schemes: Set<String> = [
    "http", "https", "mailto", "xmpp", "gemini", "gopher", "ftp", "ftps", "irc", "ircs", "matrix", "magnet", "tel",
    "sip", "sips", "dat", "dweb", "ipfs", "ipns", "ssb", "news", "nntp", "geo",
  ]

  private static let mostBytes = 8192

  /// Returns `raw`, sanitized, if it is an absolute URL with a harmless scheme, otherwise nil.
  static func link(_ raw: String?) -> String? {
    accepted(raw) { schemes.contains($0) }
  }

  /// Returns the first web address in `texts`. If none is a web address, returns the first link of any kind.
  static func link(_ texts: some Sequence<String?>) -> String? {
    var other: String?
    for text in texts {
      guard let link = Self.link(text) else { continue }
      if WebAddress(link) != nil { return link }
      other = other ?? link
    }
    return other
  }

  /// Returns `raw`, sanitized, if it is a URL with an HTTP or WebSocket scheme, otherwise nil.
  static func stream(_ raw: String?) -> String? {
    accepted(raw) { ["ws", "wss", "http", "https"].contains($0) }
  }

  /// Returns the scheme and authority of a URL: `https://host`.
  static func origin(of url: String) -> String? {
    var rest = url.utf8[...]
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[colon...]
      guard rest.starts(with: "://".utf8) else {
        rest = rest.dropFirst()
        continue
      }
      let host = rest.dropFirst(3)
      let end = host.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
      return end == host.startIndex || host.isEmpty ? nil : String(url[..<(end ?? url.endIndex)])
    }
    return nil
  }

  private static func accepted(_ raw: String?, _ accepts: (String) -> Bool) -> String? {
    guard let raw, !raw.isEmpty, raw.utf8.count <= mostBytes else { return nil }
    let url = SafeText.line(raw).trimmed()
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), colon < url.endIndex,
      accepts(url[..<colon].lowercased()), url.utf8.index(after: colon) < url.endIndex
    else { return nil }
    return url.utf8.contains(0x20) ? url.split(separator: " ").joined(separator: "%20") : url
  }
}
