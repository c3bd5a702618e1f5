import LibC

/// An address of this machine at which only local users can read the metrics.
public enum MetricsAddress: Hashable, Sendable {
  case loopback(host: String, port: Int)
  /// A Unix socket that only its owner can connect to.
  case socket(path: String)

  /// Reads an address such as `127.0.0.1:9420`, `[::1]:9420`, `localhost:9420` or `/var/lib/qwinkle/metrics.sock`.
  /// Returns nil if the text is neither a loopback address with a port nor an absolute path.
  public init?(_ text: String) {
    if text.hasPrefix("/") {
      guard text.utf8.count <= UnixSocketAddress.mostPathBytes, !text.contains("\0") else { return nil }
      self = .socket(path: text)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (0...65535).contains(port)
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    // Another process can't redirect an address, but it may be able to change how a name resolves.
    if host == "localhost" { host = "127.0.0.1" }
    guard let plain = ClientAddress.plain(host), plain.hasPrefix("127.") || plain == "0:0:0:0:0:0:0:1" else {
      return nil
    }
    self = .loopback(host: host, port: port)
  }
}
