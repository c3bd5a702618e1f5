import NIOCore

/// Counts the bytes of a connection in ``Metrics``. It is the first handler of the pipeline, so it counts the bytes on
/// the wire.
final class ByteCounter: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let metrics: Metrics

  init(_ metrics: Metrics) {
    self.metrics = metrics
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    metrics.bytesReceived(unwrapInboundIn(data).readableBytes)
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    metrics.bytesSent(unwrapOutboundIn(data).readableBytes)
    context.write(data, promise: promise)
  }
}
