import SafeText

/// An address of the web: http or https, with a host, and nothing in it that a terminal or a command line could take for
/// something else.
public struct WebAddress: Hashable, Sendable {
  /// The address as it was written.
  public let url: String
  /// Who is really asked, as browsers read it: in lower case, with the port where one is given.
  public let host: String

  /// Nil where `url` is no such address.
  public init?(_ url: String) {
    guard SafeText.line(url) == url, !url.contains(where: \.isWhitespace),
      let slashes = url.firstRange(of: "://"), ["http", "https"].contains(url[..<slashes.lowerBound].lowercased()),
      let host = Self.host(ofAuthority: Self.authority(of: url[slashes.upperBound...]))
    else { return nil }
    self.url = url
    self.host = host
  }

  /// Reads what somebody typed, who may leave out `https://`.
  public init?(typed text: String) {
    let isWhole = text.contains("://")
    guard isWhole || Self.hostNamed(in: text) != nil else { return nil }
    self.init(isWhole ? text : "https://\(text)")
  }

  /// The address without its scheme, for people: `example.org/kiosk`.
  public var words: String {
    guard let slashes = url.firstRange(of: "://") else { return url }
    let rest = url[slashes.upperBound...]
    return String(rest.hasSuffix("/") ? rest.dropLast() : rest)
  }

  /// The host that `text`, the visible words of a link, seems to name: `example.org` of `example.org/kiosk`; nil where the
  /// text does not look like an address.
  public static func hostNamed(in text: String) -> String? {
    let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
    let first = rest.drop(while: \.isWhitespace).prefix { !$0.isWhitespace && $0 != "…" }
    guard let host = host(ofAuthority: authority(of: first)) else { return nil }
    let labels = host.prefix { $0 != ":" }.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }), let last = labels.last, last.count > 1,
      last.allSatisfy(\.isLetter)
    else { return nil }
    return host
  }

  /// Whether `text`, the visible words of a link to here, names another host.
  public func isMisnamed(by text: String) -> Bool {
    guard let named = Self.hostNamed(in: text) else { return false }
    return Self.bare(named) != Self.bare(host)
  }

  /// Browsers take a backslash for a slash; what names a user stands before the host and often looks like one.
  private static func authority(of rest: Substring) -> Substring {
    rest.prefix { !"/?#\\".contains($0) }
  }

  private static func host(ofAuthority authority: Substring) -> String? {
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    var name = place
    if let colon = place.lastIndex(of: ":"), !place[colon...].contains("]") {
      name = place[..<colon]
      guard let port = Int(place[place.index(after: colon)...]), (1...65535).contains(port) else { return nil }
    }
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "-._".contains($0) }
    let isNumber =
      name.hasPrefix("[") && name.hasSuffix("]")
      && name.dropFirst().dropLast().allSatisfy {
        $0.isHexDigit || $0 == ":" || $0 == "."
      }
    guard !name.isEmpty, isName || isNumber else { return nil }
    return place.lowercased()
  }

  private static func bare(_ host: String) -> Substring {
    let name = host.prefix { $0 != ":" }
    return name.hasPrefix("www.") ? name.dropFirst(4) : name
  }
}
