import Hummingbird
import Logging
import NIOCore

/// A route without a handler to speak of: what the HTTP library costs by itself.
struct BareServer: Sendable {
  /// The body of each answer.
  let answer: [UInt8]

  /// Runs `body` while the server listens on a port of the system's choice.
  func serving(_ body: (Int) async throws -> Void) async throws {
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let buffer = ByteBuffer(bytes: answer)
    let application = Application(
      responder: CallbackResponder<BasicRequestContext> { _, _ in
        Response(
          status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
          body: ResponseBody(byteBuffer: buffer))
      },
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { listening.yield($0.localAddress?.port ?? 0) },
      logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
    let server = Task {
      defer { listening.finish() }
      try await application.run()
    }
    for await port in ports {
      defer { server.cancel() }
      try await body(port)
      break
    }
    server.cancel()
    _ = try? await server.value
  }
}
