import Foundation
import GRDB
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Streams of lists, filter changes and edited boosts, and the end of streams when a user is suspended.
@Suite(.bounded) struct ListStreamTests {
  typealias Kind = StreamClient.Kind

  @Test(arguments: Kind.allCases)
  func `a list's stream matches its timeline and is limited to its owner`(kind: Kind) async throws {
    try await withServedFront { harness, _ in
      let tokens = try harness.people("anna", "ben", "cora")
      for name in ["ben", "cora"] { try harness.follow(name, by: "anna") }
      let made = try await harness.submit("/api/v1/lists", [("title", "Garden")], token: tokens[0])
      let list = try #require(made.object["id"] as? String)
      _ = try await harness.submit(
        "/api/v1/lists/\(list)/accounts", [("account_ids[]", "\(try harness.id(of: "ben"))")], token: tokens[0])
      let stream = try await StreamClient.open(kind, "list?list=\(list)", port: harness.port, token: tokens[0])
      #expect(stream.isOpen, "\(stream.head)")
      for (name, token, status) in [
        ("list?list=\(list)", tokens[1], "404"), ("list?list=x", tokens[0], "400"), ("list", tokens[0], "400"),
      ] {
        let refused = try await StreamClient.open(kind, name, port: harness.port, token: token)
        #expect(refused.head.hasPrefix("HTTP/1.1 \(status) "), "\(name): \(refused.head)")
      }
      try await harness.post("not for it", token: tokens[2])
      let post = try await harness.post("for it", token: tokens[1])
      _ = try await harness.edit(post.id, "for it again", token: tokens[1])
      _ = try await harness.send(.delete, "/api/v1/statuses/\(post.id)", token: tokens[1])
      let events = await stream.next(3)
      #expect(events.map(\.name) == ["update", "status.update", "delete"])
      #expect(events.first?.member("id") == post.id.rawValue)
    }
  }

