import SafeText

/// A public timeline of another server, read without signing in.
public struct RemoteTimeline: Hashable, Sendable {
  /// The timelines that servers show to visitors.
  public enum Part: Hashable, Sendable {
    /// Qwinks by the server's own qwinkers.
    case local
    /// All public qwinks known to the server.
    case `public`
    /// Public qwinks with a tag, given without `#`.
    case tag(String)
  }

  /// The server's host in ASCII, with the port if it isn't 443: `tilde.example`. In ASCII, letters of other scripts
  /// can't imitate the name of a well-known server.
  public let host: String
  public let part: Part

  /// The page of the local timeline in Mastodon's web interface.
  private static let webPath = "/public/local"

  /// Parses a ``word`` or the address of the local timeline in Mastodon's web interface:
  /// `https://tilde.example/public/local`. Returns nil for anything else.
  public init?(word: String) {
    let scheme = "https://"
    let isAddress = word.lowercased().hasPrefix(scheme)
    let text = isAddress ? String(word.dropFirst(scheme.count)) : word
    let host = text.prefix { $0 != "/" }
    let rest = text.dropFirst(host.count)
    let part: Part? =
      switch rest {
      case Substring(Self.webPath) where isAddress: .local
      case _ where isAddress: nil
      case "/local": .local
      case "/public": .public
      default: if case .tag(let tag)? = TimelineName(word: String(rest.dropFirst())) { .tag(tag) } else { nil }
      }
    // A host without a dot is the name of another kind of pane, such as `list/local`.
    guard let part, !host.contains("@"), !host.contains("#"), WebAddress(typed: String(host)) != nil,
      let server = try? ServerAddress(scheme + host)
    else { return nil }
    self.part = part
    self.host = server.host
  }

  /// Returns the local timeline of a server, or nil if `host` isn't the name of a server.
  public init?(host: String) { self.init(word: "\(host)/local") }

  /// A stable identifier, also for layouts and state restoration: `tilde.example/local`, `tilde.example/#garden`.
  public var word: String { "\(host)/\(name.key)" }

  /// The server's address, without a path.
  public var address: WebAddress? { WebAddress("https://\(host)") }

  /// The name that the server itself uses for the timeline.
  public var name: TimelineName {
    switch part {
    case .local: .local
    case .public: .public
    case .tag(let tag): .tag(tag)
    }
  }

  /// Returns the domain in the handles of the server's accounts. `info` is the server's description, if known. Returns
  /// the host unless the server names one of the host's parent domains, because any other domain may belong to another
  /// server.
  public func domain(_ info: ServerInfo?) -> String {
    let bare = Qwinker.hostForm(host)
    guard let domain = info.map({ Qwinker.hostForm($0.domain) }), domain.contains("."), bare.hasSuffix(".\(domain)")
    else { return bare }
    return domain
  }
}
