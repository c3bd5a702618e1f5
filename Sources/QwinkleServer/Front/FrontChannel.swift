import HTTPTypes
import HummingbirdCore
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
  let uploads = UploadRoom()
  let log: Logger
  let limits: FrontLimits
  let group: any EventLoopGroup
}

/// The handlers of a connection that a WebSocket does without.
struct HTTPCodec {
  let encoder: HTTPResponseEncoder
  let decoder: ByteToMessageHandler<HTTPRequestDecoder>
}

/// How the server sets up a connection.
struct FrontChannel: ServerChildChannel {
  /// A connection.
  struct Value: ServerChildChannelValue {
    let channel: any Channel
    /// Kept when it is closed and nothing is under way for it.
    let ended: EventLoopFuture<Void>
  }

  let front: FrontParts
  let connections: Connections

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      let address = channel.remoteAddress?.ipAddress ?? ""
      let client = ClientAddress.client(address) ?? address
      let isProxy = front.proxies.contains(address)
      let pipeline = channel.pipeline.syncOperations
      guard let id = connections.admit(client, isProxy: isProxy, close: { channel.close(promise: nil) }) else {
        try pipeline.addHandler(ConnectionRefuser())
        return Value(channel: channel, ended: channel.closeFuture)
      }
      channel.closeFuture.whenComplete { [connections] _ in connections.remove(id, of: client) }
      var decoding = NIOHTTPDecoderLimitConfiguration()
      decoding.maxHeaderFieldSize = FrontLimits.mostHeadBytes
      decoding.maxHeaderListSize = FrontLimits.mostHeadBytes
      let deadlines = Deadlines(front.limits)
      try pipeline.addHandler(deadlines)
      let codec = HTTPCodec(
        encoder: HTTPResponseEncoder(),
        decoder: ByteToMessageHandler(
          HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: decoding)))
      try pipeline.addHandlers([codec.encoder, codec.decoder])
      try? channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: .init(front.limits.sendBuffer))
      let ended = channel.eventLoop.makePromise(of: Void.self)
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
      return Value(channel: channel, ended: ended.futureResult)
    }
  }

  /// Waits for the connection's end, and ends it if the server ends first.
  func handle(value: Value, logger: Logger) async {
    await withTaskCancellationHandler {
      try? await value.ended.get()
      try? await value.channel.closeFuture.get()
    } onCancel: {
      value.channel.close(promise: nil)
    }
  }
}
