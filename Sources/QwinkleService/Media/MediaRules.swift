import FoundationEssentials

/// Which addresses of pictures are fetched.
public struct MediaRules: Hashable, Sendable {
  /// Whose pictures are fetched without a key.
  public enum Sources: String, CaseIterable, Sendable {
    /// The server's, and those of the hosts that it serves its own avatars from.
    case server
    /// Everybody's.
    case all
  }

  /// Why an address is not fetched.
  public enum Refusal: Error, Hashable, Sendable {
    /// It is no URL of the web.
    case malformed
    /// It isn't https, and not of a server that is signed in at without.
    case notSecure
    /// It is of this machine or a network nearby.
    case privateAddress
    /// It is of another host: only a key fetches it.
    case needsKey
  }

  /// The server signed in at.
  public let serverURL: String
  /// Hosts from which it serves its own avatars.
  public var ownHosts: Set<String>
  public var sources: Sources

  public init(serverURL: String, ownHosts: Set<String> = [], sources: Sources = .server) {
    self.serverURL = serverURL
    self.ownHosts = ownHosts
    self.sources = sources
  }

  /// Why `address` is not fetched; nil if it is. Call it again for each address that a redirect leads to.
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

  /// Whether the host of `address` is the server's own, whose names may resolve to an address nearby.
  func isOwnHost(_ origin: Origin) -> Bool { origin.host == Origin(serverURL)?.host }

  /// The server of an address, `https://host[:port]`; nil if it is no URL of the web.
  public static func server(of address: String) -> String? { Origin(address)?.url }

  /// The host of an address; nil if it is no URL of the web.
  public static func host(of address: String) -> String? { Origin(address)?.host }
}
