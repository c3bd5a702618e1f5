import Foundation
import HTTPTypes
import LibC
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// The operator's rules for groups, after a user's groups have changed.
@Suite(.bounded) struct UnixAccessTests {
  private static let credentials = "/api/v1/accounts/verify_credentials"
  private static let access = UnixAccess(allowed: [10], denied: [20])
  private static let allowed = UnixUser(name: "anna", groups: [10])

  /// A user who was allowed.
  enum Change: CaseIterable {
    case leftGroup, joinedDeniedGroup, leftHost

    fileprivate var user: UnixUser? {
      switch self {
      case .leftGroup: UnixUser(name: "anna", groups: [])
      case .joinedDeniedGroup: UnixUser(name: "anna", groups: [10, 20])
      case .leftHost: nil
      }
    }
  }

  private func users() -> HostUsers {
    let users = HostUsers()
    users[1001] = Self.allowed
    users[1002] = UnixUser(name: "ben", groups: [10])
    return users
  }

  private func token(_ harness: Harness) async throws -> String {
    let made = try await harness.submit("/api/qwinkle/v1/tokens", [])
    return try #require(made.object["access_token"] as? String, "\(made.text)")
  }

  @Test(arguments: Change.allCases)
  func `an open connection is refused within a minute, even public pages`(_ change: Change) async throws {
    let users = users()
    try await withSocketServer(users, access: Self.access) { server in
      let client = try server.connect(as: 1001)
      func status(_ path: String) async throws -> String {
        try client.send("GET \(path) HTTP/1.1\r\nHost: shared\r\n\r\n")
        return String(await client.readResponse().prefix(12))
      }
      for path in [Self.credentials, "/api/v1/instance"] { #expect(try await status(path) == "HTTP/1.1 200") }
      let lookups = users.lookupCount
      users[1001] = change.user
      #expect(try await status(Self.credentials) == "HTTP/1.1 200")
      #expect(users.lookupCount == lookups)
      await server.clock.advance(by: .seconds(60))
      // Another user's request puts the public page in the cache of responses.
      #expect(try await server.status(of: "/api/v1/instance", as: 1002) == 200)
      for path in ["/api/v1/instance", Self.credentials] { #expect(try await status(path) == "HTTP/1.1 403") }
      users[1001] = Self.allowed
      await server.clock.advance(by: .seconds(60))
      #expect(try await status(Self.credentials) == "HTTP/1.1 200")
    }
  }

  @Test(arguments: Change.allCases)
  func `a token of a user of the host is refused over HTTP within a minute`(_ change: Change) async throws {
    let users = users()
    try await withSocketServer(users, access: Self.access, hasHTTP: true) { server in
      let token = try await token(server.user(1001))
      // Not a user of the host.
      let other = try server.service.addQwinker(named: "carl")
      func statuses() async throws -> [Int] {
        let read = try await server.overHTTP.get(Self.credentials, token: token)
        let post = try await server.overHTTP.submit("/api/v1/statuses", [("status", "x")], token: token)
        let others = try await server.overHTTP.get(Self.credentials, token: other)
        return [read, post, others].map { Int($0.head.status.code) }
      }
      #expect(try await statuses() == [200, 200, 200])
      users[1001] = change.user
      await server.clock.advance(by: .seconds(60))
      #expect(try await statuses() == [403, 403, 200])
      users[1001] = Self.allowed
      await server.clock.advance(by: .seconds(60))
      #expect(try await statuses() == [200, 200, 200])
    }
  }

  /// The identification of a user of the host who opens a stream.
  enum Door: CaseIterable { case socket, token, tokenOfAnother }

  private func open(_ door: Door, _ kind: StreamClient.Kind, _ server: SocketServer) async throws -> StreamClient {
    switch door {
    case .socket:
      return try await StreamClient.open(kind, "user", at: server, as: 1001)
    case .token:
      let token = try await token(server.user(1001))
      return try await StreamClient.open(kind, "user", port: server.port, token: token)
    case .tokenOfAnother:
      let token = try server.service.addQwinker(named: "carl")
      return try await StreamClient.open(kind, "user", at: server, as: 1001, token: token)
    }
  }

  @Test(arguments: Door.allCases, StreamClient.Kind.allCases)
  func `an open stream ends when its user is no longer allowed`(_ door: Door, _ kind: StreamClient.Kind) async throws {
    let users = users()
    var limits = FrontLimits()
    limits.beat = .milliseconds(20)
    try await withSocketServer(users, access: Self.access, hasHTTP: true, limits: limits) { server in
      let stream = try await open(door, kind, server)
      let other = try await StreamClient.open(kind, "user", at: server, as: 1002)
      #expect(stream.isOpen && other.isOpen, "\(stream.head) \(other.head)")
      users[1001] = Change.leftGroup.user
      await server.clock.advance(by: .seconds(60))
      #expect(await stream.next() == nil)
      let posted = try await server.user(1002).submit("/api/v1/statuses", [("status", "canary")])
      #expect(posted.head.status == .ok, "\(posted.text)")
      #expect(await other.next()?.payload.contains("canary") == true)
    }
  }

  @Test func `a stream ends even if the user database failed when its connection was opened`() async throws {
    let users = users()
    var limits = FrontLimits()
    limits.beat = .milliseconds(20)
    try await withSocketServer(users, access: Self.access, limits: limits) { server in
      let token = try server.service.addQwinker(named: "carl")
      users.setFailing(true)
      let client = try server.connect(as: 1001)
      try await wait(for: "the failure") { server.service.unixUsers.cached(.uid(1001)) != nil }
      users.setFailing(false)
      await server.clock.advance(by: UnixUserDirectory.longestFailure)
      try client.send("GET /api/v1/streaming/user HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\r\n")
      try await wait(for: "the stream") { server.service.events.listenerCount == 1 }
      #expect(server.service.events.unixUsers == [1001])
      users[1001] = Change.leftGroup.user
      await server.clock.advance(by: .seconds(60))
      try await wait(for: "the stream's end") { server.service.events.listenerCount == 0 }
      client.end()
    }
  }
}
