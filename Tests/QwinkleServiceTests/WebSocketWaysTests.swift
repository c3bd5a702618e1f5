import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleService

/// The ways of Mastodon's, GoToSocial's, Pleroma's and Akkoma's WebSockets, on a real connection.
@MainActor
@Suite(.bounded) struct WebSocketWaysTests {
  private static let token = "canary"

  /// Runs `body` with a client of a server.
  private func listening(
    to server: ScriptedSockets, named url: String? = nil, token: String? = WebSocketWaysTests.token,
    stream: StreamName = .user, clock: (any ProgramClock)? = nil, ledger: ActivityLedger = ActivityLedger(),
    _ body: (StreamingService, Ear) async throws -> Void
  ) async throws {
    let transport = HTTPTransport(connectTimeout: .seconds(120))
    let ear = Ear()
    let service = StreamingService(
      configuration: .init(serverURL: "http://\(server.host)", token: token), clock: clock ?? DeadlineFreeClock(),
      ledger: ledger, transport: transport)
    service.jitter = { 0.01 }
    service.follow(stream, for: ear)
    service.use(namedURL: url)
    try await body(service, ear)
    #expect(server.sockets.allSatisfy { !$0.path.contains(Self.token) }, "the token is in an address")
    service.suspend()
    await transport.shutDown()
    await server.stop()
  }

  private func wait(for what: String, _ ear: Ear, until isSo: () -> Bool) async throws {
    try await TerminalTesting.wait(for: what, showing: { ear.heard.joined(separator: "\n") }, until: isSo)
  }

  private static func deletion(_ id: Int, of stream: String) -> String {
    #"{"stream":["\#(stream)"],"event":"delete","payload":"\#(id)"}"#
  }

  @Test func `Mastodon refuses tokens in the address, and gets them by header`() async throws {
    let server = try await ScriptedSockets.start { socket in
      let isRight = socket.field("Authorization") == "Bearer canary" && !socket.path.contains("access_token")
      return isRight ? .socket() : .refusal(status: 401)
    }
    try await listening(to: server) { _, ear in
      try await wait(for: "the open stream", ear) { ear.heard == ["open user"] }
      #expect(server.sockets.count == 1 && server.sockets[0].path == "/api/v1/streaming")
      #expect(server.sockets[0].field("Sec-WebSocket-Protocol") == nil)
      #expect(server.sockets[0].heard.first == #"{"type":"subscribe","stream":"user"}"#)
    }
  }

  @Test func `Mastodon's pings are answered with what they say, and its events are heard`() async throws {
    let server = try await ScriptedSockets.start()
    try await listening(to: server) { _, ear in
      try await wait(for: "the open stream", ear) { ear.heard == ["open user"] }
      server.sockets[0].ping("tick 7")
      server.sockets[0].tell(Self.deletion(5, of: "user"))
      try await wait(for: "the event and the pong", ear) {
        ear.heard.count == 2 && server.sockets[0].heard.last == "pong tick 7"
      }
      #expect(ear.heard.last == "user 5")
    }
  }

