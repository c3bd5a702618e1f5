import AsyncHTTPClient
import NIOHTTP1
import QwinkleWire

/// The server of a request, and how to connect to it: directly, through a proxy, or on a Unix socket.
struct Route: Sendable {
  let origin: Origin
  var proxy: ProxyRules.Proxy?
  var socket: SharedSocket?

  /// Returns a request without fields, except for the host if the HTTP client wouldn't add it.
  func request(for path: String?) -> HTTPClientRequest {
    var request = HTTPClientRequest(url: (socket?.baseURL ?? origin.url) + (path ?? "/"))
    if socket != nil { request.headers.add(name: "Host", value: origin.authority) }
    return request
  }

  func failure(_ error: any Error, hadAnswer: Bool) -> HTTPFailure {
    HTTPFailure(error, host: origin.authority, socket: socket, hadAnswer: hadAnswer)
  }
}
