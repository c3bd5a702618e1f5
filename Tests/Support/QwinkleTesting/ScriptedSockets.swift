import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// A WebSocket server (RFC 6455) on loopback, controlled by a test. It listens on a port that the kernel chooses, or on
/// a Unix socket.
public final class ScriptedSockets: Sendable {
  /// A response to a handshake.
  public enum Answer: Sendable {
    case socket(subprotocol: String? = nil)
    case refusal(status: Int)
  }

  public final class Socket: Sendable {
    /// Path and query of the handshake.
    public let path: String
    private let fields: [(name: String, value: String)]
    private let channel: any Channel
    private let texts = Mutex<[String]>([])

    fileprivate init(_ head: Substring, _ channel: any Channel) {
      let lines = head.split(separator: "\r\n")
      path = lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? ""
      fields = lines.dropFirst().map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return (parts[0].lowercased(), parts.dropFirst().first?.trimmingCharacters(in: .whitespaces) ?? "")
      }
      self.channel = channel
    }

    /// Frames from the client, in order: messages, pongs as `pong` with their content, and unanswered pings as `ping`.
    public var heard: [String] { texts.withLock { $0 } }

    /// Returns a header field of the handshake, if any.
    public func field(_ name: String) -> String? { fields.first { $0.name == name.lowercased() }?.value }

    /// Sends a message.
    public func tell(_ text: String) { send(1, Array(text.utf8)) }
    /// Sends a ping.
    public func ping(_ text: String) { send(9, Array(text.utf8)) }

    /// Sends a close frame.
    public func close() { send(8, [3, 0xE8]) }

    fileprivate func note(_ text: String) { texts.withLock { $0.append(text) } }

    fileprivate func send(_ opcode: UInt8, _ content: [UInt8]) {
      let length =
        content.count < 126
        ? [UInt8(content.count)] : [126, UInt8(content.count >> 8), UInt8(content.count & 255)]
      channel.writeAndFlush(ByteBuffer(bytes: [0x80 | opcode] + length + content), promise: nil)
    }
  }

  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let listener = Mutex<(any Channel)?>(nil)
  private let made = Mutex<[Socket]>([])
  fileprivate let answersPings: Bool
  fileprivate let answer: @Sendable (Socket) -> Answer
  fileprivate let react: @Sendable (Socket, String) -> Void

  private init(
    answersPings: Bool, answer: @escaping @Sendable (Socket) -> Answer,
    react: @escaping @Sendable (Socket, String) -> Void
  ) {
    self.answersPings = answersPings
    self.answer = answer
    self.react = react
  }

  /// Starts a server that answers handshakes with `answer` and passes each message to `react`. It answers pings itself
  /// if `answersPings`. It listens on the Unix socket at `path` if given.
  public static func start(
    answersPings: Bool = true, at path: String? = nil,
    answer: @escaping @Sendable (Socket) -> Answer = { _ in .socket() },
    react: @escaping @Sendable (Socket, String) -> Void = { _, _ in }
  ) async throws -> ScriptedSockets {
    let server = ScriptedSockets(answersPings: answersPings, answer: answer, react: react)
    let channel = try await server.bind(path)
    server.listener.withLock { $0 = channel }
    return server
  }

  /// `127.0.0.1:PORT`.
  public var host: String { "127.0.0.1:\(listener.withLock { $0?.localAddress?.port } ?? 0)" }
  /// All connections so far, including refused ones.
  public var sockets: [Socket] { made.withLock { $0 } }

  /// Closes the port and every connection.
  public func stop() async {
    let channel = listener.withLock { $0 }
    try? await channel?.close()
    try? await group.shutdownGracefully()
  }

  private func bind(_ path: String?) async throws -> any Channel {
    let bootstrap = ServerBootstrap(group: group).serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(SocketHandler(self))
        }
      }
    guard let path else { return try await bootstrap.bind(host: "127.0.0.1", port: 0).get() }
    return try await bootstrap.bind(unixDomainSocketPath: path).get()
  }

  fileprivate func add(_ socket: Socket) { made.withLock { $0.append(socket) } }
}

/// Speaks the protocol on one connection.
private final class SocketHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let server: ScriptedSockets
  private var socket: ScriptedSockets.Socket?
  private var unread: [UInt8] = []

  init(_ server: ScriptedSockets) { self.server = server }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    unread += Array(unwrapInboundIn(data).readableBytesView)
    if socket == nil { shakeHands(context) }
    guard let socket else { return }
    while let (opcode, content) = nextFrame() {
      let text = String(decoding: content, as: UTF8.self)
      switch opcode {
      case 1:
        socket.note(text)
        server.react(socket, text)
      case 8: context.close(promise: nil)
      case 9: if server.answersPings { socket.send(10, content) } else { socket.note("ping") }
      default: socket.note("pong \(text)")
      }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func shakeHands(_ context: ChannelHandlerContext) {
    guard let end = unread.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
    let head = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
    unread.removeSubrange(..<end.upperBound)
    let socket = ScriptedSockets.Socket(head[...], context.channel)
    server.add(socket)
    switch server.answer(socket) {
    case .refusal(let status):
      let answer = "HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n"
      context.channel.writeAndFlush(ByteBuffer(string: answer), promise: nil)
    case .socket(let subprotocol):
      accept(socket, subprotocol, on: context.channel)
      self.socket = socket
    }
  }

  private func accept(_ socket: ScriptedSockets.Socket, _ subprotocol: String?, on channel: any Channel) {
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    let request = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: socket.path,
      headers: ["Sec-WebSocket-Key": socket.field("Sec-WebSocket-Key") ?? "", "Sec-WebSocket-Version": "13"])
    upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: request, initialResponseHeaders: [:])
      .whenSuccess { headers in
        var lines = ["HTTP/1.1 101 Switching Protocols"] + headers.map { "\($0.name): \($0.value)" }
        if let subprotocol { lines.append("Sec-WebSocket-Protocol: \(subprotocol)") }
        channel.writeAndFlush(ByteBuffer(string: (lines + ["", ""]).joined(separator: "\r\n")), promise: nil)
      }
  }

  /// Returns the client's next frame, unmasked.
  private func nextFrame() -> (opcode: UInt8, content: [UInt8])? {
    guard unread.count >= 2, unread[1] & 0x80 != 0 else { return nil }
    var (length, start) = (Int(unread[1] & 0x7F), 2)
    if length == 126 {
      guard unread.count >= 4 else { return nil }
      (length, start) = (Int(unread[2]) << 8 | Int(unread[3]), 4)
    }
    guard unread.count >= start + 4 + length else { return nil }
    let mask = unread[start..<(start + 4)]
    let content = (0..<length).map { unread[start + 4 + $0] ^ mask[start + $0 % 4] }
    let opcode = unread[0] & 15
    unread.removeFirst(start + 4 + length)
    return (opcode, content)
  }
}
