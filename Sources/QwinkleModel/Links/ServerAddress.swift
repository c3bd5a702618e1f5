import SafeText

/// The address of a server: `https://host[:port]`. Parses every server address that the user types.
public struct ServerAddress: Hashable, Sendable {
  /// `http` or `https`.
  public let scheme: String
  public let hostName: HostName
  /// Nil for the scheme's default port.
  public let port: Int?
  /// Whether https was assumed because the text had no scheme.
  public let assumesHTTPS: Bool

  /// Host and port, with the host in ASCII. Equal for equal servers.
  public var host: String { hostName.ascii + portSuffix }

  /// Scheme, host and port only, in ASCII.
  public var url: String { "\(scheme)://\(host)" }

  var portSuffix: String { port.map { ":\($0)" } ?? "" }

  /// Parses `text`: a URL, or a host alone, which implies https.
  ///
  /// - Throws: ``ServerAddressError`` with a sentence for the user.
  public init(_ text: String) throws(ServerAddressError) {
    let text = text.trimmed()
    let full = text.contains("://") ? text : "https://\(text)"
    guard let parts = AddressParts(full) else { throw .unreadable(text) }
    // Check this before any error that quotes the text, because the text may include a password.
    guard parts.user.isEmpty else { throw .namesUser }
    guard SafeText.line(full) == full, !parts.scheme.isEmpty, let host = PercentEncoding.valid(parts.host),
      let hostName = HostName(host)
    else { throw .unreadable(text) }
    // A scheme without its colon: `https//example.org`.
    guard !["http", "https"].contains(hostName.ascii) else { throw .unreadable(text) }
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

  /// Returns the domain in the handles of the server's accounts, or nil if it equals the host. `name` is the domain
  /// that the server reports for itself. Also returns nil if `name` isn't a domain.
  public func domain(named name: String) -> String? {
    guard !name.isEmpty, let named = try? ServerAddress("\(scheme)://\(name)"), named.host != host else { return nil }
    return named.host
  }

  /// Returns the host in `text`, spelled as in handles: `tilde.example`. `text` is either a host or a server address.
  /// Returns nil for any other text.
  public static func name(in text: String) -> String? { (try? ServerAddress(text))?.host }
}

/// The reason why a text isn't a valid server address.
public enum ServerAddressError: Error, Hashable, Sendable {
  case unreadable(String)
  case unsupportedScheme(String)
  case namesUser
  /// `server` is the address without the path.
  case hasPath(server: String)
  case badPort(String)

  /// The message for the user: the problem and the fix.
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
