import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleService

/// Connections of streams, and their recovery.
@MainActor
@Suite(.bounded) struct StreamingServiceTests {
  private struct Setup {
    let clock = VirtualClock()
    let ledger = ActivityLedger()
    let ear = Ear()
    let streams: ScriptedStreams
    let service: StreamingService

    @MainActor
    init(
      _ streams: ScriptedStreams = ScriptedStreams(), server: String = "https://tilde.example",
      token: String? = "secret"
    ) {
      self.streams = streams
      service = StreamingService(
        configuration: .init(serverURL: server, token: token), clock: clock, ledger: ledger, transport: streams)
      service.jitter = { 1 }
    }

    @MainActor
    func pass(_ time: Duration) async {
      await ledger.settle()
      await clock.advance(by: time) { await ledger.settle() }
    }

    @MainActor
    func begin(_ stream: StreamName = .user, named url: String? = nil) async {
      service.follow(stream, for: ear)
      service.use(namedURL: url)
      await pass(.seconds(1))
    }
  }

  @Test func `one socket has all streams and no token in its address`() async {
    let setup = Setup()
    await setup.begin()
    setup.service.follow(.tag("tea"), for: setup.ear)
    await setup.pass(.seconds(1))
    #expect(setup.ear.heard == ["open user", "open hashtag"])
    #expect(setup.streams.connections.count == 1)
    let connection = setup.streams.connections[0]
    #expect(connection.request.head.path == "/api/v1/streaming")
    #expect(connection.request.head.headerFields[.authorization] == "Bearer secret")
    connection.tell("delete", Array("5".utf8), of: ["hashtag", "tea"])
    connection.tell("delete", Array("6".utf8))
    await setup.pass(.seconds(1))
    #expect(setup.ear.heard.suffix(2) == ["hashtag 5", "user 6"])
  }

  @Test func `a refused token header falls back to the subprotocol and then to events`() async {
    let streams = ScriptedStreams { connection in
      connection.tell(connection.request.kind == .events ? .opened : .ended(.refused(status: 401)))
    }
    let setup = Setup(streams)
    await setup.begin()
    let heads = streams.connections.map(\.request.head)
    #expect(heads.count == 3)
    #expect(heads[0].headerFields[.authorization] == "Bearer secret")
    #expect(heads[1].headerFields[.secWebSocketProtocol] == "secret" && heads[1].headerFields[.authorization] == nil)
    #expect(heads[2].path == "/api/v1/streaming/user" && heads[2].headerFields[.authorization] == "Bearer secret")
    let leaks = heads.contains { ($0.path ?? "").contains("secret") }
    #expect(!leaks)
    #expect(setup.ear.heard == ["open user"])
  }

  @Test(arguments: [true, false])
  func `a 401 checks the token once until the next retry`(isAccepted: Bool) async {
    let streams = ScriptedStreams { $0.tell(.ended(.refused(status: 401))) }
    let setup = Setup(streams)
    let ear = setup.ear
    setup.service.acceptsToken = {
      ear.heard.append("question")
      return isAccepted
    }
    setup.service.follow(.direct, for: ear)
    await setup.begin()
    // An accepted token causes two sockets, then an event stream for each of the two streams.
    let attempts = isAccepted ? 4 : 1
    #expect(ear.heard == ["question"] && streams.connections.count == attempts)
    await setup.pass(.seconds(1700))
    #expect(ear.heard == ["question"] && streams.connections.count == attempts)
    await setup.pass(.seconds(200))
    #expect(ear.heard == ["question", "question"] && streams.connections.count == 2 * attempts)
    setup.service.use(.init(serverURL: "https://tilde.example", token: "another"))
    await setup.pass(.seconds(1))
    #expect(ear.heard.count == 3 && streams.connections.count == 3 * attempts)
  }

  @Test(arguments: [true, false])
  func `a stream's 401 ends the others only if the token is rejected`(isAccepted: Bool) async {
    let streams = ScriptedStreams { connection in
      let isRefused = connection.request.head.path?.contains("direct") == true
      switch connection.request.kind {
      case .webSocket: connection.tell(.ended(.refused(status: 404)))
      case .events: connection.tell(isRefused ? .ended(.refused(status: 401)) : .opened)
      }
    }
    let setup = Setup(streams)
    setup.service.acceptsToken = { isAccepted }
    setup.service.follow(.direct, for: setup.ear)
    await setup.begin()
    #expect(setup.service.isOpen(.user) == isAccepted && !setup.service.isOpen(.direct))
    let closed = setup.ear.heard.count { $0 == "closed user" }
    #expect(setup.ear.heard.count { $0 == "open user" } == closed + (isAccepted ? 1 : 0), "\(setup.ear.heard)")
    #expect(streams.connections.filter { !$0.isClosed }.count == (isAccepted ? 1 : 0))
  }

