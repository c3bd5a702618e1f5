import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Moderation by operators in apps.
@Suite(.bounded) struct AdminTests {
  private static let paths: [(HTTPRequest.Method, String)] = [
    (.get, "/api/v1/admin/reports"), (.get, "/api/v1/admin/reports/{report}"),
    (.post, "/api/v1/admin/reports/{report}/resolve"), (.post, "/api/v1/admin/reports/{report}/reopen"),
    (.post, "/api/v1/admin/accounts/{bob}/action?type=suspend"),
  ]

  @Test func `moderation needs the role and the scopes`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      _ = try harness.service.addQwinker(named: "bob")
      let report = try await harness.report("bob", token: alice)
      let former = try harness.addOperator("former")
      try harness.service.setRole(of: "former", to: .user)
      _ = try harness.addOperator("olga")
      let id = try harness.id(of: "olga")
      let narrow = try harness.service.write {
        try $0.addToken(account: id, app: nil, scopes: Scopes("read write follow"))
      }
      for (method, path) in Self.paths {
        let target = path.replacing("{report}", with: report).replacing("{bob}", with: "\(try harness.id(of: "bob"))")
        for token in [alice, former, narrow] {
          #expect(try await harness.send(method, target, token: token).head.status == .forbidden, "\(target)")
        }
        #expect(try await harness.send(method, target).head.status == .unauthorized, "\(target)")
      }
      #expect(try harness.service.reports().allSatisfy { $0.resolvedAt == nil })
      #expect(try !harness.service.users().contains(where: \.isSuspended))
    }
  }

  @Test(arguments: Front.allCases)
  func `an operator lists and resolves reports in an app`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let olga = try harness.addOperator("olga")
      let post = try await harness.post("Buy!", token: bob)
      let hidden = try await harness.post("@alice canary", token: bob, visibility: .direct)
      let id = try await harness.report("bob", [post.id, hidden.id], comment: "Ads", token: alice)
      let own = try await harness.report("olga", token: alice)

      let list = try await harness.get("/api/v1/admin/reports", token: olga)
      let reports = try #require(try JSONSerialization.jsonObject(with: Data(list.body)) as? [[String: Any]])
      #expect(reports.compactMap { $0["id"] as? String } == [id])
      let report = try #require(reports.first)
      #expect(report["action_taken"] as? Bool == false && report["comment"] as? String == "Ads")
      let target = try #require(report["target_account"] as? [String: Any])
      #expect(target["username"] as? String == "bob" && target["silenced"] as? Bool == false)
      #expect((report["account"] as? [String: Any])?["username"] as? String == "alice")
      #expect((report["statuses"] as? [[String: Any]])?.compactMap { $0["id"] as? String } == [post.id.rawValue])
      #expect(!list.text.contains("canary"))
      #expect(try await harness.get("/api/v1/admin/reports/\(own)", token: olga).head.status == .notFound)

      let resolved = try await harness.send(.post, "/api/v1/admin/reports/\(id)/resolve", token: olga)
      #expect(resolved.object["action_taken"] as? Bool == true, "\(resolved.text)")
      #expect(try await harness.get("/api/v1/admin/reports", token: olga).text == "[]")
      #expect(try await harness.get("/api/v1/admin/reports?resolved=true", token: olga).text.contains(id))
      #expect(try harness.service.reports().first { $0.id == id }?.resolvedBy == "olga")
      let reopened = try await harness.send(.post, "/api/v1/admin/reports/\(id)/reopen", token: olga)
      #expect(reopened.object["action_taken"] as? Bool == false, "\(reopened.text)")
      let log = try harness.service.auditLog(user: "olga").prefix(2)
      #expect(log.map(\.action) == ["reopen-report", "resolve-report"])
      #expect(log.allSatisfy { $0.actor == AuditActor(name: "olga") })
    }
  }

  @Test func `operators act against users of a lower rank only`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let olga = try harness.addOperator("olga")
      _ = try harness.addOperator("mike")
      let pia = try harness.addOperator("pia", .admin)
      _ = try harness.addOperator("paul", .admin)
      let report = try await harness.report("bob", token: alice)
      func act(_ type: String, _ name: String, _ more: [(String, String)] = [], by token: String) async throws -> Int {
        let path = "/api/v1/admin/accounts/\(try harness.id(of: name))/action"
        return try await harness.submit(path, [("type", type)] + more, token: token).head.status.code
      }
      for (name, token) in [("mike", olga), ("olga", olga), ("pia", olga), ("paul", pia), ("pia", pia)] {
        #expect(try await act("suspend", name, by: token) == 403, "\(name)")
      }
      #expect(try await act("silence", "mike", by: pia) == 200)
      #expect(try await act("none", "bob", [("text", "Calm down.")], by: olga) == 200)
      #expect(try await act("silence", "bob", [("text", "No ads."), ("report_id", report)], by: olga) == 200)
      for wrong in ["", "boring", "disable"] { #expect(try await act(wrong, "bob", by: olga) == 422, "\(wrong)") }
      #expect(try await act("none", "alice", [("report_id", report)], by: olga) == 422)
      #expect(try await act("none", "bob", [("text", String(repeating: "x", count: 1001))], by: olga) == 422)

      let warnings = try await harness.notifications("?types[]=moderation_warning", token: bob).map(\.detail)
      let texts = warnings.map { detail in
        if case .warning(_, let action, let text, _, _) = detail { "\(action): \(text)" } else { "" }
      }
      #expect(texts == ["silence: No ads.", "none: Calm down."])
      let stored = try #require(try harness.service.reports().first)
      #expect(stored.resolvedBy == "olga" && stored.note == "No ads.")
      #expect(try harness.service.users().filter(\.isLimited).map(\.name) == ["bob", "mike"])
      #expect(try await act("suspend", "bob", by: olga) == 200)
      #expect(try await harness.get("/api/v1/timelines/home", token: bob).head.status == .forbidden)
      let shown = try await harness.get("/api/v1/admin/reports/\(report)", token: olga).object
      let target = try #require(shown["target_account"] as? [String: Any])
      #expect(target["suspended"] as? Bool == true && target["account"] is [String: Any])
    }
  }

  @Test func `the profile of the user has their role`() async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "alice")
      let olga = try harness.addOperator("olga")
      for (role, id, name, permissions) in [
        (OperatorRole.moderator, "1", "Moderator", "1040"), (.admin, "2", "Admin", "1040"), (.user, "-99", "", "0"),
      ] {
        try harness.service.setRole(of: "olga", to: role)
        let account = try await harness.get("/api/v1/accounts/verify_credentials", token: olga)
        let shown = try #require(account.object["role"] as? [String: Any])
        #expect(shown["id"] as? String == id && shown["name"] as? String == name)
        #expect(shown["permissions"] as? String == permissions)
        #expect(try harness.service.users().map(\.role) == [.user, role])
      }
    }
  }
}
