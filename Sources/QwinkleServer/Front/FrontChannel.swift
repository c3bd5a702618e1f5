import Dispatch
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1

/// What all connections of a front share.
struct FrontParts: Sendable {
  let service: Service
  let origin: Origin?
  let proxies: TrustedProxies
  let traffic: Traffic
  let date: HTTPDateText
  let tokens: StreamTokens
  let log: Logger
  let limits: FrontLimits
  let group: any EventLoopGroup
}

/// The handlers of a connection that a WebSocket does without.
struct HTTPCodec {
  let encoder: HTTPResponseEncoder
  let decoder: ByteToMessageHandler<HTTPRequestDecoder>
}

/// Adds the handlers of accepted connections, and ends all connections.
struct FrontChannel: Sendable {
  let front: FrontParts
  let connections: Connections
  /// Entered by each connection, and left once it is closed and its last request has ended.
  private let unfinished = DispatchGroup()

  init(front: FrontParts, connections: Connections) {
    self.front = front
    self.connections = connections
  }

  /// Adds the handlers of an accepted connection.
  func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let address = channel.remoteAddress?.ipAddress ?? ""
      let client = Client.address(ClientAddress.client(address) ?? address)
      let isProxy = front.proxies.contains(address)
      let pipeline = channel.pipeline.syncOperations
      guard let id = connections.admit(client, isProxy: isProxy, close: { channel.close(promise: nil) }) else {
        try pipeline.addHandler(ConnectionRefuser())
        return
      }
      channel.closeFuture.whenComplete { [connections] _ in connections.remove(id, of: client) }
      var decoding = NIOHTTPDecoderLimitConfiguration()
      decoding.maxHeaderFieldSize = FrontLimits.mostHeadBytes
      decoding.maxHeaderListSize = FrontLimits.mostHeadBytes
      let deadlines = Deadlines(front.limits, front.service.budget, isProxy ? .process : client)
      try pipeline.addHandler(deadlines)
      let codec = HTTPCodec(
        encoder: HTTPResponseEncoder(),
        decoder: ByteToMessageHandler(
          HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: decoding)))
      try pipeline.addHandlers([codec.encoder, codec.decoder])
      try? channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: .init(front.limits.sendBuffer))
      let ended = channel.eventLoop.makePromise(of: Void.self)
      unfinished.enter()
      ended.futureResult.and(channel.closeFuture).whenComplete { [unfinished] _ in unfinished.leave() }
      let handler = RequestHandler(front, address: address, deadlines: deadlines, codec: codec, ended: ended) {
        [connections] isIdle in
        connections.set(id, of: client, isIdle: isIdle)
      }
      do {
        try pipeline.addHandler(handler)
      } catch {
        ended.fail(error)
        throw error
      }
    }
  }

  /// Closes all connections. Returns when their requests have ended.
  func closeAll() async {
    connections.closeAll()
    await withCheckedContinuation { done in
      unfinished.notify(queue: .global()) { done.resume() }
    }
  }
}
