import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleService

/// WebSockets of Mastodon, GoToSocial, Pleroma and Akkoma, on a real connection.
@MainActor
@Suite(.bounded) struct WebSocketWaysTests {
  private static let token = "canary"

  /// Runs `body` with a client that streams from `server`.
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

  @Test func `Mastodon gets the token by header and never in the address`() async throws {
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

  @Test func `Mastodon's pings are answered with their payload and its events arrive`() async throws {
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

  @Test func `a stream that Mastodon refuses by message leaves the others open`() async throws {
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

  @Test func `a WebSocket closed by the server is reconnected`() async throws {
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

  @Test func `a wss address that GoToSocial names over http is used with http`() async throws {
    let server = try await ScriptedSockets.start()
    try await listening(to: server, named: "wss://\(server.host)") { _, ear in
      try await wait(for: "the open stream", ear) { ear.heard == ["open user"] }
      #expect(server.sockets.count == 1)
    }
  }

  @Test func `GoToSocial gets the token by subprotocol when it refuses the header`() async throws {
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
      // The client remembers this for the next connection.
      server.sockets[1].close()
      try await wait(for: "the second connection", ear) { ear.heard.count == 4 }
      #expect(server.sockets.count == 3)
    }
  }

  @Test func `a token that is refused in every way opens no stream`() async throws {
    let server = try await ScriptedSockets.start { _ in .refusal(status: 401) }
    try await listening(to: server) { service, ear in
      // By header, by subprotocol, then in a request for server-sent events.
      try await wait(for: "the third refusal", ear) { server.sockets.count == 3 && service.method == .none }
      #expect(ear.heard == [])
      #expect(server.sockets[2].path == "/api/v1/streaming/user" && server.sockets[2].field("Upgrade") == nil)
    }
  }

  @Test func `GoToSocial's pings every 30 seconds prolong a stream and silence ends it`() async throws {
    let server = try await ScriptedSockets.start(answersPings: false)
    let (clock, ledger) = (VirtualClock(), ActivityLedger())
    /// Waits until `isSo` returns true and all events are delivered. A timer delivers events that arrive close
    /// together, so this advances the clock.
    func settle(for what: String, _ ear: Ear, until isSo: () -> Bool) async throws {
      try await wait(for: what, ear) {
        if let due = clock.nextDue, due - clock.uptime <= .milliseconds(50) { clock.advance(by: .milliseconds(50)) }
        return isSo() && ledger.isEmpty
      }
    }
    try await listening(to: server, clock: clock, ledger: ledger) { _, ear in
      try await settle(for: "both subscriptions", ear) { server.sockets.first?.heard.count == 2 }
      // Not all servers confirm a subscription.
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

  @Test func `a signed-out user gets no public stream from Mastodon`() async throws {
    let server = try await ScriptedSockets.start { socket in
      socket.field("Authorization") == nil ? .refusal(status: 401) : .socket()
    }
    try await listening(to: server, token: nil, stream: .public) { service, ear in
      try await wait(for: "the last refusal", ear) { service.method == .none }
      #expect(ear.heard == [] && !service.isOpen(.public))
      #expect(server.sockets.map(\.path) == ["/api/v1/streaming", "/api/v1/streaming/public"])
    }
  }

  @Test func `Pleroma gets the token by subprotocol after it refuses a stream`() async throws {
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
      #expect(ear.heard.count == 2 && server.sockets.count == 2 && service.method == .webSocketBySubprotocol)
      // Pleroma doesn't name the stream of a deletion.
      server.sockets[1].tell(#"{"event":"delete","payload":"AiStatusFlakeIdAaa"}"#)
      server.sockets[1].tell(#"{"event":"pleroma:chat_update","payload":"{}","stream":["user:pleroma_chat"]}"#)
      try await wait(for: "the event", ear) { ear.heard.last == "user AiStatusFlakeIdAaa" }
    }
  }

  @Test func `Akkoma gets one socket per named stream with the token as subprotocol`() async throws {
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
      #expect(ear.heard.count == 2 && server.sockets.count == 3 && service.method == .webSocketForEach)
      let user = try #require(server.sockets.first { $0.path.hasSuffix("stream=user") })
      user.ping("tick")
      user.tell(#"{"event":"delete","payload":"AiStatusFlakeIdAaa"}"#)
      try await wait(for: "the event and the pong", ear) {
        ear.heard.last == "user AiStatusFlakeIdAaa" && user.heard == ["pong tick"]
      }
    }
  }
}

/// The system clock without deadlines. Retries run, because their delays are short here. Deadlines of silent
/// connections never fire, because a busy machine can exceed any deadline.
final class DeadlineFreeClock: ProgramClock {
  private let system = SystemClock()

  var now: Date { system.now }
  var uptime: Duration { .zero }
  var timeZone: ClockZone { system.timeZone }

  @MainActor func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> ProgramTimer {
    delay < .seconds(1) ? system.schedule(after: delay, action) : ProgramTimer(action)
  }
}
