import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Tokens that a user of the host gets through the Unix socket.
@Suite(.bounded) struct SocketTokenTests {
  private static let path = "/api/qwinkle/v1/tokens"
  private static let credentials = "/api/v1/accounts/verify_credentials"

  private func list(_ harness: Harness) async throws -> [[String: Any]] {
    let answer = try await harness.get(Self.path)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
  }

  @Test func `a token made through the socket works over HTTP until it is revoked`() async throws {
    try await withSocketServer(HostUsers([1001: "anna", 1002: "ben"]), hasHTTP: true) { server in
      let anna = server.user(1001)
      let made = try await anna.submit(Self.path, [("name", "toot")])
      try #require(made.head.status == .ok, "\(made.text)")
      #expect(made.head.headerFields[.cacheControl] == "no-store")
      #expect(made.object["token_type"] as? String == "Bearer")
      #expect(made.object["scope"] as? String == "read write follow push")
      #expect(made.object["created_at"] as? Int == Int(server.clock.now.timeIntervalSince1970))
      let token = try #require(made.object["access_token"] as? String)
      let me = try await server.overHTTP.get(Self.credentials, token: token)
      #expect(me.object["username"] as? String == "anna")
      try await server.overHTTP.post("from toot", token: token)

      let listed = try await list(anna)
      #expect(listed.map { $0["app"] as? String } == ["toot"])
      #expect(listed.first.map { Set($0.keys) } == ["id", "app", "scopes", "created_at"])
      let id = try #require(listed.first?["id"] as? String)
      #expect(!token.contains(id))
      // Only its owner sees and revokes it.
      #expect(try await list(server.user(1002)).isEmpty)
      #expect(try await server.user(1002).send(.delete, "\(Self.path)/\(id)").head.status == .notFound)
      #expect(try await anna.send(.delete, "\(Self.path)/\(id)").head.status == .ok)
      #expect(try await anna.send(.delete, "\(Self.path)/\(id)").head.status == .notFound)
      #expect(try await server.overHTTP.get(Self.credentials, token: token).head.status == .unauthorized)
      #expect(try await list(anna).isEmpty)
    }
  }

  @Test func `a token has the requested scopes and an optional name`() async throws {
    try await withSocketServer(HostUsers([1001: "anna"]), hasHTTP: true) { server in
      let anna = server.user(1001)
      let made = try await anna.submit(Self.path, [("scopes", "read:accounts")])
      let token = try #require(made.object["access_token"] as? String, "\(made.text)")
      #expect(try await server.overHTTP.get(Self.credentials, token: token).head.status == .ok)
      let refused = try await server.overHTTP.send(Entry(text: "x", idempotencyKey: "x"), token: token)
      #expect(refused.head.status == .forbidden)
      #expect(try await list(anna).map { $0["app"] is NSNull } == [true])
      for fields in [[("scopes", "everything")], [("scopes", "")], [("scope", "read")], [("name", longName)]] {
        #expect(try await anna.submit(Self.path, fields).head.status == .unprocessableContent, "\(fields)")
      }
      #expect(try await list(anna).count == 1)
    }
  }

  private var longName: String { String(repeating: "x", count: 300) }

  @Test func `tokens aren't made over HTTP or for the owner of a token`() async throws {
    try await withSocketServer(HostUsers([1001: "anna"]), hasHTTP: true) { server in
      let made = try await server.user(1001).submit(Self.path, [])
      let token = try #require(made.object["access_token"] as? String, "\(made.text)")
      let id = try #require(try await list(server.user(1001)).first?["id"] as? String)
      for (method, path) in [(HTTPRequest.Method.post, Self.path), (.get, Self.path), (.delete, "\(Self.path)/\(id)")] {
        #expect(try await server.overHTTP.send(method, path).head.status == .notFound)
        #expect(try await server.overHTTP.send(method, path, token: token).head.status == .notFound)
        #expect(try await server.user(1001).send(method, path, token: token).head.status == .forbidden)
      }
      #expect(try await list(server.user(1001)).count == 1)
    }
  }

  @Test func `an account's tokens are limited`() async throws {
    try await withSocketServer(HostUsers([1001: "anna", 1002: "ben"])) { server in
      for _ in 0..<30 { #expect(try await server.user(1001).submit(Self.path, []).head.status == .ok) }
      #expect(try await server.user(1001).submit(Self.path, []).head.status == .tooManyRequests)
      #expect(try await server.user(1002).submit(Self.path, []).head.status == .ok)
      try server.service.write { transaction in
        let anna = try #require(try transaction.accountID(named: "anna"))
        for _ in 0..<70 { _ = try transaction.addToken(account: anna, app: nil, scopes: .whole) }
      }
      await server.clock.advance(by: .seconds(3600))
      let refused = try await server.user(1001).submit(Self.path, [])
      #expect(refused.head.status == .unprocessableContent && refused.errorMessage?.contains("100 tokens") == true)
    }
  }
}
