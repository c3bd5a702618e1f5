import FoundationEssentials
import QwinkleModel

/// The scheme, host and port of a URL. Credentials are valid for one origin.
struct Origin: Hashable, Sendable {
  /// `http` or `https`.
  let scheme: String
  /// In lower case; an IPv6 address has no brackets.
  let host: String
  let port: Int

  /// Creates the origin of an http or https URL. Returns nil if the URL has another scheme or no host.
  init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else { return nil }
    // A percent sign means that the host couldn't be converted to ASCII, so no resolver knows it.
    guard let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty, !host.contains("%") else {
      return nil
    }
    self.scheme = scheme
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    port = url.port ?? Origin.defaultPort(for: scheme)
    guard (1...65535).contains(port) else { return nil }
  }

  /// The origin of a URL such as `https://tilde.example`.
  init?(_ string: String) {
    guard let url = URL(web: string) else { return nil }
    self.init(url)
  }

  /// The host, and the port if it isn't the scheme's default, as in a URL.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == Origin.defaultPort(for: scheme) ? name : "\(name):\(port)"
  }

  var url: String { "\(scheme)://\(authority)" }

  private static func defaultPort(for scheme: String) -> Int { scheme == "https" ? 443 : 80 }
}

extension URL {
  /// Parses a URL after converting its host to ASCII. Foundation could convert the host only with ICU, which the
  /// program doesn't link.
  init?(web address: String) { self.init(string: WebAddress(address)?.target ?? address) }
}

/// Destination of a request: an origin, and a path with its query.
struct Target: Hashable, Sendable {
  let origin: Origin
  /// Begins with `/`.
  let path: String

  init(origin: Origin, path: String) {
    self.origin = origin
    self.path = path
  }

  /// Resolves an absolute or relative `reference` that a response from `base` contains. Removes user names, passwords
  /// and fragments. Returns nil if the result isn't an http or https URL.
  init?(resolving reference: String, from base: Target) {
    guard
      let url = URL(string: WebAddress(reference)?.target ?? reference, relativeTo: URL(string: base.url))?.absoluteURL,
      let origin = Origin(url)
    else { return nil }
    self.origin = origin
    let path = url.path(percentEncoded: true)
    let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
    self.path = (path.hasPrefix("/") ? path : "/\(path)") + query
  }

  var url: String { origin.url + path }
}
