import HTTPTypes
import LibC
import NIOCore
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleService

/// Requests, streams and pictures over the Unix socket of a shared timeline.
@MainActor
@Suite(.bounded) struct SharedSocketTests {
  private let folder = SocketFolder()

  private func socket() throws -> SharedSocket { try #require(SharedSocket(path: folder.socket)) }

  /// Runs `body` with a server on the socket and a transport to it.
  private func serving(
    _ script: @escaping ServerScript, _ body: (ScriptedServer, HTTPTransport) async throws -> Void
  ) async throws {
    let server = try await ScriptedServer.start(socket: folder.socket, script: script)
    let transport = HTTPTransport(connectTimeout: .seconds(120), socket: try socket())
    do {
      try await body(server, transport)
    } catch {
      await transport.shutDown()
      await server.stop()
      throw error
    }
    await transport.shutDown()
    await server.stop()
  }

  private func bench(_ transport: HTTPTransport) -> (service: DownloadService, delegate: DelegateRecorder) {
    let service = DownloadService(
      configuration: .init(serverURL: SharedSocket.serverURL, isOnSocket: true), ledger: ActivityLedger(),
      transport: { transport })
    return (service, DelegateRecorder())
  }

  // MARK: Requests

  @Test func `requests go to the socket with the shared host and without a token`() async throws {
    try await serving({ _ in .json(Array("[]".utf8)) }) { server, transport in
      let (service, delegate) = bench(transport)
      await delegate.finished(service.start(.publicTimeline, delegate: delegate))
      #expect(delegate.qwinkPages.count == 1 && delegate.errors.isEmpty, "\(delegate.errors)")
      let request = try #require(server.requests.first)
      #expect(request.path.hasPrefix("/api/v1/timelines/public"))
      #expect(request.fields.filter { $0.name.lowercased() == "host" }.map(\.value) == ["shared"])
      #expect(request.field("Authorization") == nil)
    }
  }

  @Test func `reads reuse a connection and a restart of the server is retried`() async throws {
    try await serving({ request in request.path == "/last" ? .close : .answer(204) }) { server, transport in
      for _ in 0..<3 { _ = try await transport.send(.to(SharedSocket.serverURL)) }
      #expect(server.connectionCount == 1)
      // Like a stale connection, the pooled one closes without an answer. The new one does, too.
      #expect(
        await failure(of: .to(SharedSocket.serverURL, path: "/last"), through: transport)
          == .interrupted(host: "shared"))
      #expect(server.connectionCount == 2)
    }
  }

  @Test func `a file of a megabyte arrives whole`() async throws {
    let uploads = UploadFolder()
    let path = try uploads.write("quay.png", mark: "quay", size: 1 << 20)
    let body = FileBody(start: Array("start ".utf8), file: try DiskFile(path: path), end: Array(" end".utf8))
    try await serving({ _ in .answer(204) }) { server, transport in
      var request = TransportRequest.to(SharedSocket.serverURL, method: .post)
      request.file = body
      let response = try await transport.send(request)
      let bytes = try body.bytes()
      #expect(response.head.status.code == 204 && server.requests.first?.body == bytes)
    }
  }

