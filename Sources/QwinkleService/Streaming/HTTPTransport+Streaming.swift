import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
public import QwinkleWire
import Synchronization

extension HTTPTransport: StreamTransport {
  /// Opens a WebSocket or a stream of server-sent events. If a proxy is configured, a WebSocket ends at once with
  /// status 501, as if the server didn't support it. The caller then falls back to server-sent events, which work
  /// through proxies.
  public func open(
    _ request: StreamRequest, hear: @escaping @Sendable (StreamSignal) -> Void
  ) -> any StreamConnection {
    switch request.kind {
    case .webSocket:
      let connection = WebSocketConnection(hear: hear)
      openWebSocket(request, connection, hear)
      return connection
    case .events:
      return EventConnection(Task { await listen(request, hear) })
    }
  }

  private func openWebSocket(
    _ request: StreamRequest, _ connection: WebSocketConnection, _ hear: @escaping @Sendable (StreamSignal) -> Void
  ) {
    do throws(TransportError) {
      let (route, engine) = try route(for: request.head)
      if route.proxy != nil { return hear(.ended(.refused(status: 501))) }
      var tls: NIOSSLContext?
      if route.origin.scheme == "https" {
        var configuration = engine.tlsConfiguration
        configuration.applicationProtocols = ["http/1.1"]
        tls = try? NIOSSLContext(configuration: configuration)
        guard tls != nil else { throw .local(reason: "TLS is not available.") }
      }
      connection.open(request, by: route, group: engine.group, tls: tls, timeout: connectTimeout)
    } catch {
      hear(.ended(.failed(error)))
    }
  }

  @concurrent private func listen(
    _ request: StreamRequest, _ hear: @escaping @Sendable (StreamSignal) -> Void
  ) async {
    var known: Route?
    do {
      let (route, engine) = try route(for: request.head)
      known = route
      var outgoing = route.request(for: request.head.path)
      for field in request.head.headerFields { outgoing.headers.add(name: field.name.rawName, value: field.value) }
      // Declines compression: the client's limit for decompressed bytes applies to the stream as a whole, so a long
      // stream would exceed it.
      outgoing.headers.add(name: "Accept-Encoding", value: "identity")
      let client = engine.clients(through: route.proxy).fresh
      let response = try await client.execute(outgoing, deadline: .now() + connectTimeout + .seconds(10))
      guard response.status == .ok, response.headers.first(name: "Content-Type")?.contains("event-stream") == true
      else {
        let status = Int(response.status.code)
        return hear(.ended(.refusal(status: status == 200 ? 404 : status, response.headers)))
      }
      hear(.opened)
      for try await chunk in response.body { hear(.bytes(Array(chunk.readableBytesView))) }
      hear(.ended(.closed))
    } catch {
      let failure =
        known?.failure(error, hadAnswer: false)
        ?? HTTPFailure(error, host: request.head.authority ?? "", hadAnswer: false)
      hear(.ended(.failed(failure.error)))
    }
  }
}

extension StreamEnd {
  /// Returns the end of a stream that the server refused, with the wait that the server requests, if any.
  static func refusal(status: Int, _ headers: HTTPHeaders) -> StreamEnd {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return .refused(status: status, retryAfter: RetryAfter.wait(in: fields))
  }
}

private final class EventConnection: StreamConnection {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) {
    self.task = task
  }

  func send(_ text: [UInt8]) {}
  func ping() {}
  func close() { task.cancel() }
}
