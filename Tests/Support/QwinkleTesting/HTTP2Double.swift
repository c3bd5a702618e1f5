import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A loopback server that speaks just enough HTTP/2 to answer each request with given headers, even invalid ones.
public final class HTTP2Double: Sendable {
  /// The headers of one frame, and whether they end the stream.
  public struct Head: Sendable {
    /// Names and values, of at most 126 bytes each.
    public let fields: [(name: String, value: String)]
    /// The END_STREAM flag.
    public let isEnd: Bool

    public init(status: String, isEnd: Bool) {
      fields = [(":status", status)]
      self.isEnd = isEnd
    }

    /// Encodes the frame with literal fields without indexing (RFC 7541, 6.2.2).
    fileprivate func frame(stream: UInt32) -> [UInt8] {
      let block = fields.flatMap { field in
        [UInt8(0), UInt8(field.name.utf8.count)] + Array(field.name.utf8) + [UInt8(field.value.utf8.count)]
          + Array(field.value.utf8)
      }
      return HTTP2Double.frame(.headers, flags: isEnd ? 0x5 : 0x4, stream: stream, block)
    }
  }

  fileprivate enum FrameKind: UInt8 {
    case headers = 1
    case settings = 4
  }

  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let listener = Mutex<(any Channel)?>(nil)
  private let requests = Mutex(0)

  private init() {}

  /// Starts a server that answers each request with `heads`.
  public static func start(
    certificate: CertificateAuthority.ServerCertificate, answering heads: [Head]
  ) async throws -> HTTP2Double {
    let chain = try NIOSSLCertificate.fromPEMFile(certificate.certificate)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: certificate.key, format: .pem)))
    configuration.applicationProtocols = ["h2"]
    let context = try NIOSSLContext(configuration: configuration)
    let server = HTTP2Double()
    let channel = try await ServerBootstrap(group: server.group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { [server] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
          try channel.pipeline.syncOperations.addHandler(FrameHandler(heads) { server.requests.withLock { $0 += 1 } })
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    server.listener.withLock { $0 = channel }
    return server
  }

  /// `127.0.0.1:PORT`.
  public var host: String { "127.0.0.1:\(listener.withLock { $0?.localAddress?.port } ?? 0)" }

  /// Number of requests so far.
  public var requestCount: Int { requests.withLock { $0 } }

  /// Closes the port and every connection.
  public func stop() async {
    let channel = listener.withLock { $0 }
    try? await channel?.close()
    try? await group.shutdownGracefully()
  }

  fileprivate static func frame(_ kind: FrameKind, flags: UInt8, stream: UInt32, _ payload: [UInt8] = []) -> [UInt8] {
    let count = payload.count
    let length = [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
    let number = (0..<4).map { UInt8(stream >> (24 - 8 * $0) & 0xFF) }
    return length + [kind.rawValue, flags] + number + payload
  }
}

/// Reads frames, acknowledges settings and answers each HEADERS frame.
private final class FrameHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let prefaceLength = 24

  private let heads: [HTTP2Double.Head]
  private let didAsk: @Sendable () -> Void
  private var unread = ByteBuffer()
  private var isBegun = false

  init(_ heads: [HTTP2Double.Head], didAsk: @escaping @Sendable () -> Void) {
    self.heads = heads
    self.didAsk = didAsk
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var data = unwrapInboundIn(data)
    unread.writeBuffer(&data)
    if !isBegun {
      guard unread.readableBytes >= Self.prefaceLength else { return }
      unread.moveReaderIndex(forwardBy: Self.prefaceLength)
      isBegun = true
      send(HTTP2Double.frame(.settings, flags: 0, stream: 0), context)
    }
    while let frame = nextFrame() { take(frame.kind, flags: frame.flags, stream: frame.stream, context) }
  }

  /// Tests break connections on purpose, so an error just closes this one.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func nextFrame() -> (kind: UInt8, flags: UInt8, stream: UInt32)? {
    let start = unread.readerIndex
    guard let high = unread.getInteger(at: start, as: UInt8.self),
      let low = unread.getInteger(at: start + 1, as: UInt16.self),
      let kind = unread.getInteger(at: start + 3, as: UInt8.self),
      let flags = unread.getInteger(at: start + 4, as: UInt8.self),
      let stream = unread.getInteger(at: start + 5, as: UInt32.self)
    else { return nil }
    let length = Int(high) << 16 | Int(low)
    guard unread.readableBytes >= 9 + length else { return nil }
    unread.moveReaderIndex(forwardBy: 9 + length)
    return (kind, flags, stream)
  }

  private func take(_ kind: UInt8, flags: UInt8, stream: UInt32, _ context: ChannelHandlerContext) {
    switch HTTP2Double.FrameKind(rawValue: kind) {
    case .settings where flags & 1 == 0: send(HTTP2Double.frame(.settings, flags: 1, stream: 0), context)
    case .headers:
      didAsk()
      for head in heads { send(head.frame(stream: stream), context) }
    default: break
    }
  }

  private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
  }
}