  @Test func `Mastodon refuses one stream by a message, and goes on with the others`() async throws {
    let server = try await ScriptedSockets.start(react: { socket, text in
      if text.contains("hashtag") { socket.tell(#"{"error":"Missing access token","status":401}"#) }
    })
    try await listening(to: server) { service, ear in
      try await wait(for: "the open stream", ear) { ear.heard == ["open user"] }
      service.follow(.tag("tea"), for: ear)
      try await wait(for: "the second subscription", ear) { server.sockets[0].heard.count == 2 }
      server.sockets[0].tell(Self.deletion(6, of: "user"))
      try await wait(for: "the event", ear) { ear.heard.last == "user 6" }
      #expect(service.isOpen(.user) && !service.isOpen(.tag("tea")))
      #expect(server.sockets.count == 1 && !ear.heard.contains("closed user"))
    }
  }

  @Test func `a server that closes a WebSocket is connected to anew`() async throws {
    let server = try await ScriptedSockets.start()
    try await listening(to: server) { _, ear in
      try await wait(for: "the open stream", ear) { ear.heard == ["open user"] }
      server.sockets[0].tell(Self.deletion(7, of: "user"))
      server.sockets[0].close()
      try await wait(for: "the second connection", ear) {
        ear.heard == ["open user", "user 7", "closed user", "open user"]
      }
      #expect(server.sockets.count == 2)
    }
  }

  @Test func `GoToSocial names wss over http, and is asked by its own scheme`() async throws {
    let server = try await ScriptedSockets.start()
    try await listening(to: server, named: "wss://\(server.host)") { _, ear in
      try await wait(for: "the open stream", ear) { ear.heard == ["open user"] }
      #expect(server.sockets.count == 1)
    }
  }

  @Test func `GoToSocial's tokens go as subprotocol where the header is refused`() async throws {
    let server = try await ScriptedSockets.start { socket in
      socket.field("Sec-WebSocket-Protocol") == "canary" ? .socket(subprotocol: "canary") : .refusal(status: 401)
    }
    try await listening(to: server) { _, ear in
      try await wait(for: "the open stream", ear) { ear.heard == ["open user"] }
      #expect(server.sockets.count == 2 && server.sockets[1].field("Authorization") == nil)
      server.sockets[1].ping("")
      server.sockets[1].tell(Self.deletion(8, of: "user"))
      try await wait(for: "the event and the pong", ear) {
        ear.heard.last == "user 8" && server.sockets[1].heard.last == "pong "
      }
      // It is remembered for the next connection.
      server.sockets[1].close()
      try await wait(for: "the second connection", ear) { ear.heard.count == 4 }
      #expect(server.sockets.count == 3)
    }
  }

  @Test func `a token that is refused in every way is sent nowhere else, and nothing is heard`() async throws {
    let server = try await ScriptedSockets.start { _ in .refusal(status: 401) }
    try await listening(to: server) { service, ear in
      // By header, as subprotocol, then as a request for server-sent events.
      try await wait(for: "the third refusal", ear) { server.sockets.count == 3 && service.way == .none }
      #expect(ear.heard == [])
      #expect(server.sockets[2].path == "/api/v1/streaming/user" && server.sockets[2].field("Upgrade") == nil)
    }
  }

  @Test func `GoToSocial's pings each 30 seconds keep a stream open, and silence ends it`() async throws {
    let server = try await ScriptedSockets.start(answersPings: false)
    let (clock, ledger) = (VirtualClock(), ActivityLedger())
    /// Waits until something is so and all that has come is delivered: what comes close together waits for the clock.
    func settle(for what: String, _ ear: Ear, until isSo: () -> Bool) async throws {
      try await wait(for: what, ear) {
        if let due = clock.nextDue, due - clock.uptime <= .milliseconds(50) { clock.advance(by: .milliseconds(50)) }
        return isSo() && ledger.isEmpty
      }
    }
    try await listening(to: server, clock: clock, ledger: ledger) { _, ear in
      try await settle(for: "both subscriptions", ear) { server.sockets.first?.heard.count == 2 }
      // Not all servers say that they have understood.
      clock.advance(by: .seconds(5))
      #expect(ear.heard == ["open user"])
      let socket = server.sockets[0]
      for number in 1...4 {
        clock.advance(by: .seconds(30))
        socket.ping("\(number)")
        try await settle(for: "pong \(number)", ear) { socket.heard.contains("pong \(number)") }
      }
      socket.tell(Self.deletion(9, of: "user"))
      try await settle(for: "the event", ear) { ear.heard == ["open user", "user 9"] }
      #expect(server.sockets.count == 1)
      let count = socket.heard.count
      clock.advance(by: .seconds(41))
      try await wait(for: "a ping by the client", ear) { socket.heard.count > count && socket.heard.last == "ping" }
      #expect(ear.heard == ["open user", "user 9"])
      clock.advance(by: .seconds(40))
      #expect(ear.heard == ["open user", "user 9", "closed user"])
      clock.advance(by: .seconds(1))
      try await wait(for: "the second connection", ear) { server.sockets.count == 2 }
    }
  }

  @Test func `Mastodon streams nothing public to one who is signed out, who goes on asking`() async throws {
    let server = try await ScriptedSockets.start { socket in
      socket.field("Authorization") == nil ? .refusal(status: 401) : .socket()
    }
    try await listening(to: server, token: nil, stream: .public) { service, ear in
      try await wait(for: "the last refusal", ear) { service.way == .none }
      #expect(ear.heard == [] && !service.isOpen(.public))
      #expect(server.sockets.map(\.path) == ["/api/v1/streaming", "/api/v1/streaming/public"])
    }
  }

  @Test func `Pleroma lets everybody in, and is told who asks once it has refused a stream`() async throws {
    let server = try await ScriptedSockets.start(
      answer: { .socket(subprotocol: $0.field("Sec-WebSocket-Protocol")) },
      react: { socket, _ in
        let isKnown = socket.field("Sec-WebSocket-Protocol") == "canary"
        let result = isKnown ? #"\"success\""# : #"\"error\",\"error\":\"unauthorized\""#
        socket.tell(#"{"event":"pleroma:respond","payload":"{\"type\":\"subscribe\",\"result\":\#(result)}"}"#)
      })
    try await listening(to: server) { service, ear in
      service.follow(.direct, for: ear)
      try await wait(for: "both open streams", ear) { Set(ear.heard) == ["open user", "open direct"] }
      #expect(ear.heard.count == 2 && server.sockets.count == 2 && service.way == .webSocketBySubprotocol)
      // It doesn't say of which stream a deletion is.
      server.sockets[1].tell(#"{"event":"delete","payload":"AiStatusFlakeIdAaa"}"#)
      server.sockets[1].tell(#"{"event":"pleroma:chat_update","payload":"{}","stream":["user:pleroma_chat"]}"#)
      try await wait(for: "the event", ear) { ear.heard.last == "user AiStatusFlakeIdAaa" }
    }
  }

  @Test func `Akkoma is asked for each stream by its name, with the token as subprotocol`() async throws {
    let server = try await ScriptedSockets.start { socket in
      guard ["user", "direct"].contains(where: { socket.path == "/api/v1/streaming?stream=\($0)" }) else {
        return .refusal(status: 404)
      }
      let token = socket.field("Sec-WebSocket-Protocol")
      return token == "canary" ? .socket(subprotocol: token) : .refusal(status: 401)
    }
    try await listening(to: server) { service, ear in
      service.follow(.direct, for: ear)
      try await wait(for: "both open streams", ear) { Set(ear.heard) == ["open user", "open direct"] }
      #expect(ear.heard.count == 2 && server.sockets.count == 3 && service.way == .webSocketForEach)
      let user = try #require(server.sockets.first { $0.path.hasSuffix("stream=user") })
      user.ping("tick")
      user.tell(#"{"event":"delete","payload":"AiStatusFlakeIdAaa"}"#)
      try await wait(for: "the event and the pong", ear) {
        ear.heard.last == "user AiStatusFlakeIdAaa" && user.heard == ["pong tick"]
      }
    }
  }
}

/// The machine's clock without deadlines: retries, which are short here, come; what ends a silent connection after a
/// while does not. A busy machine takes longer than any deadline.
private final class DeadlineFreeClock: ProgramClock {
  private let system = SystemClock()

  var now: Date { system.now }
  var uptime: Duration { .zero }
  var timeZone: ClockZone { system.timeZone }

  @MainActor func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> ProgramTimer {
    delay < .seconds(1) ? system.schedule(after: delay, action) : ProgramTimer(action)
  }
}
