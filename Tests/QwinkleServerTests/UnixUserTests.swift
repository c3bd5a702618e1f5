import Foundation
import HTTPTypes
import LibC
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Accounts of the users of a host, who connect to the Unix socket.
@Suite(.bounded) struct UnixUserTests {
  private static let credentials = "/api/v1/accounts/verify_credentials"

  private static func entry(_ text: String, visibility: Visibility = .public) -> Entry {
    Entry(text: text, visibility: visibility, idempotencyKey: UUID().uuidString)
  }

  @Test func `each user is signed in as themselves without a token`() async throws {
    try await withSocketServer(HostUsers([1001: "anna", 1002: "ben"])) { server in
      #expect(try await server.name(of: 1001) == "anna")
      let posted = try await server.user(1002).send(Self.entry("hello"), token: nil)
      #expect(posted.head.status == .ok, "\(posted.text)")
      #expect(try WireDecoder.qwink(from: posted.body).author.userName == "ben")
      let page = try await server.user(1001).page("/api/v1/timelines/public")
      #expect(page.items.map(\.text.plainText) == ["hello"])
      #expect(page.items.first?.url?.hasPrefix("http://shared/@ben/") == true)
      #expect(try server.service.users().map(\.uid) == [1001, 1002])
    }
  }

  @Test func `a user doesn't see messages of others, not even in cached responses`() async throws {
    try await withSocketServer(HostUsers([1001: "anna", 1002: "ben", 1003: "cleo"])) { server in
      for uid: uid_t in [1001, 1002, 1003] { _ = try await server.name(of: uid) }
      let sent = try await server.user(1001).send(Self.entry("@ben canary", visibility: .direct), token: nil)
      let id = try WireDecoder.qwink(from: sent.body).id
      // Twice, so that the second response is from the cache.
      for _ in 0..<2 {
        for (uid, count) in [(uid_t(1001), 1), (1002, 1), (1003, 0)] {
          let inbox = try await server.user(uid).get("/api/v1/conversations")
          #expect(try WireDecoder.conversations(from: inbox.body, link: nil).items.count == count, "\(uid)")
          let status: HTTPResponse.Status = count == 1 ? .ok : .notFound
          #expect(try await server.user(uid).get("/api/v1/statuses/\(id)").head.status == status)
        }
      }
      #expect(try await server.user(1003).send(.delete, "/api/v1/statuses/\(id)").head.status == .notFound)
    }
  }

  @Test func `the kernel reports the user of a connection`() async throws {
    let users = HostUsers([getuid(): "me"])
    try await withSocketServer(users, asksKernel: true) { server in
      let name = try await server.name(of: 4321)
      #expect(name == "me")
      #expect(try server.service.users().map(\.uid) == [getuid()])
    }
    let known = UnixUser.find(.uid(getuid()))
    if case .failed = known { Issue.record("The host's user database failed.") }
  }

