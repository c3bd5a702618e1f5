extension ServerAddress {
  /// Large servers of which many users know only a part of the name.
  private static let largeServers = [
    "chaos.social", "fosstodon.org", "hachyderm.io", "infosec.exchange", "mas.to", "mastodon.social", "mstdn.social",
    "techhub.social",
  ]
  /// Common last labels of servers' names. Two-letter ones are missing, because a typo makes another country's.
  private static let commonEndings = [
    "art", "cafe", "club", "com", "community", "exchange", "info", "net", "network", "online", "org", "social", "space",
    "town", "world", "zone",
  ]
  private static let shortestEnding = 3

  /// Returns the host that the user probably meant, for an address whose host doesn't exist. Returns nil if no other
  /// host is likely. A suggestion to show only: don't contact the host before the user has typed it.
  ///
  /// - Parameter used: Servers that the user has used, as hosts or addresses.
  public func nearestHost(among used: some Collection<String>) -> String? {
    let known = used.compactMap(Self.name) + Self.largeServers
    guard !known.contains(host) else { return nil }
    let bare = host.hasPrefix("www.") ? String(host.dropFirst("www.".count)) : host
    let nearest =
      NearestWord.find(bare, among: known)
      ?? Self.correctingEnding(of: bare.dropLast(portSuffix.count))
      .map { $0 + portSuffix }
    return nearest ?? (bare == host ? nil : bare)
  }

  /// Returns `name` with a common last label in place of one that is a single typo away from it.
  private static func correctingEnding(of name: Substring) -> String? {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    guard ending.count >= shortestEnding, !commonEndings.contains(String(ending)),
      let nearest = commonEndings.first(where: { NearestWord.slips(from: $0, to: String(ending)) == 1 })
    else { return nil }
    return name[...dot] + nearest
  }
}
