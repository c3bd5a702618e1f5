import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Limits and streams of users at the Unix socket.
@Suite(.bounded) struct SocketBudgetTests {
  private static let users: [UInt32: String] = [1001: "anna", 1002: "ben"]

  @Test func `a user's flood of connections and requests doesn't affect another user`() async throws {
    let limits: [Resource: Resource.Limit] = [
      .connections: .held(ofOne: 8, ofAll: 16), .requestRate: .pace(burst: 40, interval: .seconds(3600)),
    ]
    try await withSocketServer(HostUsers(Self.users), budget: limits) { server in
      var flood: [RawClient] = []
      // Each connection counts as a request. Those after the burst are refused.
      for _ in 0..<60 {
        let client = try server.connect(as: 1001)
        try? client.send("GET /api/v1/instance HTTP/1.1\r\nHost: x\r\n")
        flood.append(client)
      }
      try await wait(for: "the flood") { server.service.budget.used(.connections, by: .unixUser(1001)) > 0 }
      #expect(server.service.budget.used(.connections, by: .unixUser(1001)) <= 8)
      for _ in 0..<10 { #expect(try await server.status(of: "/api/v1/timelines/public", as: 1002) == 200) }
      #expect(try await server.status(of: "/api/v1/timelines/public", as: 1001) != 200)
      withExtendedLifetime(flood) {}
    }
  }

  @Test func `a request counts for its uid and a write takes the turn of its account`() async throws {
    try await withSocketServer(HostUsers(Self.users)) { server in
      let (service, user) = (server.service, server.user(1001))
      let sent = try await user.send(Entry(text: "hello", idempotencyKey: "a"), token: nil)
      #expect(sent.head.status == .ok, "\(sent.text)")
      let account = try #require(try service.write { try $0.accountID(ofUnixUser: 1001) })
      let head = HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/")
      var request = ServiceRequest(head: head, body: [])
      (request.client, request.unixUser) = (.unixUser(1001), 1001)
      #expect(service.writer(of: request) == .account(account))
      request.unixUser = 1002
      #expect(service.writer(of: request) == .unixUser(1001))
      // The account's limit is lower than the limit of a uid, so the response shows it.
      let name = try #require(HTTPField.Name("X-RateLimit-Limit"))
      #expect(sent.head.headerFields[name] == "300")
      // This call counts one post, the account's second.
      let standing = try service.budget.count(.posts, of: .account(account))
      #expect(standing.map { $0.most - $0.left } == 2)
    }
  }

  @Test func `one user's requests in progress are limited without affecting another user`() async throws {
    try await withSocketServer(
      HostUsers(Self.users), budget: [.requests: .held(ofOne: 2, ofAll: 100)]
    ) { server in
      for uid in Self.users.keys { _ = try await server.name(of: uid) }
      let body = "client_name=x"
      let head = "POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      let held = try (0..<2).map { _ in try server.connect(as: 1001) }
      for client in held { try client.send(head) }
      try await wait(for: "two requests") { server.service.budget.used(.requests, by: .unixUser(1001)) == 2 }
      #expect(try await server.status(of: "/api/v1/timelines/public", as: 1001) == 503)
      #expect(try await server.status(of: "/api/v1/timelines/public", as: 1002) == 200)
      for client in held {
        try client.send(body)
        #expect(await client.readResponse().hasPrefix("HTTP/1.1 422 "))
      }
      try await wait(for: "the end of the requests") { server.service.budget.used(.requests) == 0 }
    }
  }

  @Test(arguments: StreamClient.Kind.allCases)
  func `a stream on the socket delivers its user's events until the account is suspended`(
    _ kind: StreamClient.Kind
  ) async throws {
    try await withSocketServer(HostUsers(Self.users)) { server in
      let anna = try await StreamClient.open(kind, "user", at: server, as: 1001)
      #expect(anna.isOpen, "\(anna.head)")
      let ben = try await StreamClient.open(kind, "user:notification", at: server, as: 1002)
      #expect(ben.isOpen, "\(ben.head)")
      #expect(server.service.budget.used(.streams, by: .unixUser(1001)) == 1)
      let entry = Entry(text: "@ben canary", idempotencyKey: "a")
      #expect(try await server.user(1001).send(entry, token: nil).head.status == .ok)
      let notification = await ben.next()
      #expect(notification?.name == "notification" && notification?.payload.contains("canary") == true)
      let mine = await anna.next()
      #expect(mine?.payload.contains("canary") == true, "\(mine as Any)")
      try server.service.setSuspension(of: "anna", to: true)
      while let event = await anna.next() { #expect(event.name != "error") }
      try server.service.releaseUnixUser(named: "ben")
      #expect(await ben.next() == nil)
    }
  }

  @Test func `a stopping server finishes requests on the socket and deletes its file`() async throws {
    let path = Lines()
    try await withSocketServer(HostUsers(Self.users)) { server in
      path.add(server.path)
      #expect(try await server.status(of: "/api/v1/timelines/public", as: 1001) == 200)
      let drained = Flag()
      server.front.drain { drained.set() }
      try await wait(for: "the end of the requests") { drained.isSet }
      #expect(try await server.status(of: "/api/v1/timelines/public", as: 1001) == 503)
    }
    #expect(path.all.count == 1 && !FileManager.default.fileExists(atPath: path.all[0]))
  }
}