  @Test func `a connection without credentials is closed unanswered`() async throws {
    try await withSocketServer(HostUsers([1001: "anna"])) { server in
      let client = try RawClient(socket: server.path)
      try? client.send("GET /api/v1/instance HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await client.readAll() == "")
      #expect(try await server.name(of: 1001) == "anna")
    }
  }

  @Test func `concurrent first requests of a user make one account`() async throws {
    let users = HostUsers([1001: "anna"])
    try await withSocketServer(users) { server in
      try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<20 { group.addTask { try await server.name(of: 1001) } }
        for try await name in group { #expect(name == "anna") }
      }
      #expect(try server.service.users().map(\.name) == ["anna"])
      #expect((1...20).contains(users.lookupCount))
    }
  }

  @Test func `a first request can be a post, an upload of any length or a stream`() async throws {
    try await withSocketServer(HostUsers([1001: "anna", 1002: "ben", 1003: "cleo"])) { server in
      let posted = try await server.user(1001).send(Self.entry("first"), token: nil)
      #expect(posted.head.status == .ok, "\(posted.text)")
      // Longer than a body from an unknown sender may be.
      let long = try await server.user(1002).send(Self.entry(String(repeating: "a", count: 40_000)), token: nil)
      #expect(long.head.status == .unprocessableContent, "\(long.text)")
      let stream = try await StreamClient.open(.events, "user", at: server, as: 1003)
      #expect(stream.isOpen, "\(stream.head)")
      #expect(try server.service.users().map(\.name) == ["anna", "ben", "cleo"])
    }
  }

  @Test func `an account belongs to the uid, not to the name`() async throws {
    let users = HostUsers([1001: "anna"])
    try await withSocketServer(users) { server in
      let name = try await server.name(of: 1001)
      #expect(name == "anna")
      // Another user gets the name.
      users[1001] = UnixUser(name: "annika")
      users[2001] = UnixUser(name: "anna")
      #expect(try await server.name(of: 2001) == "anna2")
      // A renamed user keeps the account.
      await server.clock.advance(by: .seconds(3600))
      #expect(try await server.name(of: 1001) == "anna")
      #expect(try server.service.users().map(\.uid) == [1001, 2001])
    }
  }

  @Test func `a released uid gets another account`() async throws {
    try await withSocketServer(HostUsers([1001: "anna"])) { server in
      let sent = try await server.user(1001).send(Self.entry("mine", visibility: .private), token: nil)
      let id = try WireDecoder.qwink(from: sent.body).id
      #expect(throws: ServiceError.noSuchName("ben")) { try server.service.releaseUnixUser(named: "ben") }
      try server.service.releaseUnixUser(named: "Anna")
      #expect(throws: ServiceError.noUnixUser("anna")) { try server.service.releaseUnixUser(named: "anna") }
      #expect(try await server.name(of: 1001) == "anna2")
      #expect(try await server.user(1001).get("/api/v1/statuses/\(id)").head.status == .notFound)
      #expect(try server.service.users().map(\.uid) == [nil, 1001])
    }
  }

  @Test func `names have only letters, digits and underscores, and each is unique`() async throws {
    let long = String(repeating: "x", count: 40)
    let users = HostUsers([
      1001: "Anna.Bell-1", 1002: "анна", 1003: "annabell1", 1004: long, 1005: long + "y", 1006: "ANNABELL1",
    ])
    try await withSocketServer(users) { server in
      _ = try server.service.addQwinker(named: "user1002")
      let expected: [(uid_t, String)] = [
        (1001, "annabell1"), (1002, "user10022"), (1003, "annabell12"), (1004, String(long.prefix(30))),
        (1005, long.prefix(29) + "2"), (1006, "annabell13"),
      ]
      for (uid, name) in expected { #expect(try await server.name(of: uid) == name) }
    }
  }

  @Test(arguments: [1009, UnixUser.overflow])
  func `a uid without a user of the host gets no account`(_ uid: uid_t) async throws {
    try await withSocketServer(HostUsers([1001: "anna", UnixUser.overflow: "nobody"])) { server in
      let answer = try await server.user(uid).get(Self.credentials)
      #expect(answer.head.status == .forbidden && answer.errorMessage != nil, "\(answer.text)")
      #expect(try server.service.users().isEmpty)
    }
  }

  @Test func `a suspended account is refused`() async throws {
    try await withSocketServer(HostUsers([1001: "anna", 1002: "ben"])) { server in
      for uid: uid_t in [1001, 1002] { _ = try await server.name(of: uid) }
      try server.service.setSuspension(of: "anna", to: true)
      let answer = try await server.user(1001).get("/api/v1/timelines/public")
      #expect(answer.head.status == .forbidden && answer.errorMessage == Refusal.suspended.message)
      #expect(try await server.name(of: 1002) == "ben")
      try server.service.setSuspension(of: "anna", to: false)
      #expect(try await server.name(of: 1001) == "anna")
    }
  }

  /// An operator's action on the account of a suspended user, and the action that lifts the bar.
  struct Parting: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var part: @Sendable (Service) throws -> Void
    var admit: @Sendable (Service) throws -> Void
    /// The name of the user's next account.
    var next: String

    private static func release(_ service: Service, staysBarred: Bool) throws {
      let isBarred = try service.releaseUnixUser(named: "anna")
      #expect(isBarred == staysBarred)
    }

    static let all = [
      Parting(
        testDescription: "removed, then unsuspended", part: { try $0.removeUser(named: "anna") },
        admit: { try $0.setSuspension(of: "Anna", to: false) }, next: "anna"),
      Parting(
        testDescription: "removed, then released", part: { try $0.removeUser(named: "anna") },
        admit: { try $0.releaseUnixUser(named: "Anna") }, next: "anna"),
      Parting(
        testDescription: "released, then unsuspended", part: { try release($0, staysBarred: true) },
        admit: { try $0.setSuspension(of: "anna", to: false) }, next: "anna2"),
      Parting(
        testDescription: "released, then released again", part: { try release($0, staysBarred: true) },
        admit: { try release($0, staysBarred: false) }, next: "anna2"),
      Parting(
        testDescription: "released and removed, then unsuspended",
        part: {
          try $0.releaseUnixUser(named: "anna")
          try $0.removeUser(named: "anna")
        },
        admit: { try $0.setSuspension(of: "anna", to: false) }, next: "anna"),
    ]
  }

  @Test(arguments: Parting.all)
  func `a suspended user gets no other account until an operator admits them`(_ parting: Parting) async throws {
    try await withSocketServer(HostUsers([1001: "anna", 1002: "ben"])) { server in
      for uid: uid_t in [1001, 1002] { _ = try await server.name(of: uid) }
      try server.service.setSuspension(of: "anna", to: true)
      #expect(try server.service.barredUsersWithoutAccount() == [])
      try parting.part(server.service)
      #expect(try server.service.barredUsersWithoutAccount() == [BarredUnixUser(uid: 1001, name: "anna")])
      let count = try server.service.users().count
      for _ in 0..<2 {
        let answer = try await server.user(1001).get(Self.credentials)
        #expect(answer.head.status == .forbidden && answer.errorMessage == Refusal.suspended.message)
      }
      #expect(try server.service.users().count == count)
      #expect(try await server.name(of: 1002) == "ben")
      try parting.admit(server.service)
      #expect(try await server.name(of: 1001) == parting.next)
      #expect(try server.service.barredUsersWithoutAccount() == [])
      #expect(throws: ServiceError.noSuchName("carl")) { try server.service.releaseUnixUser(named: "carl") }
    }
  }

  @Test func `the end of a suspension doesn't admit another user whose account had the name`() async throws {
    let users = HostUsers([1001: "anna"])
    try await withSocketServer(users) { server in
      let service = server.service
      let former = BarredUnixUser(uid: 1001, name: "anna")
      _ = try await server.name(of: 1001)
      try service.setSuspension(of: "anna", to: true)
      try service.removeUser(named: "anna")
      users[1002] = UnixUser(name: "anna")
      #expect(try await server.name(of: 1002) == "anna")
      for isSuspended in [true, false] { try service.setSuspension(of: "anna", to: isSuspended) }
      #expect(try service.barredUsersWithoutAccount() == [former])
      #expect(try await server.status(of: Self.credentials, as: 1001) == 403)
      #expect(try await server.name(of: 1002) == "anna")
      // The account isn't suspended, so the operator means the former one.
      try service.setSuspension(of: "anna", to: false)
      #expect(try service.barredUsersWithoutAccount() == [])
      #expect(try await server.name(of: 1001) == "anna2")
    }
  }

  @Test func `an account that isn't suspended leaves no bar`() async throws {
    try await withSocketServer(HostUsers([1001: "anna"])) { server in
      _ = try await server.name(of: 1001)
      try server.service.setSuspension(of: "anna", to: true)
      try server.service.setSuspension(of: "anna", to: false)
      try server.service.removeUser(named: "anna")
      #expect(try server.service.barredUsersWithoutAccount() == [])
      #expect(throws: ServiceError.noSuchName("anna")) { try server.service.setSuspension(of: "anna", to: false) }
      #expect(try await server.name(of: 1001) == "anna")
    }
  }

  @Test func `a token acts as its own account, and a wrong one doesn't act as the user`() async throws {
    try await withSocketServer(HostUsers([1001: "anna"])) { server in
      let token = try server.service.addQwinker(named: "ben")
      let me = try await server.user(1001).get(Self.credentials, token: token)
      #expect(me.object["username"] as? String == "ben")
      #expect(try await server.user(1001).get(Self.credentials, token: "wrong").head.status == .unauthorized)
      let basic = try await server.user(1001).send(.get, Self.credentials, headers: [.authorization: "Basic eDp5"])
      #expect(basic.head.status == .unauthorized)
    }
  }

  @Test func `groups decide who is allowed, and a denied group outweighs an allowed one`() async throws {
    let users = HostUsers()
    for (uid, groups) in [(uid_t(1001), Set<gid_t>([10])), (1002, [10, 20]), (1003, [30]), (1004, [])] {
      users[uid] = UnixUser(name: "u\(uid)", groups: groups)
    }
    let expected: [(UnixAccess, [Int])] = [
      (UnixAccess(allowed: [10], denied: []), [200, 200, 403, 403]),
      (UnixAccess(allowed: [], denied: [20]), [200, 403, 200, 200]),
      (UnixAccess(allowed: [10, 30], denied: [20]), [200, 403, 200, 403]),
    ]
    for (access, statuses) in expected {
      try await withSocketServer(users, access: access) { server in
        var found: [Int] = []
        for uid: uid_t in 1001...1004 { found.append(try await server.status(of: Self.credentials, as: uid)) }
        #expect(found == statuses)
        // Not even public pages, nor a uid that isn't in the user database.
        #expect(try await server.status(of: "/api/v1/instance", as: 1009) == 403)
      }
    }
  }

  @Test func `a refused user gets an error that names the operator`() async throws {
    let users = HostUsers([1001: "anna"])
    try await withSocketServer(users, access: UnixAccess(allowed: [10], denied: [])) { server in
      let answer = try await server.user(1001).send(Self.entry("hello"), token: nil)
      #expect(answer.head.status == .forbidden)
      #expect(answer.errorMessage?.contains("operator of this host has not allowed you") == true, "\(answer.text)")
      let stream = try await StreamClient.open(.webSocket, "public", at: server, as: 1001)
      #expect(stream.head.hasPrefix("HTTP/1.1 403 "))
      #expect(try server.service.users().isEmpty)
    }
  }

  @Test func `a change of groups takes effect on connections after a minute`() async throws {
    let users = HostUsers([1001: "anna"])
    try await withSocketServer(users, access: UnixAccess(allowed: [10], denied: [])) { server in
      for _ in 0..<3 {
        let status = try await server.status(of: Self.credentials, as: 1001)
        #expect(status == 403)
      }
      #expect(users.lookupCount == 1)
      users[1001] = UnixUser(name: "anna", groups: [10])
      await server.clock.advance(by: .seconds(61))
      #expect(try await server.status(of: Self.credentials, as: 1001) == 200)
    }
  }

  @Test func `a group must exist`() throws {
    let none = "no-such-group-of-qwinkle"
    #expect(throws: ServiceError.noSuchGroup(none)) { try UnixAccess(allowedGroups: [none], deniedGroups: []) }
    #expect(throws: ServiceError.noSuchGroup(none)) { try UnixAccess(allowedGroups: [], deniedGroups: [none]) }
    // Every Unix system has a group with the id 0.
    let zero = try #require(getgrgid(0)?.pointee.gr_name)
    #expect(UnixUser.groupID(named: String(cString: zero)) == 0)
  }

  @Test func `the system's own user has a name and a group`() throws {
    guard case .found(let root) = UnixUser.find(.uid(0)) else {
      Issue.record("The host has no user with the uid 0.")
      return
    }
    #expect(root.name == getpwuid(0).map { String(cString: $0.pointee.pw_name) })
    #expect(root.groups.contains(0))
    guard case .found = UnixUser.find(.name(root.name)), case .absent = UnixUser.find(.name("no-such-user-of-qwinkle"))
    else {
      Issue.record("The host's user database doesn't find users by name.")
      return
    }
    guard case .absent = UnixUser.find(.uid(uid_t.max - 7)) else {
      Issue.record("The host has a user with an impossible uid.")
      return
    }
  }

  @Test func `the access log shows the uid`() async throws {
    let lines = Lines()
    try await withSocketServer(HostUsers([1001: "anna"]), hasHTTP: true, lines: lines) { server in
      _ = try await server.user(1001).get(Self.credentials)
      _ = try await server.overHTTP.get("/api/v1/instance")
      #expect(lines.all.map { $0.hasSuffix(" uid 1001") } == [true, false], "\(lines.all)")
      #expect(lines.all.first?.contains(" 200 ") == true)
    }
  }
}
