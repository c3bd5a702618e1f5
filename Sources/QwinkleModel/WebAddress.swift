import SafeText

/// An address of the web: http or https, with a host that can be read, and nothing in it that a terminal or a command
/// line could take for something else.
public struct WebAddress: Hashable, Sendable {
  /// The address as it was written.
  public let url: String
  /// Who is really asked, as browsers read it.
  public let hostName: HostName
  /// The same in lower case as it was written, with the port where one is given.
  public let host: String

  /// Nil where `url` is no such address.
  public init?(_ url: String) {
    guard SafeText.line(url) == url, !url.contains(where: \.isWhitespace), let parts = AddressParts(url),
      ["http", "https"].contains(parts.scheme.lowercased()), let host = PercentEncoding.valid(parts.host),
      let hostName = HostName(host)
    else { return nil }
    self.url = url
    self.hostName = hostName
    self.host = hostName.written + parts.port
  }

  /// Reads what somebody typed, who may leave out `https://`.
  public init?(typed text: String) {
    if text.contains("://") {
      self.init(text)
    } else {
      guard NamedHost.first(in: text) != nil else { return nil }
      self.init("https://\(text)")
    }
  }

  /// What goes to a browser or the clipboard: the address in printable ASCII alone, its host as the network knows it.
  public var target: String {
    guard let parts = AddressParts(url) else { return PercentEncoding.encoded(url) }
    let user = PercentEncoding.user(parts.user) + (parts.user.isEmpty ? "" : "@")
    let tail = PercentEncoding.tail(parts.tail)
    return "\(parts.scheme.lowercased())://\(user)\(hostName.ascii)\(parts.port)\(tail)"
  }

  /// The address for people, who decide by its host: without its scheme and what names a user, `example.org/kiosk`.
  public var words: String {
    guard let parts = AddressParts(url) else { return url }
    return hostName.words + parts.port + (parts.tail.hasSuffix("/") ? parts.tail.dropLast() : parts.tail)
  }

  /// Whether it names a user before its host, which looks like another host where somebody wants it to.
  public var namesUser: Bool { AddressParts(url).map { !$0.user.isEmpty } ?? false }

  /// Whether both are on the same host and port.
  public func isOnSameHost(as other: WebAddress) -> Bool {
    hostName.ascii == other.hostName.ascii && AddressParts(url)?.port == AddressParts(other.url)?.port
  }
}
