import NIOCore
import NIOPosix
import Synchronization

/// A loopback server that discards everything it receives, on a port chosen by the kernel. It answers each read with a
/// tiny response, so that clients that wait for a response continue.
public final class DiscardingServer: Sendable {
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let listener = Mutex<(any Channel)?>(nil)

  private init() {}

  /// Starts a server.
  public static func start() async throws -> DiscardingServer {
    let server = DiscardingServer()
    let channel = try await ServerBootstrap(group: server.group)
      .serverChannelOption(.backlog, value: 4096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Discarder()) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    server.listener.withLock { $0 = channel }
    return server
  }

  public var port: Int { listener.withLock { $0?.localAddress?.port } ?? 0 }

  /// Closes the port and every connection.
  public func stop() async {
    let channel = listener.withLock { $0 }
    try? await channel?.close()
    try? await group.shutdownGracefully()
  }
}

private final class Discarder: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let response = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK")

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Responses to a client that doesn't read would fill this process's memory.
    guard context.channel.isWritable else { return }
    context.writeAndFlush(wrapOutboundOut(Self.response), promise: nil)
  }

  /// Clients break connections on purpose.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
