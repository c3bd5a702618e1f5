import SafeText

/// The address of a server: `https://host[:port]`. All addresses of servers that the user types are read by it.
public struct ServerAddress: Hashable, Sendable {
  /// `http` or `https`.
  public let scheme: String
  public let hostName: HostName
  /// Nil if it is the scheme's default.
  public let port: Int?
  /// Whether https was assumed, as nothing was written before the host.
  public let assumesHTTPS: Bool

  /// Host and port, the host in ASCII: equal for equal servers.
  public var host: String { hostName.ascii + portSuffix }

  /// Scheme, host and port only, in ASCII.
  public var url: String { "\(scheme)://\(host)" }

  private var portSuffix: String { port.map { ":\($0)" } ?? "" }

  /// Reads `text`: a URL, or a host alone, which means https.
  ///
  /// - Throws: ``ServerAddressError`` with a sentence for the user.
  public init(_ text: String) throws(ServerAddressError) {
    let text = text.trimmed()
    let full = text.contains("://") ? text : "https://\(text)"
    guard let parts = AddressParts(full) else { throw .unreadable(text) }
    // Before any error that repeats the text, which may have a password.
    guard parts.user.isEmpty else { throw .namesUser }
    guard SafeText.line(full) == full, !parts.scheme.isEmpty, let host = PercentEncoding.valid(parts.host),
      let hostName = HostName(host)
    else { throw .unreadable(text) }
    scheme = parts.scheme.lowercased()
    self.hostName = hostName
    port = parts.specialPort
    assumesHTTPS = !text.contains("://")
    guard scheme == "https" || scheme == "http" else { throw .unsupportedScheme(scheme) }
    guard parts.hasValidPort else {
      let port = parts.port.dropFirst()
      throw !port.isEmpty && port.allSatisfy(\.isNumber) ? .badPort(String(port)) : .unreadable(text)
    }
    guard parts.tail.isEmpty || parts.tail == "/" else {
      throw .hasPath(server: "\(scheme)://\(hostName.written)\(portSuffix)")
    }
  }

  /// The domain in the handles of the server's accounts; nil if it is the host. `name` is what the server calls itself.
  public func domain(named name: String) -> String? {
    guard !name.isEmpty, let named = try? ServerAddress("\(scheme)://\(name)"), named.host != host else { return nil }
    return named.host
  }

  /// The server in `text`, a host or an address, as it is written in handles: `tilde.example`. Nil if there is none.
  public static func name(in text: String) -> String? { (try? ServerAddress(text))?.host }
}

/// A text that is no address of a server.
public enum ServerAddressError: Error, Hashable, Sendable {
  case unreadable(String)
  case unsupportedScheme(String)
  case namesUser
  /// `server` is the address without the path.
  case hasPath(server: String)
  case badPort(String)

  /// The message for the user: the problem and what to write.
  public var sentence: String {
    switch self {
    case .unreadable(let text): "“\(text)” is not a server address. Use the form https://example.org."
    case .unsupportedScheme(let scheme): "Unsupported scheme \(scheme): use https or http, as in https://example.org."
    case .namesUser: "Remove the name and password from the server's address. Pass a token with --token-stdin."
    case .hasPath(let server): "Remove the path from the server's address: \(server) is enough."
    case .badPort(let port): "Invalid port \(port): use 1–65535."
    }
  }
}
