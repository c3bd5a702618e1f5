import FoundationEssentials

/// Decides which picture URLs are fetched.
public struct MediaRules: Hashable, Sendable {
  /// Hosts whose pictures are fetched automatically.
  public enum Sources: String, CaseIterable, Sendable {
    /// The server's own host, and the hosts that serve its users' avatars.
    case server
    /// All hosts.
    case all
  }

  /// Reason for not fetching a URL.
  public enum Refusal: Error, Hashable, Sendable {
    /// It isn't a web URL.
    case malformed
    /// It isn't HTTPS. HTTP is only allowed for the server's own host, if the user signed in over HTTP.
    case notSecure
    /// It is on this machine or a private network.
    case privateAddress
    /// It is on another host, and is fetched only if the user asks for it with a key.
    case needsKey
  }

  /// The server that the user is signed in to.
  public let serverURL: String
  /// Hosts that serve the avatars of the server's users.
  public var ownHosts: Set<String>
  public var sources: Sources

  public init(serverURL: String, ownHosts: Set<String> = [], sources: Sources = .server) {
    self.serverURL = serverURL
    self.ownHosts = ownHosts
    self.sources = sources
  }

  /// Returns the reason for not fetching `address`, or nil if fetching is allowed. Call it again for the target of each
  /// redirect.
  public func refusal(of address: String, isByKey: Bool) -> Refusal? {
    guard let url = URL(web: address), let origin = Origin(url), url.user == nil, url.password == nil else {
      return .malformed
    }
    let server = Origin(serverURL)
    let isOwnHost = origin.host == server?.host
    if origin.scheme != "https", !(isOwnHost && server?.scheme == "http") { return .notSecure }
    if !isOwnHost, PrivateAddress.contains(origin.host) || LoopbackHost.contains(origin.host) {
      return .privateAddress
    }
    guard isByKey || sources == .all || isOwnHost || ownHosts.contains(origin.host) else { return .needsKey }
    return nil
  }

  /// Whether `origin` is the server's own host, which is allowed to resolve to a private address.
  func isOwnHost(_ origin: Origin) -> Bool { origin.host == Origin(serverURL)?.host }

  /// The server of a web URL, `https://host[:port]`; nil for any other URL.
  public static func server(of address: String) -> String? { Origin(address)?.url }

  /// The host of a web URL; nil for any other URL.
  public static func host(of address: String) -> String? { Origin(address)?.host }
}
