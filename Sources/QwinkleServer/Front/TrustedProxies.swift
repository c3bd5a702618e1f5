/// The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted.
struct TrustedProxies: Sendable {
  private let addresses: Set<String>

  init() { addresses = [] }

  /// Creates a set of proxies, or returns nil if one of the texts isn't an IP address.
  init?(_ addresses: [String]) {
    var known: Set<String> = []
    for address in addresses {
      guard let address = ClientAddress.plain(address) else { return nil }
      known.insert(address)
    }
    self.addresses = known
  }

  func contains(_ address: String) -> Bool {
    !addresses.isEmpty && ClientAddress.plain(address).map(addresses.contains) == true
  }

  /// Returns the client of a request from `address`, given the values of its `X-Forwarded-For` header. Each proxy
  /// appends the address that connected to it. The client is therefore the last address that isn't a trusted proxy.
  func client(at address: String, forwardedFor values: [String]) -> String {
    var client = address
    var hops = values.flatMap { $0.split(separator: ",") }[...]
    while contains(client), let hop = hops.popLast(), let next = Self.address(in: hop) { client = next }
    return ClientAddress.client(client) ?? client
  }

  /// Returns the scheme that a proxy at `address` reports in `X-Forwarded-Proto`. Returns nil if the header is missing,
  /// isn't trusted, or names a scheme other than `http` and `https`.
  func scheme(at address: String, forwardedProto value: String?) -> String? {
    guard let value, contains(address) else { return nil }
    let first = value.prefix { $0 != "," }.filter { $0 != " " }.lowercased()
    return ["http", "https"].contains(first) ? first : nil
  }

  /// Parses the address in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`.
  private static func address(in hop: Substring) -> String? {
    let text = hop.filter { $0 != " " && $0 != "\t" }
    if let plain = ClientAddress.plain(text) { return plain }
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      return ClientAddress.plain(String(text[text.index(after: text.startIndex)..<end]))
    }
    return ClientAddress.plain(String(text.prefix { $0 != ":" }))
  }
}
