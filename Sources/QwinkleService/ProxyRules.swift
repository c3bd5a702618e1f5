import FoundationEssentials

/// Decides which requests use a proxy, from the environment variables `http_proxy`, `https_proxy`, `all_proxy` and
/// `no_proxy`. Upper-case names are also recognized, except `HTTP_PROXY`, because a web server may set it from a
/// request's header.
public struct ProxyRules: Hashable, Sendable {
  /// An HTTP or SOCKS 5 proxy. The connection to the proxy itself is not encrypted.
  struct Proxy: Hashable, Sendable {
    var host: String
    var port: Int
    var isSOCKS = false
    var user: String?
    var password: String?
  }

  /// A variable whose value isn't a usable proxy. The value may contain a password and is not shown.
  struct Unusable: Error, Hashable, Sendable {
    var variable: String

    var sentence: String {
      "Nothing was sent: \(variable) is not a valid proxy address. Use http://proxy.example:3128 or "
        + "socks5://proxy.example, or unset it."
    }
  }

  /// Error message for a proxy's failure. It omits the proxy's address, which may contain a password.
  static func words(ofFailure failure: String) -> String {
    "Nothing was sent: \(failure). Check http_proxy, https_proxy and all_proxy, or add the server to no_proxy."
  }

  /// No proxy: all requests connect directly.
  public static let none = ProxyRules(environment: [:])

  private var variables: [String: String] = [:]
  private var exceptions: [String] = []

  public init(environment: [String: String]) {
    for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
      if let value = environment[name], !value.isEmpty { variables[name] = value }
    }
    exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").lowercased()
      .split { $0 == "," || $0 == " " }.map(String.init)
  }

  /// The proxy for requests to `origin`, or nil for a direct connection. Requests to this machine and to hosts in
  /// `no_proxy` are always direct.
  func proxy(for origin: Origin) throws(Unusable) -> Proxy? {
    let names =
      (origin.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
    guard let name = names.first(where: { variables[$0] != nil }), let value = variables[name], !isExcepted(origin)
    else { return nil }
    guard let proxy = Self.proxy(value) else { throw Unusable(variable: name) }
    return proxy
  }

  private func isExcepted(_ origin: Origin) -> Bool {
    if LoopbackHost.contains(origin.host) { return true }
    return exceptions.contains { exception in
      if exception == "*" { return true }
      var name = exception[...]
      // An exception can end with a port. In an IPv6 address without brackets, a colon doesn't introduce a port.
      if let colon = name.lastIndex(of: ":"), let port = Int(name[name.index(after: colon)...]),
        name.firstIndex(of: ":") == colon || name.hasPrefix("[")
      {
        guard port == origin.port else { return false }
        name = name[..<colon]
      }
      if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
      if name.hasPrefix("*.") { name = name.dropFirst() }
      if name.hasPrefix(".") { name = name.dropFirst() }
      return !name.isEmpty && (origin.host == name || origin.host.hasSuffix(".\(name)"))
    }
  }

  /// Parses `http://user:password@host:port`, in which only the host is required.
  private static func proxy(_ text: String) -> Proxy? {
    guard let url = URL(string: text.contains("://") ? text : "http://\(text)"), let host = url.host(), !host.isEmpty,
      let scheme = url.scheme?.lowercased()
    else { return nil }
    let isSOCKS = ["socks5", "socks5h", "socks"].contains(scheme)
    let user = url.user(percentEncoded: false)
    // A user name can't be sent to a SOCKS proxy. Reject the user name rather than ignore it.
    guard isSOCKS ? user == nil : scheme == "http" else { return nil }
    let port = url.port ?? (isSOCKS ? 1080 : 80)
    guard (1...65535).contains(port) else { return nil }
    return Proxy(
      host: host, port: port, isSOCKS: isSOCKS, user: user, password: url.password(percentEncoded: false))
  }
}
