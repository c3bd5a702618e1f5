import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// The scopes of tokens.
@Suite(.bounded) struct ScopeTests {
  @Test(arguments: [
    ("read", "read:statuses", true), ("read", "write:statuses", false), ("read:statuses", "read:statuses", true),
    ("read:statuses", "read", false), ("read:statuses", "read:accounts", false), ("follow", "write:follows", true),
    ("follow", "read:blocks", true), ("follow", "write:statuses", false), ("write", "read", false),
    ("profile", "profile", true), ("read", "profile", true), ("read:accounts", "profile", true),
    ("read:statuses", "profile", false), ("", "read", false), ("admin:read", "read", false),
    ("admin:read", "admin:read:reports", true), ("admin", "admin:write:accounts", true),
    ("admin:read", "admin:write:reports", false), ("read write follow", "admin:read:reports", false),
  ])
  func `a scope includes itself and its parts`(_ held: String, _ needed: String, _ isAllowed: Bool) {
    #expect(Scopes(held).allow(needed) == isAllowed)
  }

  @Test func `scopes are parsed with any spacing and without duplicates`() {
    #expect(Scopes(" read\n write  read ").names == ["read", "write"])
    #expect(Scopes("read write:media push admin:read follow profile").areKnown)
    #expect(!Scopes("read reed").areKnown)
    #expect(Scopes("read follow").allow(Scopes("read:statuses write:mutes")))
    #expect(!Scopes("read follow").allow(Scopes("read write")))
  }

  @Test(arguments: [
    (HTTPRequest.Method.get, "/api/v1/statuses/:id", "read:statuses"), (.post, "/api/v1/statuses", "write:statuses"),
    (.delete, "/api/v1/statuses/:id", "write:statuses"), (.post, "/api/v1/statuses/:id/bookmark", "write:bookmarks"),
    (.post, "/api/v1/statuses/:id/unfavourite", "write:favourites"), (.get, "/api/v1/timelines/home", "read:statuses"),
    (.get, "/api/v1/accounts/:id", "read:accounts"), (.get, "/api/v1/accounts/relationships", "read:follows"),
    (.get, "/api/v1/accounts/verify_credentials", "profile"), (.post, "/api/v1/accounts/:id/follow", "write:follows"),
    (.patch, "/api/v1/accounts/update_credentials", "write:accounts"), (.get, "/api/v2/search", "read:search"),
    (.post, "/api/v1/conversations/:id/read", "write:conversations"), (.get, "/api/v1/tags/:name", "read"),
    (.get, "/api/v1/admin/reports", "admin:read:reports"),
    (.post, "/api/v1/admin/accounts/:id/action", "admin:write:accounts"),
    (.get, "/api/v1/notifications", "read:notifications"), (.post, "/api/v9/something/new", "write"),
  ])
  func `a path needs the narrowest scope that covers it`(
    _ method: HTTPRequest.Method, _ path: String, _ scope: String
  ) {
    #expect(RouteScope.needed(for: method, at: path.split(separator: "/").map(String.init)) == scope)
  }

  @Test(arguments: Front.allCases)
  func `a read-only token can't write`(_ front: Front) async throws {
    try await withService(front) { harness in
      let own = try harness.service.addQwinker(named: "alice", password: "correct horse")
      let qwink = try await harness.post("mine", token: own)
      let program = try await RegisteredProgram.register(at: harness)
      let token = try await program.token(name: "alice", password: "correct horse", scope: "read")
      for path in [
        "/api/v1/timelines/home", "/api/v1/timelines/public", "/api/v1/accounts/verify_credentials",
        "/api/v1/statuses/\(qwink.id)", "/api/v1/preferences",
      ] {
        #expect(try await harness.get(path, token: token).head.status == .ok, "\(path)")
      }
      let post = try await harness.send(Entry(text: "no", idempotencyKey: ""), token: token)
      #expect(post.head.status == .forbidden)
      #expect(post.errorMessage?.contains("write:statuses") == true)
      #expect(post.head.headerFields[.wwwAuthenticate]?.contains("insufficient_scope") == true)
      #expect(try await harness.send(.delete, "/api/v1/statuses/\(qwink.id)", token: token).head.status == .forbidden)
      #expect(try await harness.page("/api/v1/timelines/public").items.map(\.id) == [qwink.id])
    }
  }

  @Test func `a token with a partial scope is limited to that part`() async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "alice", password: "correct horse")
      let program = try await RegisteredProgram.register(at: harness)
      let token = try await program.token(
        name: "alice", password: "correct horse", scope: "read:statuses write:statuses")
      #expect(try await harness.get("/api/v1/timelines/home", token: token).head.status == .ok)
      #expect(try await harness.send(Entry(text: "x", idempotencyKey: ""), token: token).head.status == .ok)
      #expect(try await harness.get("/api/v1/preferences", token: token).head.status == .forbidden)
      #expect(try await harness.get("/api/v1/accounts/verify_credentials", token: token).head.status == .forbidden)
      #expect(try await harness.get("/api/v1/apps/verify_credentials", token: token).head.status == .ok)
      let profile = try await program.token(name: "alice", password: "correct horse", scope: "read:accounts")
      #expect(try await harness.get("/api/v1/accounts/verify_credentials", token: profile).head.status == .ok)
    }
  }

  @Test func `an app can't request more scopes than it registered`() async throws {
    try await withService { harness in
      let program = try await RegisteredProgram.register(at: harness, scopes: "read write:media")
      for scope in ["write", "read write", "follow", "write:statuses"] {
        #expect(try await harness.get(program.address(scope: scope)).head.status == .badRequest, "\(scope)")
      }
      for scope in ["read", "read:statuses", "write:media"] {
        #expect(try await harness.get(program.address(scope: scope)).head.status == .ok, "\(scope)")
      }
    }
  }
}
