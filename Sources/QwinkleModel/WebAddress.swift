import SafeText

/// A web address: http or https, with a readable host, and nothing that a terminal or a command line could misread.
public struct WebAddress: Hashable, Sendable {
  /// The address as written.
  public let url: String
  /// The real host, as browsers read it.
  public let hostName: HostName
  /// The host as written, in lower case, with the port if one is given.
  public let host: String

  /// Nil if `url` is no such address.
  public init?(_ url: String) {
    guard SafeText.line(url) == url, !url.contains(where: \.isWhitespace), let parts = AddressParts(url),
      ["http", "https"].contains(parts.scheme.lowercased()), parts.hasValidPort,
      let host = PercentEncoding.valid(parts.host), let hostName = HostName(host)
    else { return nil }
    self.url = url
    self.hostName = hostName
    self.host = hostName.written + parts.port
  }

  /// Reads a typed address, which may lack `https://`.
  public init?(typed text: String) {
    if text.contains("://") {
      self.init(text)
    } else {
      guard text.hasPrefix("[") || NamedHost.first(in: text) != nil else { return nil }
      self.init("https://\(text)")
    }
  }

  /// The address for a browser or the clipboard: printable ASCII, the host as the network knows it.
  public var target: String {
    guard let parts = AddressParts(url) else { return PercentEncoding.encoded(url) }
    let user = PercentEncoding.user(parts.user) + (parts.user.isEmpty ? "" : "@")
    let tail = PercentEncoding.tail(parts.tail)
    return "\(parts.scheme.lowercased())://\(user)\(hostName.ascii)\(parts.port)\(tail)"
  }

  /// The address for people, who judge it by its host: without scheme and user name, `example.org/kiosk`.
  public var words: String {
    guard let parts = AddressParts(url) else { return url }
    return hostName.words + parts.port + (parts.tail.hasSuffix("/") ? parts.tail.dropLast() : parts.tail)
  }

  /// Whether it has a user name before its host, which can imitate another host.
  public var namesUser: Bool { AddressParts(url).map { !$0.user.isEmpty } ?? false }

  /// Whether both have the same host and port.
  public func isOnSameHost(as other: WebAddress) -> Bool {
    hostName.ascii == other.hostName.ascii && AddressParts(url)?.specialPort == AddressParts(other.url)?.specialPort
  }
}
