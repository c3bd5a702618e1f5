import Foundation
import GRDB
import QwinkleModel
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// The audit log.
@Suite(.bounded) struct AuditTests {
  private static let root = AuditActor(name: "root", uid: 0, sudo: .init(uid: 1000, name: "olga"))

  /// An action of an operator with the entries that it adds: action, account and object, and reason. `{post}` and
  /// `{report}` are replaced with ids.
  struct Case: Sendable, CustomTestStringConvertible {
    var entries: [[String]]
    var act: @Sendable (Service, [String: String]) throws -> Void

    var testDescription: String { entries.map { $0[0] }.joined(separator: ", ") }

    init(_ entries: [String]..., act: @escaping @Sendable (Service, [String: String]) throws -> Void) {
      self.entries = entries
      self.act = act
    }
  }

  static let cases = [
    Case(["add-user", "carl", "", ""]) { service, _ in
      _ = try service.addQwinker(named: "Carl", password: "canary password", by: root)
    },
    Case(["set-password", "bob", "", ""]) { service, _ in
      try service.setPassword("canary password", of: "bob", by: root)
    },
    Case(["revoke-tokens", "bob", "", ""], ["set-password", "bob", "", ""], ["set-password", "bob", "", ""]) {
      service, _ in
      try service.setPassword("canary password", of: "bob", by: root)
      try service.setPassword(nil, of: "bob", endingTokens: true, by: root)
    },
    Case(["set-role", "bob", "moderator", ""]) { service, _ in try service.setRole(of: "BOB", to: .moderator, by: root)
    },
    Case(["revoke-tokens", "bob", "all", ""]) { service, _ in try service.revokeTokens(of: "bob", by: root) },
    Case(["suspend", "bob", "", "Only ads"]) { service, _ in
      try service.setSuspension(of: "bob", to: true, reason: "Only\n\u{1B}ads", by: root)
    },
    Case(["unsuspend", "bob", "", ""], ["suspend", "bob", "", ""]) { service, _ in
      for isSuspended in [true, false] { try service.setSuspension(of: "bob", to: isSuspended, by: root) }
    },
    Case(["limit", "bob", "", "Calm down."]) { service, _ in
      try service.setLimit(of: "bob", to: true, reason: "Calm down.", by: root)
    },
    Case(["unlimit", "bob", "", ""], ["limit", "bob", "", ""]) { service, _ in
      for isLimited in [true, false] { try service.setLimit(of: "bob", to: isLimited, by: root) }
    },
    Case(["delete-post", "bob", "{post}", "An ad."]) { service, ids in
      try service.deletePost(ids["post"] ?? "", reason: "An ad.", by: root)
    },
    Case(["remove-user", "bob", "", ""]) { service, _ in try service.removeUser(named: "bob", by: root) },
    Case(["resolve-report", "bob", "{report}", "Warned."]) { service, ids in
      try service.resolveReport(ids["report"] ?? "", note: "Warned.", by: root)
    },
    Case(["reopen-report", "bob", "{report}", ""], ["resolve-report", "bob", "{report}", ""]) { service, ids in
      try service.resolveReport(ids["report"] ?? "", by: root)
      try service.reopenReport(ids["report"] ?? "", by: root)
    },
    Case(["edit-rule", "", "1", "Be calm."], ["add-rule", "", "1", "Be kind."]) { service, _ in
      let id = try service.addRule(" Be kind. ", by: root)
      try service.editRule(id, to: "Be calm.", by: root)
    },
    Case(["remove-rule", "", "1", ""], ["add-rule", "", "1", "Be kind."]) { service, _ in
      try service.removeRule(try service.addRule("Be kind.", by: root), by: root)
    },
  ]