  @Test func `a WebSocket can subscribe only to its user's lists`() async throws {
    try await withServedFront { harness, _ in
      let tokens = try harness.people("anna", "ben")
      try harness.follow("ben", by: "anna")
      let made = try await harness.submit("/api/v1/lists", [("title", "Garden")], token: tokens[0])
      let list = try #require(made.object["id"] as? String)
      _ = try await harness.submit(
        "/api/v1/lists/\(list)/accounts", [("account_ids[]", "\(try harness.id(of: "ben"))")], token: tokens[0])
      let stranger = try await StreamClient.open(.webSocket, "user", port: harness.port, token: tokens[1])
      try stranger.say(#"{"type":"subscribe","stream":"list","list":"\#(list)"}"#)
      #expect(await RawClient.onThread { stranger.frame()?.text }?.contains("\"status\":404") == true)
      let socket = try await StreamClient.open(.webSocket, "direct", port: harness.port, token: tokens[0])
      try socket.say(#"{"type":"subscribe","stream":"list","list":"\#(list)"}"#)
      let anna = try harness.id(of: "anna")
      try await wait(for: "the subscription to the list") {
        harness.service.events.listeners(of: anna, at: .list(Int64(list) ?? 0)).count == 1
      }
      try await harness.post("for it", token: tokens[1])
      let heard = await RawClient.onThread { socket.frame()?.text }
      #expect(heard?.contains(#""stream":["list","\#(list)"]"#) == true, "\(heard ?? "")")
    }
  }

  @Test(arguments: Kind.allCases)
  func `the user stream reports filter changes`(kind: Kind) async throws {
    try await withServedFront { harness, _ in
      let tokens = try harness.people("anna", "ben")
      let streams = [
        try await StreamClient.open(kind, "user", port: harness.port, token: tokens[0]),
        try await StreamClient.open(kind, "user", port: harness.port, token: tokens[1]),
      ]
      let made = try await harness.submit(
        "/api/v2/filters", [("title", "Sport"), ("context[]", "home"), ("keywords_attributes[][keyword]", "goal")],
        token: tokens[0])
      let path = "/api/v2/filters/\(try #require(made.object["id"] as? String))"
      let post = try await harness.post("end", token: tokens[1])
      let listed = try await harness.submit("\(path)/statuses", [("status_id", post.id.rawValue)], token: tokens[0])
      let entry = try #require(listed.object["id"] as? String)
      _ = try await harness.send(.delete, "/api/v2/filters/statuses/\(entry)", token: tokens[0])
      _ = try await harness.send(.delete, path, token: tokens[0])
      #expect(await streams[0].next(4).map(\.name) == Array(repeating: "filters_changed", count: 4))
      #expect(await streams[1].next()?.name == "update")
    }
  }

  @Test func `an edit reaches followers who received only a boost`() async throws {
    try await withServedFront { harness, _ in
      let tokens = try harness.people("anna", "ben", "cora", "dora")
      for name in ["anna", "dora"] { try harness.follow("ben", by: name) }
      try await harness.relate("follow", "ben", [("reblogs", "false")], token: tokens[3])
      let streams = [
        try await StreamClient.open(.events, "user", port: harness.port, token: tokens[0]),
        try await StreamClient.open(.events, "user", port: harness.port, token: tokens[3]),
      ]
      let post = try await harness.post("one", token: tokens[2])
      let boost = try await harness.react("reblog", post.id, token: tokens[1])
      _ = try await harness.edit(post.id, "two", token: tokens[2])
      try await harness.post("end", token: tokens[1])
      let events = await streams[0].next(2)
      #expect(events.map(\.name) == ["update", "status.update"])
      #expect(events.first?.member("id") == boost.id.rawValue)
      #expect(events.last?.member("id") == post.id.rawValue && events.last?.payload.contains("two") == true)
      // A follower who hides boosts gets neither the boost nor the edit.
      #expect(await streams[1].next()?.payload.contains("end") == true)
    }
  }

  @Test(arguments: [true, false])
  func `suspending a user ends their streams even from another process`(
    isOurs: Bool
  ) async throws {
    var limits = FrontLimits()
    if !isOurs { limits.beat = .milliseconds(20) }
    try await withServedFront(limits: limits) { harness, _ in
      let tokens = try harness.people("anna", "ben")
      let streams = [
        try await StreamClient.open(.events, "user", port: harness.port, token: tokens[0]),
        try await StreamClient.open(.webSocket, "public", port: harness.port, token: tokens[0]),
      ]
      let other = try await StreamClient.open(.events, "user", port: harness.port, token: tokens[1])
      let id = try harness.id(of: "anna")
      try harness.service.write { session in
        if isOurs {
          try session.setSuspension(of: id, to: true)
        } else {
          try session.run("INSERT INTO suspensions (account_id, created_at) VALUES (?, 0)", [id])
        }
      }
      for stream in streams { #expect(await stream.next() == nil) }
      try await harness.post("still here", token: tokens[1])
      #expect(await other.next()?.payload.contains("still here") == true)
    }
  }

  @Test func `revoking a token ends only that token's streams`() async throws {
    try await withServedFront { harness, _ in
      let token = try harness.people("anna")[0]
      let second = try harness.service.write { session in
        try session.addToken(account: try session.accountID(named: "anna"), app: nil, scopes: .whole)
      }
      let first = try await StreamClient.open(.events, "user", port: harness.port, token: token)
      let other = try await StreamClient.open(.events, "user", port: harness.port, token: second)
      try harness.service.revokeTokens(of: "anna", id: Secrets.hash(token))
      #expect(await first.next() == nil)
      try await harness.post("still here", token: second)
      #expect(await other.next()?.name == "update")
    }
  }

  @Test func `a second use of a code ends the streams of its token`() async throws {
    try await withServedFront { harness, _ in
      _ = try harness.service.addQwinker(named: "alice", password: "a long password")
      let program = try await RegisteredProgram.register(at: harness)
      let code = try await program.code(name: "alice", password: "a long password")
      let token = try #require(try await program.exchange(code).object["access_token"] as? String)
      let stream = try await StreamClient.open(.events, "user", port: harness.port, token: token)
      _ = try await program.exchange(code)
      #expect(await stream.next() == nil)
    }
  }
}
