import LibC
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TerminalTesting

/// A loopback server that handles each request according to a test's script, even with invalid responses. It listens on
/// a port that the kernel chooses, or on a Unix socket. It records all requests.
public final class ScriptedServer: Sendable {
  /// A received request.
  public struct Request: Sendable {
    /// `GET`, …
    public let method: String
    /// Path and query.
    public let path: String
    /// Names are spelled as the client sent them.
    public let fields: [(name: String, value: String)]
    public let body: [UInt8]
    /// The connection's number, starting at 0.
    public let connection: Int

    /// Returns the value of a header, if any. Ignores the case of its name.
    public func field(_ name: String) -> String? {
      fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  fileprivate struct State {
    var requests: [Request] = []
    var connectionCount = 0
  }

  fileprivate let state = Mutex(State())
  fileprivate let script: @Sendable (Request) -> Script
  private let group: MultiThreadedEventLoopGroup
  private let tls: NIOSSLContext?
  /// Path of the Unix socket, if the server has no port.
  private let socket: String?
  private let listener = Mutex<(any Channel)?>(nil)

  private init(tls: NIOSSLContext?, socket: String?, script: @escaping @Sendable (Request) -> Script) {
    self.tls = tls
    self.socket = socket
    self.script = script
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  }

  /// Starts a server that answers with `script`, over TLS if there is a certificate, and on the Unix socket at `socket`
  /// if given. The folder of the socket must exist.
  public static func start(
    certificate: CertificateAuthority.ServerCertificate? = nil, socket: String? = nil,
    script: @escaping @Sendable (Request) -> Script
  ) async throws -> ScriptedServer {
    var context: NIOSSLContext?
    if let certificate {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate.certificate)
      let configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: certificate.key, format: .pem)))
      context = try NIOSSLContext(configuration: configuration)
    }
    let server = ScriptedServer(tls: context, socket: socket, script: script)
    let channel = try await server.bind()
    server.listener.withLock { $0 = channel }
    return server
  }

  public var port: Int { listener.withLock { $0?.localAddress?.port } ?? 0 }

  /// `127.0.0.1:PORT`.
  public var host: String { "127.0.0.1:\(port)" }

  /// `http` or `https`, host and port.
  public var url: String { "\(tls == nil ? "http" : "https")://\(host)" }

  /// The requests received, in order.
  public var requests: [Request] { state.withLock { $0.requests } }

  /// Number of connections made so far.
  public var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// Returns after the first request.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` after ``Deadline/patience``.
  public func whenAsked() async throws {
    try await wait(for: "a request to \(url)") { !requests.isEmpty }
  }

  /// Closes the port or the socket, and every connection. The socket's file remains, as after the end of a process.
  public func stop() async {
    let channel = listener.withLock { $0 }
    try? await channel?.close()
    try? await group.shutdownGracefully()
  }

  private func bind() async throws -> any Channel {
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { [self] channel in
        let number = state.withLock { state in
          defer { state.connectionCount += 1 }
          return state.connectionCount
        }
        return channel.eventLoop.makeCompletedFuture {
          if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
          try channel.pipeline.syncOperations.addHandler(ConnectionHandler(server: self, number: number))
        }
      }
    guard let socket else { return try await bootstrap.bind(host: "127.0.0.1", port: 0).get() }
    return try await bootstrap.bind(unixDomainSocketPath: socket).get()
  }

  fileprivate func record(_ request: Request) {
    state.withLock { $0.requests.append(request) }
  }
}

/// Reads requests from one connection in order and performs the script's steps.
private final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let server: ScriptedServer
  private let number: Int
  private var unread = ByteBuffer()

  init(server: ScriptedServer, number: Int) {
    self.server = server
    self.number = number
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var data = unwrapInboundIn(data)
    unread.writeBuffer(&data)
    if let first = unread.readableBytesView.first, !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) {
      // This may be TLS. Servers answer it in plain HTTP.
      unread.clear()
      return perform(Script.answer(400).then(.close).steps[...], on: context.channel)
    }
    while let request = RequestReader.next(in: &unread, connection: number) {
      server.record(request)
      perform(server.script(request).steps[...], on: context.channel)
    }
  }

  /// Tests break connections on purpose, so an error just closes this one.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func perform(_ steps: ArraySlice<Script.Step>, on channel: any Channel) {
    ScriptRunner.run(steps, on: channel)
  }
}

/// Runs a script on one connection.
private enum ScriptRunner {
  static func run(_ steps: ArraySlice<Script.Step>, on channel: any Channel) {
    guard let step = steps.first else { return }
    let rest = steps.dropFirst()
    switch step {
    case .send(let bytes):
      channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenSuccess { run(rest, on: channel) }
    case .wait(let gate):
      gate.whenOpen { channel.eventLoop.execute { run(rest, on: channel) } }
    case .close:
      channel.close(promise: nil)
    case .reset:
      // With a linger time of 0, closing sends RST.
      let lingering = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      guard let lingering else { return channel.close(promise: nil) }
      lingering.whenComplete { _ in channel.close(promise: nil) }
    }
  }
}

/// Parses complete requests from received bytes.
private enum RequestReader {
  static func next(in buffer: inout ByteBuffer, connection: Int) -> ScriptedServer.Request? {
    let bytes = buffer.readableBytesView
    let end: [UInt8] = [13, 10, 13, 10]
    guard let headEnd = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
    let lines = String(decoding: bytes[bytes.startIndex..<headEnd], as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    let fields = lines.dropFirst().map { line -> (name: String, value: String) in
      let parts = line.split(separator: ":", maxSplits: 1)
      let value = parts.count > 1 ? parts[1].drop(while: { $0 == " " }) : ""
      return (String(parts.first ?? ""), String(value))
    }
    let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
    let headLength = headEnd - bytes.startIndex + end.count
    guard buffer.readableBytes >= headLength + length else { return nil }
    buffer.moveReaderIndex(forwardBy: headLength)
    return ScriptedServer.Request(
      method: String(words.first ?? ""), path: words.count > 1 ? String(words[1]) : "", fields: fields,
      body: buffer.readBytes(length: length) ?? [], connection: connection)
  }
}