  @Test(arguments: cases) func `each action of an operator is logged with its reason and without secrets`(
    _ action: Case
  ) async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let post = try await harness.post("Buy!", token: bob)
      let ids = ["post": post.id.rawValue, "report": try await harness.report("bob", [post.id], token: alice)]
      let before = try harness.service.auditLog().count
      try action.act(harness.service, ids)
      let all = try harness.service.auditLog()
      let added = all.prefix(all.count - before)
      func named(_ text: String) -> String { ids.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) } }
      let expected = action.entries.map { $0.map(named) }
      #expect(added.map { [$0.action, $0.account ?? "", $0.object ?? "", $0.reason] } == expected)
      #expect(added.allSatisfy { $0.actor == Self.root })
      #expect(!"\(added)".contains("canary"))
    }
  }

  @Test func `a refused action is not logged`() async throws {
    try await withService { harness in
      let service = harness.service
      _ = try service.addQwinker(named: "bob")
      let before = try service.auditLog()
      #expect(throws: ServiceError.noSuchName("carl")) { try service.setSuspension(of: "carl", to: true) }
      #expect(throws: ServiceError.noSuchName("carl")) { try service.setLimit(of: "carl", to: true) }
      #expect(throws: ServiceError.noSuchName("carl")) { try service.setRole(of: "carl", to: .admin) }
      #expect(throws: ServiceError.noSuchPost("7")) { try service.deletePost("7") }
      #expect(throws: ServiceError.noSuchReport("x")) { try service.resolveReport("x") }
      #expect(throws: ServiceError.noSuchReport("7")) { try service.reopenReport("7") }
      #expect(throws: ServiceError.noSuchRule("7")) { try service.editRule("7", to: "Be kind.") }
      #expect(throws: ServiceError.emptyRule) { _ = try service.addRule(" \n") }
      #expect(throws: ServiceError.noSuchToken("abcd")) { try service.revokeTokens(of: "bob", id: "abcd") }
      #expect(throws: ServiceError.longText(most: 1000)) {
        try service.setLimit(of: "bob", to: true, reason: String(repeating: "x", count: 1001))
      }
      #expect(try service.auditLog() == before)
    }
  }

  /// Actions, each with the number of entries when it is performed twice.
  static let repeated: [(name: String, entries: Int, act: @Sendable (Service, _ report: String) throws -> Void)] = [
    ("suspend", 1, { service, _ in try service.setSuspension(of: "bob", to: true, reason: "\(service.clock.uptime)") }),
    ("unsuspend", 0, { service, _ in try service.setSuspension(of: "bob", to: false) }),
    ("limit", 1, { service, _ in try service.setLimit(of: "bob", to: true) }),
    ("unlimit", 0, { service, _ in try service.setLimit(of: "bob", to: false) }),
    ("role", 1, { service, _ in try service.setRole(of: "bob", to: .moderator) }),
    ("no role", 0, { service, _ in try service.setRole(of: "bob", to: .user) }),
    ("revoke tokens", 1, { service, _ in _ = try service.revokeTokens(of: "bob") }),
    ("remove a password", 0, { service, _ in try service.setPassword(nil, of: "bob") }),
    ("change a password", 2, { service, _ in try service.setPassword("correct horse", of: "bob") }),
    ("resolve", 1, { service, report in try service.resolveReport(report, note: "Done.") }),
    ("reopen", 0, { service, report in try service.reopenReport(report) }),
    ("edit a rule", 1, { service, _ in try service.editRule("1", to: "Be calm.") }),
  ]

  @Test(arguments: repeated.indices)
  func `an action that changes nothing is not logged`(_ index: Int) async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      _ = try harness.service.addQwinker(named: "bob")
      _ = try harness.service.addRule("Be kind.")
      let report = try await harness.report("bob", token: alice)
      let before = try harness.service.auditLog().count
      let action = Self.repeated[index]
      for _ in 0..<2 {
        try action.act(harness.service, report)
        await harness.clock.advance(by: .seconds(1))
      }
      #expect(try harness.service.auditLog().count - before == action.entries, "\(action.name)")
    }
  }

  @Test func `the log is limited by age and number and filtered by time and user`() async throws {
    try await withService { harness in
      let service = harness.service
      _ = try service.addQwinker(named: "bob", by: AuditActor(name: "olga", uid: 1000))
      await harness.clock.advance(by: .seconds(3 * 86_400))
      let middle = harness.clock.now
      try service.setLimit(of: "bob", to: true, by: Self.root)
      _ = try service.addQwinker(named: "carl", by: AuditActor(name: "pia", uid: 1001))
      #expect(try service.auditLog(since: middle).map(\.action) == ["add-user", "limit"])
      #expect(try service.auditLog(user: "Bob").map(\.action) == ["limit", "add-user"])
      #expect(try service.auditLog(user: "olga").map(\.action) == ["limit", "add-user"])
      #expect(try service.auditLog(user: "pia").map(\.account) == ["carl"])
      #expect(try service.auditLog(user: "nobody") == [])
      await harness.clock.advance(by: .seconds(364 * 86_400))
      try service.setLimit(of: "bob", to: false, by: Self.root)
      #expect(try service.auditLog().map(\.action) == ["unlimit", "add-user", "limit"])
      try service.write { session in
        try session.run(
          """
          WITH RECURSIVE many (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM many LIMIT ?)
          INSERT INTO audit_log (id, created_at, actor, action, reason)
          SELECT (SELECT value FROM counters WHERE name = 'last_id') + id, ?, 'pia', 'resolve-report', '' FROM many
          """, [Transaction.mostAuditEntries, session.nowInMilliseconds])
        try session.run("UPDATE counters SET value = value + ? WHERE name = 'last_id'", [Transaction.mostAuditEntries])
        // The moderator Pia isn't the Unix user of this name.
        try session.audit(.warn, by: AuditActor(name: "pia"))
      }
      let all = try service.auditLog()
      #expect(all.filter { $0.actor == AuditActor(name: "pia") }.count == Transaction.mostAuditEntries)
      #expect(all.first?.action == "warn")
      #expect(all.suffix(3).map(\.action) == ["unlimit", "add-user", "limit"])
      #expect(all.count == Transaction.mostAuditEntries + 3)
    }
  }

  @Test(
    arguments: [
      (0, "1000", AuditActor(name: "root", uid: 0, sudo: .init(uid: 1000, name: "olga")), "root (sudo by olga)"),
      (0, "7", AuditActor(name: "root", uid: 0, sudo: .init(uid: 7, name: "uid 7")), "root (sudo by uid 7)"),
      (0, nil, AuditActor(name: "root", uid: 0), "root"), (0, "0", AuditActor(name: "root", uid: 0), "root"),
      (0, "-1", AuditActor(name: "root", uid: 0), "root"), (0, "x", AuditActor(name: "root", uid: 0), "root"),
      (1000, "1001", AuditActor(name: "olga", uid: 1000), "olga"), (7, nil, AuditActor(name: "uid 7", uid: 7), "uid 7"),
    ] as [(Int, String?, AuditActor, String)])
  func `the operator is the real user and SUDO_UID counts only for root`(
    _ uid: Int, _ sudoUID: String?, _ actor: AuditActor, _ words: String
  ) {
    let names = [0: "root", 1000: "olga", 1001: "pia"]
    let found = AuditActor(uid: uid, sudoUID: sudoUID) { names[$0] }
    #expect(found == actor && found.words == words)
  }
}
