import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Delivery of events to streams.
@Suite(.bounded) struct StreamTests {
  typealias Kind = StreamClient.Kind

  @Test(arguments: Kind.allCases)
  func `the user stream reports new, edited and deleted posts and notifications`(kind: Kind) async throws {
    try await withServedFront { harness, _ in
      let tokens = try harness.people("anna", "ben")
      try harness.follow("ben", by: "anna")
      let stream = try await StreamClient.open(kind, "user", port: harness.port, token: tokens[0])
      #expect(stream.isOpen, "\(stream.head)")
      let post = try await harness.post("one", token: tokens[1])
      _ = try await harness.edit(post.id, "two", token: tokens[1])
      let mine = try await harness.post("mine", token: tokens[0])
      try await harness.react("favourite", mine.id, token: tokens[1])
      let boost = try await harness.react("reblog", mine.id, token: tokens[1])
      _ = try await harness.send(.delete, "/api/v1/statuses/\(post.id)", token: tokens[1])
      _ = try await harness.react("unreblog", mine.id, token: tokens[1])
      let events = await stream.next(8)
      #expect(
        events.map(\.name) == [
          "update", "status.update", "update", "notification", "notification", "update", "delete", "delete",
        ])
      try #require(events.count == 8)
      #expect(events[0].member("id") == post.id.rawValue && events[0].payload.contains("one"))
      #expect(events[1].member("id") == post.id.rawValue && events[1].payload.contains("two"))
      #expect(events[2].member("id") == mine.id.rawValue)
      #expect(events[3].member("type") == "favourite" && events[4].member("type") == "reblog")
      #expect(events[5].member("id") == boost.id.rawValue)
      #expect(events[6].payload == post.id.rawValue && events[7].payload == boost.id.rawValue)
    }
  }

  @Test(arguments: Kind.allCases)
  func `each stream delivers only its own events`(kind: Kind) async throws {
    try await withServedFront { harness, _ in
      let tokens = try harness.people("anna", "ben")
      func open(_ name: String, _ token: String? = nil) async throws -> StreamClient {
        let stream = try await StreamClient.open(kind, name, port: harness.port, token: token)
        #expect(stream.isOpen, "\(name): \(stream.head)")
        return stream
      }
      let streams = [
        try await open("public"), try await open("public:local"), try await open("hashtag?tag=Tea"),
        try await open("hashtag:local?tag=tea"),
        try await open("direct", tokens[0]), try await open("user:notification", tokens[0]),
      ]
      try await harness.post("no #tea for me", token: tokens[1], visibility: .unlisted)
      try await harness.post("@anna come, @anna", token: tokens[1], visibility: .direct)
      try await harness.post("plain", token: tokens[1])
      try await harness.post("some #tea", token: tokens[1])
      for stream in streams[0...1] {
        #expect(await stream.next(2).map { $0.payload.contains("plain") } == [true, false])
      }
      for stream in streams[2...3] { #expect(await stream.next()?.payload.contains("some") == true) }
      let conversation = await streams[4].next()
      #expect(conversation?.name == "conversation", "\(conversation as Any)")
      #expect(conversation?.payload.contains("\"unread\":true") == true)
      let notification = await streams[5].next()
      #expect(notification?.name == "notification" && notification?.member("type") == "mention")
    }
  }

  @Test func `a stream accepts a valid token by header, query or subprotocol`() async throws {
    try await withServedFront { harness, _ in
      let token = try harness.people("anna")[0]
      @discardableResult
      func expect(
        _ status: String, _ kind: Kind, _ name: String, token: String? = nil, fields: [String] = []
      ) async throws -> String {
        let client = try await StreamClient.open(kind, name, port: harness.port, token: token, fields: fields)
        #expect(client.head.hasPrefix("HTTP/1.1 \(status) "), "\(kind) \(name): \(client.head)")
        return client.head
      }
      for (kind, good) in [(Kind.events, "200"), (.webSocket, "101")] {
        try await expect(good, kind, "user", token: token)
        try await expect(good, kind, "user?access_token=\(token)")
        try await expect("401", kind, "user")
        try await expect("401", kind, "public", token: "wrong")
        try await expect("400", kind, "hashtag")
      }
      let socket = try await expect("101", .webSocket, "user", fields: ["Sec-WebSocket-Protocol: \(token)"])
      #expect(socket.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r"))
      #expect(socket.contains("Sec-WebSocket-Protocol: \(token)\r"))
      try await expect("400", .webSocket, "nonsense")
      // Other endpoints accept no token in the query.
      #expect(try await harness.get("/api/v1/timelines/home?access_token=\(token)").head.status == .unauthorized)
      #expect(try await harness.get("/api/v1/streaming/health").text == "OK")
      let instance = try await harness.get("/api/v2/instance")
      let urls = (instance.object["configuration"] as? [String: Any])?["urls"] as? [String: Any]
      #expect(urls?["streaming"] as? String == "ws://\(harness.authority)")
    }
  }

  @Test func `a stream requires its scope and omits events outside the token's scopes`() async throws {
    try await withServedFront { harness, _ in
      _ = try harness.service.addQwinker(named: "anna", password: "correct horse")
      let program = try await RegisteredProgram.register(at: harness)
      let token = try await program.token(name: "anna", password: "correct horse", scope: "read:statuses")
      let refused = try await StreamClient.open(.events, "user:notification", port: harness.port, token: token)
      #expect(refused.head.hasPrefix("HTTP/1.1 403 "))
      let ben = try harness.people("ben")[0]
      let stream = try await StreamClient.open(.events, "user", port: harness.port, token: token)
      #expect(stream.isOpen)
      let mine = try harness.add("mine", by: "anna")
      try await harness.react("favourite", Qwink.ID(mine), token: ben)
      _ = try harness.add("after", by: "anna")
      #expect(await stream.next(2).map(\.name) == ["update", "update"])
    }
  }

  @Test func `a WebSocket subscribes, unsubscribes and answers pings`() async throws {
    var limits = FrontLimits()
    // Prevents a server ping in between, however busy the machine is.
    limits.beat = .seconds(3600)
    try await withServedFront(limits: limits) { harness, _ in
      let tokens = try harness.people("anna")
      let socket = try await StreamClient.open(.webSocket, "hashtag?tag=tea", port: harness.port)
      try socket.say(#"{"type": "subscribe", "stream": "public"}"#)
      try socket.say(#"{"type": "unsubscribe", "stream": "hashtag", "tag": "tea"}"#)
      try socket.say(#"{"type": "subscribe", "stream": "user"}"#)
      try socket.say("nonsense")
      try socket.say("hello", opcode: 9)
      let refused = await RawClient.onThread { [socket.frame(), socket.frame(), socket.frame()].compactMap(\.?.text) }
      try #require(refused.count == 3)
      #expect(refused[0].contains("\"status\":401") && refused[1].contains("Unknown stream") && refused[2] == "hello")
      try await harness.post("some #tea", token: tokens[0])
      let heard = await RawClient.onThread { socket.frame()?.text }
      #expect(heard?.contains(#""stream":["public"]"#) == true, "\(heard ?? "")")
      try socket.say("\u{3}\u{8}", opcode: 8)
      let closed = await RawClient.onThread { [socket.frame()?.opcode, socket.frame()?.opcode] }
      #expect(closed == [8, nil])
    }
  }

  @Test func `streams deliver no private or direct post to strangers`() async throws {
    try await withServedFront { harness, _ in
      let tokens = try harness.people("anna", "ben", "carol")
      try harness.follow("anna", by: "ben")
      let names = ["user", "user:notification", "public", "hashtag?tag=secret", "direct"]
      var strangers: [StreamClient] = []
      for kind in Kind.allCases {
        for name in names {
          strangers.append(try await StreamClient.open(kind, name, port: harness.port, token: tokens[2]))
        }
        strangers.append(try await StreamClient.open(kind, "public", port: harness.port))
      }
      var secrets: [Qwink.ID] = []
      for visibility in [Visibility.private, .direct] {
        let post = try await harness.post("@ben canary #secret", token: tokens[0], visibility: visibility)
        _ = try await harness.edit(post.id, "@ben canary again #secret", token: tokens[0])
        try await harness.react("favourite", post.id, token: tokens[1])
        secrets.append(post.id)
      }
      try await harness.react("reblog", secrets[0], token: tokens[0])
      for id in secrets { _ = try await harness.send(.delete, "/api/v1/statuses/\(id)", token: tokens[0]) }
      // The only events that strangers may receive.
      let last = try await harness.post("@carol end #secret", token: tokens[1])
      try await harness.post("@carol end", token: tokens[1], visibility: .direct)
      for stream in strangers {
        let first = await stream.next()
        #expect(first?.payload.contains("end") == true, "\(first as Any)")
        #expect(first.map { !$0.payload.contains("canary") } == true)
      }
      #expect(last.visibility == .public)
    }
  }

  @Test(arguments: [true, false])
  func `revoking a token ends its streams even if another process revoked it`(
    isOurs: Bool
  ) async throws {
    var limits = FrontLimits()
    if !isOurs { limits.beat = .milliseconds(20) }
    try await withServedFront(limits: limits) { harness, front in
      let token = try harness.people("anna")[0]
      let streams = try await Self.open(port: harness.port, token)
      try harness.service.write { session in
        if isOurs { try session.deleteToken(token) } else { try session.run("DELETE FROM tokens") }
      }
      for stream in streams { #expect(await stream.next() == nil) }
      try await wait(for: "the end of all listeners") { harness.service.events.listenerCount == 0 }
    }
  }

  @Test func `a stream that opens while a status is added or deleted reports it`() async throws {
    try await withDirectory { directory in
      let service = try Service(
        directory: directory, welcome: "", owner: "", clock: VirtualClock(), passwordCost: .quick)
      _ = try service.addQwinker(named: "anna")
      let lines = Lines()
      @Sendable func listen() -> EventHub.ID {
        let everyone = QwinkleServer.StreamChannel.everyone(isLocal: false)
        let listening = Listening(
          client: .process, scopes: .whole, origin: BaseURL(scheme: "http", authority: "localhost"), stream: everyone)
        return service.events.add(
          EventHub.Listener(
            listening: listening, streams: [everyone],
            deliver: { message in
              let bytes = message.bytes(.lines, for: listening.origin)
              lines.add(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
            },
            end: { lines.add("ended") }))
      }
      let (id, listener) = try service.write { session -> (Int64, EventHub.ID) in
        let account = try #require(try session.accountID(named: "anna"))
        // No listener exists when the transaction begins.
        return (try session.addStatus(NewStatus(account: account, source: "one")), listen())
      }
      try await wait(for: "the event") { !lines.all.isEmpty }
      #expect(lines.all == ["event: update"])
      service.events.remove(listener)
      try service.write { session in
        try session.willDelete(id)
        try session.run("DELETE FROM statuses WHERE id = \(id)")
        _ = listen()
      }
      try await wait(for: "the second event") { lines.all.count == 2 }
      #expect(lines.all == ["event: update", "event: delete"])
      service.close()
    }
  }

  @Test func `a stream ends when it can't deliver an event so that its client refetches`() async throws {
    try await withServedFront { harness, _ in
      let token = try harness.people("anna")[0]
      let streams = try await Self.open(port: harness.port, token)
      try harness.service.write { try $0.run("ALTER TABLE statuses RENAME TO gone") }
      harness.service.events.publish(.posted(1), harness.service)
      for stream in streams { #expect(await stream.next() == nil) }
    }
  }

  @Test func `an ended stream is removed and does not delay shutdown`() async throws {
    try await withServedFront { harness, front in
      let token = try harness.people("anna")[0]
      let streams = try await Self.open(port: harness.port, token)
      try await wait(for: "two listeners") { harness.service.events.listenerCount == 2 }
      #expect(front.inProgress == 0)
      for stream in streams { stream.end() }
      try await wait(for: "the end of all listeners") { harness.service.events.listenerCount == 0 }
      _ = try await StreamClient.open(.events, "user", port: harness.port, token: token)
    }
  }

  @Test(.bounded)
  func `many readers receive all events in order while two stall`() async throws {
    DescriptorLimit.raise()
    let log = RecordedLog()
    var limits = FrontLimits()
    (limits.mostWaiting, limits.sendBuffer) = (32 << 10, 16 << 10)
    let (count, least) = Soak.isOn ? (500, 200) : (20, 0)
    let budget = [Resource.connections, .streams].map { ($0, Resource.Limit.held(ofOne: 4096, ofAll: 4096)) }
    try await withServedFront(limits: limits, budget: Dictionary(uniqueKeysWithValues: budget), log: log) {
      harness, _ in
      let token = try harness.people("anna")[0]
      let before = Self.residentKilobytes
      var readers: [StreamClient] = []
      for _ in 0..<count { readers += try await Self.open(port: harness.port, token) }
      let stalled = try await Self.open(port: harness.port, token, receiveBuffer: 4096)
      try await wait(for: "\(2 * count + 2) listeners", showing: { "\(harness.service.events.listenerCount)" }) {
        harness.service.events.listenerCount == 2 * count + 2
      }
      var posted: [String] = []
      let words = String(repeating: "word ", count: 90)
      while posted.count < least || log.lines.count(where: { $0.contains("too slow") }) < 2, posted.count < 2000 {
        for _ in 0..<20 { posted.append(try harness.add("\(posted.count) \(words)", by: "anna")) }
        // All readers have read these posts before the next ones are added.
        for reader in readers {
          let ids = await reader.next(20).map { $0.member("id") ?? "" }
          try #require(ids == posted.suffix(20), "reader")
        }
      }
      let memory = Self.residentKilobytes - before
      print("streams: \(readers.count) readers got \(posted.count) events in order, \(memory) KB more resident")
      #expect(log.lines.count { $0.hasPrefix("warning A stream of account ") && $0.contains("too slow") } == 2)
      #expect(harness.service.events.listenerCount == 2 * count)
      #expect(stalled.map(\.isOpen) == [true, true])
    }
  }

  @Test(arguments: Kind.allCases)
  func `a reader that reads nothing between two beats is disconnected`(kind: Kind) async throws {
    let log = RecordedLog()
    var limits = FrontLimits()
    // Only the beats can end the stream, because no other limit is reached.
    (limits.beat, limits.mostWaiting, limits.sendBuffer) = (.milliseconds(200), 1 << 30, 4096)
    let budget = [Resource.responseBytes: Resource.Limit.held(ofOne: 1 << 30, ofAll: 1 << 30)]
    try await withServedFront(limits: limits, budget: budget, log: log) { harness, _ in
      let token = try harness.people("anna")[0]
      let stalled = try await StreamClient.open(kind, "user", port: harness.port, token: token, receiveBuffer: 4096)
      let words = String(repeating: "word ", count: 90)
      // More than fits in the system's buffers.
      for number in 0..<100 { _ = try harness.add("\(number) \(words)", by: "anna") }
      try await wait(for: "the end of the stream", showing: { "\(log.lines)" }) {
        harness.service.events.listenerCount == 0
      }
      #expect(log.lines.contains { $0.contains("too slow: it read nothing for") }, "\(log.lines)")
      #expect(stalled.isOpen)
    }
  }

  /// Opens a user stream of each kind.
  private static func open(port: Int, _ token: String, receiveBuffer: Int32? = nil) async throws -> [StreamClient] {
    var streams: [StreamClient] = []
    for kind in Kind.allCases {
      streams.append(
        try await StreamClient.open(kind, "user", port: port, token: token, receiveBuffer: receiveBuffer))
    }
    return streams
  }

  /// Resident memory of this process, in kilobytes.
  private static var residentKilobytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return status.firstMatch(of: #/VmRSS:\s+([0-9]+) kB/#).flatMap { Int($0.output.1) } ?? 0
  }
}

extension Harness {
  /// Adds users and returns their tokens.
  func people(_ names: String...) throws -> [String] {
    try names.map { try service.addQwinker(named: $0) }
  }

  /// Adds a post without applying limits, and returns its id.
  fileprivate func add(_ text: String, by name: String) throws -> String {
    try service.write { session in
      let account = try #require(try session.accountID(named: name))
      return String(try session.addStatus(NewStatus(account: account, source: text)))
    }
  }
}
