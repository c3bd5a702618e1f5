import HTTPTypes
import NIOCore

/// Refuses a connection because too many are open: sends the response 503 and closes the connection.
final class ConnectionRefuser: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let message: [UInt8] = {
    let response = Refusal.tooManyConnections.response.written()
    let (head, body) = (response.head, response.body)
    let fields = head.headerFields.map { "\($0.name): \($0.value)\r\n" }.joined()
    return Array("HTTP/1.1 503 Service Unavailable\r\n\(fields)\r\n".utf8) + body
  }()

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: Self.message))).whenComplete { _ in
      channel.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}