  @Test func `other servers can't be reached through the socket`() async throws {
    try await serving({ _ in .answer(204) }) { server, transport in
      for url in ["http://tilde.example", "https://shared", "http://shared:8420", "http://127.0.0.1"] {
        let error = await failure(of: .to(url), through: transport)
        guard case .local(let reason)? = error else {
          Issue.record("\(url): \(String(describing: error))")
          continue
        }
        #expect(reason.contains(folder.socket))
      }
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `a redirect to another server is refused`() async throws {
    try await serving({ _ in .redirect(to: "https://tilde.example/x") }) { server, transport in
      let (service, delegate) = bench(transport)
      await delegate.finished(service.start(.publicTimeline, delegate: delegate))
      #expect(delegate.errors == [.badRedirect(host: "shared")])
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a next page at the public address is fetched from the socket`() async throws {
    let link = "<https://tilde.example/api/v1/timelines/public?max_id=1>; rel=\"next\""
    try await serving({ request in
      .json(request.path.contains("max_id") ? Array("[]".utf8) : pageBody("2", "1"), fields: [("Link", link)])
    }) { server, transport in
      let (service, delegate) = bench(transport)
      await delegate.finished(service.start(.publicTimeline, delegate: delegate))
      let older = try #require(delegate.qwinkPages.first?.older)
      await delegate.finished(service.start(.timelinePage(.public, older), delegate: delegate))
      #expect(delegate.errors.isEmpty && server.requests.last?.path == "/api/v1/timelines/public?max_id=1")
    }
  }

  @Test(arguments: [401, 403])
  func `a refused user isn't asked to sign in`(status: Int) async throws {
    try await serving({ _ in .json(Array(#"{"error":"Your group may not use this server"}"#.utf8), status: status) }) {
      _, transport in
      let (service, delegate) = bench(transport)
      await delegate.finished(service.start(.publicTimeline, delegate: delegate))
      #expect(delegate.errors == [.forbidden(host: "shared", message: "Your group may not use this server")])
      #expect(
        delegate.errors.first?.sentence
          == "shared does not allow this (“Your group may not use this server”). Try another account.")
    }
  }

  // MARK: Streams and pictures

  @Test func `a WebSocket opens on the socket without a token`() async throws {
    let server = try await ScriptedSockets.start(at: folder.socket)
    let transport = HTTPTransport(connectTimeout: .seconds(120), socket: try socket())
    let ear = Ear()
    let service = StreamingService(
      configuration: .init(serverURL: SharedSocket.serverURL, token: nil, isOnSocket: true),
      clock: DeadlineFreeClock(), ledger: ActivityLedger(), transport: transport)
    service.follow(.user, for: ear)
    // The public address isn't used.
    service.use(namedURL: "wss://tilde.example")
    try await wait(for: "the open stream") { ear.heard == ["open user"] }
    let opened = try #require(server.sockets.first)
    #expect(opened.field("Host") == "shared" && opened.field("Authorization") == nil)
    opened.tell(#"{"stream":["user"],"event":"delete","payload":"5"}"#)
    try await wait(for: "the event") { ear.heard.last == "user 5" }
    service.suspend()
    await transport.shutDown()
    await server.stop()
  }

  @Test func `server-sent events arrive from the socket`() async throws {
    let event = "event: delete\ndata: 7\n\n"
    try await serving({ _ in
      .chunked([Array(event.utf8)], fields: [("Content-Type", "text/event-stream")])
    }) { server, transport in
      let heard = Mutex<[UInt8]>([])
      let hasEnded = Mutex(false)
      let head = HTTPRequest(method: .get, scheme: "http", authority: "shared", path: "/api/v1/streaming/user")
      let connection = transport.open(StreamRequest(.events, head: head)) { signal in
        switch signal {
        case .bytes(let bytes): heard.withLock { $0 += bytes }
        case .ended: hasEnded.withLock { $0 = true }
        default: break
        }
      }
      try await wait(for: "the end of the stream") { hasEnded.withLock { $0 } }
      #expect(String(decoding: heard.withLock { $0 }, as: UTF8.self) == event)
      #expect(server.requests.first?.field("Host") == "shared")
      connection.close()
    }
  }

  @Test func `the server's pictures are fetched from the socket`() async throws {
    let picture = Array("a picture".utf8)
    try await serving({ _ in .answer(200, picture, fields: [("Content-Type", "image/png")]) }) { server, transport in
      let media = MediaService(
        rules: MediaRules(serverURL: SharedSocket.serverURL), own: { transport },
        others: { HTTPTransport(refusesPrivateAddresses: true) })
      let outcome = await media.fetch("http://shared/media/1.png", after: nil, isByKey: false, mostBytes: 1 << 20)
      #expect(outcome == .whole(picture))
      #expect(server.requests.map(\.path) == ["/media/1.png"])
    }
  }
}
