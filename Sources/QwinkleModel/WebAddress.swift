import SafeText

/// A web address: http or https, with a readable host and no characters that a terminal or command line could misread.
public struct WebAddress: Hashable, Sendable {
  /// The address as written.
  public let url: String
  /// The host as browsers interpret it.
  public let hostName: HostName
  /// The host as written, in lower case, with the port if one is given.
  public let host: String

  /// Returns nil if `url` is invalid or unsafe.
  public init?(_ url: String) {
    guard Self.isPlain(url) || SafeText.line(url) == url && !url.contains(where: \.isWhitespace),
      let parts = AddressParts(url),
      ["http", "https"].contains(parts.scheme.lowercased()), parts.hasValidPort,
      let host = PercentEncoding.valid(parts.host), let hostName = HostName(host)
    else { return nil }
    self.url = url
    self.hostName = hostName
    self.host = hostName.written + parts.port
  }

  /// Whether `url` has only visible ASCII characters, as most addresses have. Characters are slow to examine.
  private static func isPlain(_ url: String) -> Bool { url.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

  /// Parses an address typed by the user, in which `https://` is optional.
  public init?(typed text: String) {
    if text.contains("://") {
      self.init(text)
    } else {
      guard text.hasPrefix("[") || NamedHost.first(in: text) != nil else { return nil }
      self.init("https://\(text)")
    }
  }

  /// The address for browsers and the clipboard: printable ASCII, with the ASCII form of the host.
  public var target: String {
    guard let parts = AddressParts(url) else { return PercentEncoding.encoded(url) }
    let user = PercentEncoding.user(parts.user) + (parts.user.isEmpty ? "" : "@")
    let tail = PercentEncoding.tail(parts.tail)
    return "\(parts.scheme.lowercased())://\(user)\(hostName.ascii)\(parts.port)\(tail)"
  }

  /// The address for display, without scheme and user name so that the host is prominent: `example.org/kiosk`.
  public var words: String {
    guard let parts = AddressParts(url) else { return url }
    return hostName.words + parts.port + (parts.tail.hasSuffix("/") ? parts.tail.dropLast() : parts.tail)
  }

  /// Whether the URL has a user name before the host. A user name can imitate another host, as in
  /// `https://example.org@evil.example`.
  public var namesUser: Bool { AddressParts(url).map { !$0.user.isEmpty } ?? false }

  /// Whether both addresses have the same host and port.
  public func isOnSameHost(as other: WebAddress) -> Bool {
    hostName.ascii == other.hostName.ascii && AddressParts(url)?.specialPort == AddressParts(other.url)?.specialPort
  }
}
