import FoundationEssentials
import QwinkleService
import QwinkleWire

/// The address of a server: `https://host[:port]`.
struct ServerAddress: Hashable {
  /// Scheme, host and port only.
  let url: String
  /// Host and port, for the user.
  let host: String
  /// Whether https was assumed, as nothing was written before the host.
  let assumesHTTPS: Bool

  /// A warning to show before sending a token to another machine in plain text; nil if it is encrypted or stays here.
  var warningAboutToken: String? {
    guard url.hasPrefix("http://"), !isOnThisMachine else { return nil }
    return "Warning: http sends your token unencrypted. Use https if the server supports it."
  }

  private var isOnThisMachine: Bool { LoopbackHost.contains(URL(string: url)?.host() ?? "") }

  /// Reads `text`: a URL, or a host alone, which means https.
  init(_ text: String) throws(AppError) {
    let text = text.trimmingPrefix { $0 == " " }
    let full = text.contains("://") ? String(text) : "https://\(text)"
    guard let url = URL(string: full), let scheme = url.scheme?.lowercased(), let host = url.host(), !host.isEmpty,
      host.allSatisfy({ $0.isLetter || $0.isNumber || ".-:[]".contains($0) })
    else {
      throw .usage("“\(text)” is not a server address. Use the form https://example.org.")
    }
    guard scheme == "https" || scheme == "http" else {
      throw .usage("Unsupported scheme \(scheme): use https or http, as in https://example.org.")
    }
    guard url.user() == nil, url.password() == nil else {
      throw .usage("Remove the name and password from the server's address. Pass a token with --token-stdin.")
    }
    guard ["", "/"].contains(url.path()), url.query() == nil, url.fragment() == nil else {
      throw .usage("Remove the path from the server's address: \(scheme)://\(host) is enough.")
    }
    if let port = url.port, !(1...65535).contains(port) {
      throw .usage("Invalid port \(port): use 1–65535.")
    }
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host.lowercased()
    self.host = url.port.map { "\(name):\($0)" } ?? name
    self.url = "\(scheme)://\(self.host)"
    assumesHTTPS = !text.contains("://")
  }

  /// `error` of a request there, with what to write for a server without TLS, if that is why.
  func explained(_ error: any Error) -> any Error {
    let download: DownloadError? =
      switch error {
      case SignInError.server(let error): error
      case let error as DownloadError: error
      default: nil
      }
    guard assumesHTTPS, case .transport(.untrusted(_, TransportError.noHTTPS)) = download else { return error }
    return AppError.failed("\(host) does not speak HTTPS. For plain HTTP, write http://\(host).")
  }
}
