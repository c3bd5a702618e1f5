import Dispatch
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1

/// State shared by all connections of an ``HTTPFront``.
struct FrontParts: Sendable {
  let service: Service
  let origin: BaseURL?
  let proxies: TrustedProxies
  let traffic: Traffic
  let date: HTTPDateText
  let tokens: StreamTokens
  let log: Logger
  let limits: FrontLimits
  let group: any EventLoopGroup
}

/// The HTTP handlers of a connection. They are removed if the connection becomes a WebSocket.
struct HTTPCodec {
  let encoder: HTTPResponseEncoder
  let decoder: ByteToMessageHandler<HTTPRequestDecoder>
}

/// Sets up accepted connections, and closes all connections.
struct FrontChannel: Sendable {
  let front: FrontParts
  let connections: Connections
  /// Counts the connections that are open or whose last request hasn't ended.
  private let unfinished = DispatchGroup()

  init(front: FrontParts, connections: Connections) {
    self.front = front
    self.connections = connections
  }

  /// Adds the handlers of an accepted connection. Delays this if the client connects too fast, and refuses the
  /// connection if a limit is exceeded.
  func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
    let address = channel.remoteAddress?.ipAddress ?? ""
    let client = front.client(of: [:], at: address)
    // A proxy's connection carries requests of many clients.
    let isProxy = front.proxies.contains(address)
    let peer = isProxy ? Client.process : client
    guard let delay = try? front.service.budget.delay(of: peer),
      let id = connections.admit(client, isProxy: isProxy, close: { channel.close(promise: nil) })
    else {
      return channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(ConnectionRefuser())
      }
    }
    channel.closeFuture.whenComplete { [connections] _ in connections.remove(id, of: client) }
    guard delay > .zero else { return addHandlers(to: channel, id, of: client, peer, at: address) }
    // NIO reads nothing from the connection until this future is fulfilled.
    return channel.eventLoop.flatScheduleTask(in: TimeAmount(delay)) {
      addHandlers(to: channel, id, of: client, peer, at: address)
    }.futureResult
  }

  private func addHandlers(
    to channel: any Channel, _ id: Connections.ID, of client: Client, _ peer: Client, at address: String
  ) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      var decoding = NIOHTTPDecoderLimitConfiguration()
      decoding.maxHeaderFieldSize = FrontLimits.mostHeadBytes
      decoding.maxHeaderListSize = FrontLimits.mostHeadBytes
      let deadlines = Deadlines(front.limits, front.service.budget, peer)
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
      let handler = RequestHandler(
        front, address: address, peer: peer, deadlines: deadlines, codec: codec, ended: ended
      ) { [connections] isIdle in
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
