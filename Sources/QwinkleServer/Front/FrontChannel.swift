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
  /// Replaces the kernel in tests.
  let readPeer: UnixPeer.Reader?
  let traffic: Traffic
  let metrics: Metrics?
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

  /// Adds the handlers of an accepted connection from the network. Delays this if the client connects too fast, and
  /// refuses the connection if a limit is exceeded.
  func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
    let address = channel.remoteAddress?.ipAddress ?? ""
    // A proxy's connection carries requests of many clients.
    return setUp(channel, from: .address(address), isProxy: front.proxies.contains(address))
  }

  /// Like ``setUp(_:)``, for a connection of a user of this host to a Unix socket. NIO reads nothing from it until the
  /// kernel has reported the user. Closes the connection if the kernel doesn't.
  func setUpUnix(_ channel: any Channel) -> EventLoopFuture<Void> {
    let reported =
      if let readPeer = front.readPeer {
        channel.eventLoop.makeSucceededFuture(readPeer(channel.remoteAddress?.pathname))
      } else {
        UnixPeer.uid(of: channel)
      }
    return reported.flatMap { uid in
      guard let uid else {
        channel.close(promise: nil)
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      let source = channel.eventLoop.makeFutureWithTask { [front] in
        await ConnectionSource.unixUser(uid, in: front.service.unixUsers)
      }
      return source.flatMap { setUp(channel, from: $0, isProxy: false) }
    }
  }

  private func setUp(_ channel: any Channel, from source: ConnectionSource, isProxy: Bool) -> EventLoopFuture<Void> {
    let client = front.client(of: [:], from: source)
    let peer = isProxy ? Client.process : client
    guard let delay = try? front.service.budget.delay(of: peer),
      let id = connections.admit(client, isProxy: isProxy, close: { channel.close(promise: nil) })
    else {
      return channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(ConnectionRefuser())
      }
    }
    front.metrics?.connectionOpened()
    channel.closeFuture.whenComplete { [connections, front] _ in
      connections.remove(id, of: client)
      front.metrics?.connectionClosed()
    }
    // NIO reads nothing from the connection until the returned future is fulfilled.
    let isDue =
      delay > .zero
      ? channel.eventLoop.scheduleTask(in: TimeAmount(delay)) {}.futureResult
      : channel.eventLoop.makeSucceededVoidFuture()
    return isDue.flatMap { addHandlers(to: channel, id, of: client, peer, from: source) }
  }

  private func addHandlers(
    to channel: any Channel, _ id: Connections.ID, of client: Client, _ peer: Client, from source: ConnectionSource
  ) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      var decoding = NIOHTTPDecoderLimitConfiguration()
      decoding.maxHeaderFieldSize = FrontLimits.mostHeadBytes
      decoding.maxHeaderListSize = FrontLimits.mostHeadBytes
      if let metrics = front.metrics { try pipeline.addHandler(ByteCounter(metrics)) }
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
        front, source: source, peer: peer, deadlines: deadlines, codec: codec, ended: ended
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