  @Test func `a server without streaming is retried only after a while`() async {
    let streams = ScriptedStreams { $0.tell(.ended(.refused(status: 404))) }
    let setup = Setup(streams)
    await setup.begin()
    #expect(
      streams.connections.map { $0.request.head.path ?? "" } == [
        "/api/v1/streaming", "/api/v1/streaming?stream=user", "/api/v1/streaming/user",
      ])
    #expect(setup.ear.heard == [])
    await setup.pass(.seconds(1700))
    #expect(streams.connections.count == 3)
    await setup.pass(.seconds(200))
    #expect(streams.connections.count == 6)
  }

  @Test func `a server that requires a stream's name gets one socket per stream`() async {
    let streams = ScriptedStreams { connection in
      let isNamed = connection.request.head.path == "/api/v1/streaming?stream=user"
      connection.tell(isNamed ? .opened : .ended(.refused(status: 404)))
    }
    let setup = Setup(streams)
    setup.service.follow(.direct, for: setup.ear)
    await setup.begin()
    #expect(setup.ear.heard == ["open user"] && streams.connections.count == 3)
    #expect(setup.service.isOpen(.user) && !setup.service.isOpen(.direct))
    let sockets = streams.connections.filter { !$0.isClosed }
    #expect(sockets.count == 1 && sockets.first?.request.kind == .webSocket)
    sockets.first?.tell("delete", Array("9".utf8), of: [])
    await setup.pass(.seconds(1))
    #expect(setup.ear.heard.last == "user 9")
    sockets.first?.tell(.ended(.closed))
    await setup.pass(.seconds(2))
    #expect(setup.ear.heard.suffix(2) == ["closed user", "open user"])
  }

  @Test func `a refusal after a long silence closes the stream`() async {
    let setup = Setup(ScriptedStreams(answersPings: false))
    await setup.begin()
    await setup.pass(.seconds(6))
    setup.service.follow(.tag("tea"), for: setup.ear)
    await setup.pass(.seconds(10))
    setup.streams.connections[0].tell(.message(Array(#"{"error":"Unknown stream","status":400}"#.utf8)))
    await setup.pass(.seconds(1))
    #expect(setup.ear.heard == ["open user", "open hashtag", "closed hashtag"])
    #expect(setup.service.isOpen(.user) && !setup.service.isOpen(.tag("tea")))
  }

  @Test func `a refused stream leaves the others open`() async {
    let setup = Setup(ScriptedStreams(answersPings: false))
    await setup.begin()
    await setup.pass(.seconds(6))
    setup.service.follow(.tag("tea"), for: setup.ear)
    setup.streams.connections[0].tell(.message(Array(#"{"error":"Unknown stream","status":400}"#.utf8)))
    await setup.pass(.seconds(1))
    #expect(setup.ear.heard == ["open user"])
    #expect(setup.service.isOpen(.user) && !setup.service.isOpen(.tag("tea")))
  }

  @Test func `a connection cut within an event is reopened and the event is dropped`() async {
    let setup = Setup(
      ScriptedStreams { connection in
        connection.tell(connection.request.kind == .events ? .opened : .ended(.refused(status: 404)))
      })
    await setup.begin()
    setup.streams.connections[2].tell(.bytes(Array("event: delete\ndata: 7".utf8)), .ended(.closed))
    await setup.pass(.seconds(2))
    #expect(setup.ear.heard == ["open user", "closed user", "open user"])
    setup.streams.connections[3].tell(.bytes(Array("\n\nevent: delete\ndata: 8\n\n".utf8)))
    await setup.pass(.seconds(1))
    #expect(setup.ear.heard.last == "user 8")
  }

  @Test func `only the response to a stream's own ping confirms the stream`() async {
    let setup = Setup(ScriptedStreams(answersPings: false))
    setup.service.follow(.user, for: setup.ear)
    setup.service.use(namedURL: nil)
    await setup.pass(.zero)
    setup.streams.connections[0].tell(.beat)
    await setup.pass(.zero)
    #expect(setup.ear.heard == [])
    setup.service.follow(.tag("tea"), for: setup.ear)
    setup.streams.connections[0].tell(.pong)
    await setup.pass(.zero)
    #expect(setup.ear.heard == [])
    setup.streams.connections[0].tell(.pong)
    await setup.pass(.zero)
    #expect(setup.ear.heard.sorted() == ["open hashtag", "open user"])
  }

  @Test func `silence past the deadline ends a connection`() async {
    let setup = Setup(ScriptedStreams(answersPings: false))
    await setup.begin()
    await setup.pass(.seconds(6))
    await setup.pass(.seconds(60))
    #expect(setup.streams.connections[0].sent.contains("ping"))
    setup.streams.connections[0].tell(.beat)
    await setup.pass(.seconds(60))
    #expect(setup.streams.connections.count == 1)
    await setup.pass(.seconds(60))
    #expect(setup.streams.connections.count > 1 && setup.streams.connections[0].isClosed)
  }

  @Test func `a server that is down for an hour is retried less often and found when it is back`() async {
    let isBack = Mutex(false)
    let streams = ScriptedStreams { connection in
      connection.tell(isBack.withLock { $0 } ? .opened : .ended(.failed(.refused(host: ""))))
    }
    let setup = Setup(streams)
    await setup.begin()
    await setup.pass(.seconds(3600))
    #expect((35...45).contains(streams.connections.count), "\(streams.connections.count) attempts")
    isBack.withLock { $0 = true }
    await setup.pass(.seconds(310))
    #expect(setup.ear.heard == ["open user"])
  }

  @Test func `a dead connection is replaced at once after half an hour of sleep`() async {
    let setup = Setup()
    await setup.begin()
    setup.clock.jump(by: .seconds(1800))
    setup.service.checkAlive()
    await setup.pass(.seconds(2))
    #expect(setup.ear.heard == ["open user", "closed user", "open user"])
  }

  @Test func `suspending closes all connections until the service resumes`() async {
    let setup = Setup()
    await setup.begin()
    setup.service.suspend()
    let areClosed = setup.streams.connections.allSatisfy(\.isClosed)
    #expect(areClosed)
    await setup.pass(.seconds(7200))
    #expect(setup.streams.connections.count == 1)
    setup.service.resume()
    await setup.pass(.seconds(1))
    #expect(setup.ear.heard == ["open user", "closed user", "open user"])
  }

  /// An event that resets refusals of streams.
  enum NewStart: CaseIterable {
    case resuming, token, address
  }

  @Test(arguments: NewStart.allCases)
  func `a server without streaming is retried after a new start`(start: NewStart) async {
    let streamsNow = Mutex(false)
    let streams = ScriptedStreams { connection in
      connection.tell(streamsNow.withLock { $0 } ? .opened : .ended(.refused(status: 404)))
    }
    let setup = Setup(streams)
    await setup.begin()
    #expect(streams.connections.count == 3 && setup.service.method == .none)
    streamsNow.withLock { $0 = true }
    switch start {
    case .resuming:
      setup.service.suspend()
      setup.service.resume()
    case .token: setup.service.use(.init(serverURL: "https://tilde.example", token: "other"))
    case .address: setup.service.use(namedURL: "wss://stream.tilde.example")
    }
    await setup.pass(.seconds(1))
    #expect(streams.connections.count == 4 && streams.connections.last?.request.kind == .webSocket)
    #expect(setup.ear.heard == ["open user"])
  }

  @Test func `a stream without followers is ended`() async {
    let setup = Setup()
    await setup.begin()
    setup.service.follow(.public, for: setup.ear)
    await setup.pass(.seconds(1))
    setup.service.unfollow(.public, for: setup.ear)
    #expect(setup.streams.connections[0].sent.last?.contains("unsubscribe") == true)
    setup.service.unfollow(.user, for: setup.ear)
    #expect(setup.streams.connections[0].isClosed)
  }

  @Test func `events that overflow the buffer are reported as missed`() async {
    let setup = Setup()
    await setup.begin()
    let payload = Array(repeating: UInt8(ascii: "9"), count: 1000)
    for _ in 0..<9000 { setup.streams.connections[0].tell("delete", payload) }
    await setup.pass(.seconds(20))
    #expect(setup.ear.heard.contains("missed user"))
  }

  @Test func `dropping queued bytes also drops the partial event before them`() {
    var state = StreamMailbox.State()
    state.add(.bytes(Array("event: delete\ndata: 1".utf8)))
    var batch = state.nextBatch()
    for case .bytes(let bytes) in batch.signals { #expect(batch.lines.take(bytes).isEmpty) }
    for _ in 0...8 { state.add(.bytes(Array(repeating: UInt8(ascii: ":"), count: 1 << 20))) }
    state.finish(batch)
    state.add(.bytes(Array("\n\nevent: delete\ndata: 2\n\n".utf8)))
    var messages: [EventLines.Message] = []
    while !state.waiting.isEmpty {
      var next = state.nextBatch()
      for case .bytes(let bytes) in next.signals { messages += next.lines.take(bytes) }
      state.finish(next)
    }
    #expect(messages.map { String(decoding: $0.data, as: UTF8.self) } == ["2"])
  }

  @Test(
    arguments: [
      ("https://tilde.example", nil, "https://tilde.example"),
      ("https://tilde.example", "wss://stream.tilde.example", "https://stream.tilde.example"),
      ("https://tilde.example", "ws://stream.tilde.example:4000/x", "https://stream.tilde.example:4000"),
      ("http://localhost:8080", "wss://localhost", "http://localhost:8080"),
      ("http://127.0.0.1:8080", "wss://127.0.0.1:8080", "http://127.0.0.1:8080"),
      ("http://127.0.0.1:8080", "wss://evil.example", nil), ("http://tilde.example", nil, nil),
      ("http://tilde.example", "wss://tilde.example", nil),
    ] as [(String, String?, String?)])
  func `streams use the named host and plain http only on loopback`(
    server: String, named: String?, expected: String?
  ) throws {
    let origin = try #require(Origin(server))
    #expect(StreamAddress.origin(server: origin, named: named)?.url == expected)
  }
}
