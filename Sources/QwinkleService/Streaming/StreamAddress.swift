import FoundationEssentials
import QwinkleModel

enum StreamAddress {
  /// Returns the origin to connect to for streams. Its host is the one in `named`, the streaming URL that the server
  /// announces, or else the server's own host. Its scheme is always the scheme of `server`. Returns nil if the
  /// connection would be unsafe: without TLS, only this machine's own addresses are allowed.
  static func origin(server: Origin, named: String?) -> Origin? {
    let own = server.scheme == "https" || LoopbackHost.contains(server.host) ? server : nil
    guard let named, let scheme = named.firstRange(of: "://"),
      let host = Origin("http://\(named[scheme.upperBound...])")
    else { return own }
    let hasPort = URL(web: "http://\(named[scheme.upperBound...])")?.port != nil
    if host.host == server.host, !hasPort { return own }
    guard server.scheme == "https" || LoopbackHost.contains(host.host) else { return nil }
    return Origin("\(server.scheme)://\(bracketed(host.host))" + (hasPort ? ":\(host.port)" : ""))
  }

  private static let path = "/api/v1/streaming"

  static func path(of stream: StreamName?) -> String {
    guard let stream else { return path }
    let word = stream.word.split(separator: ":").joined(separator: "/")
    return "\(path)/\(word)" + (stream.tag.map { "?tag=\(RequestPath.piece($0))" } ?? "")
  }

  /// Returns the path of a WebSocket for one stream, or for all streams if `stream` is nil.
  static func socketPath(of stream: StreamName?) -> String {
    guard let stream else { return path }
    return "\(path)?stream=\(stream.word)" + (stream.tag.map { "&tag=\(RequestPath.piece($0))" } ?? "")
  }

  private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
