import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Reports, from the user to the operators and back.
@Suite(.bounded) struct ReportTests {
  @Test(arguments: Front.allCases)
  func `a report notifies the operators except the reported one`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let tokens = [try harness.addOperator("olga"), try harness.addOperator("pia", .admin)]
      let former = try harness.addOperator("former")
      try harness.service.setRole(of: "former", to: .user)
      let post = try await harness.post("Buy!", token: bob)
      // A block hides the reporter's other notifications only.
      try await harness.relate("block", "alice", token: tokens[0])
      let first = try await harness.report("bob", [post.id], comment: "Ads\u{1B}[2J", token: alice)
      let second = try await harness.report("bob", token: alice)
      for token in tokens {
        let found = try await harness.notifications(token: token)
        #expect(found.map(\.kind) == [.report, .report] && found.map(\.qwinker.userName) == ["alice", "alice"])
        guard
          case .report(let id, let target, let category, let comment, let qwinks, _, let isResolved) = found.last?
            .detail
        else {
          Issue.record("\(found)")
          return
        }
        #expect(id == first && target?.userName == "bob" && category == "spam" && comment == "Ads[2J")
        #expect(qwinks == [post.id] && !isResolved)
        let groups = try await harness.get("/api/v2/notifications?types[]=admin.report", token: token)
        #expect(groups.text.contains(#""report":{"id":"\#(first)""#), "\(groups.text)")
        let count = try await harness.get("/api/v1/notifications/unread_count", token: token)
        #expect(count.object["count"] as? Int == 2)
      }
      for token in [alice, bob, former] { #expect(try await harness.notifications(token: token).isEmpty) }

      try await harness.report("olga", token: alice)
      #expect(try await harness.notifications(token: tokens[0]).count == 2)
      #expect(try await harness.notifications(token: tokens[1]).count == 3)

      try harness.service.resolveReport(second, note: "Nothing\nthere")
      let open = try harness.service.reports(onlyOpen: true)
      #expect(open.map(\.reported) == ["olga", "bob"] && open.last?.id == first)
      let resolved = try #require(try harness.service.reports().first { $0.id == second })
      #expect(resolved.note == "Nothing there" && resolved.resolvedAt != nil && !resolved.resolvedBy.isEmpty)
      guard case .report(let id, _, _, _, _, _, true) = try await harness.notifications(token: tokens[0]).first?.detail
      else {
        Issue.record("the notification's report isn't resolved")
        return
      }
      #expect(id == second)
      try harness.service.reopenReport(second)
      let reopened = try #require(try harness.service.reports(onlyOpen: true).first { $0.id == second })
      #expect(reopened.note == "" && reopened.resolvedAt == nil && reopened.resolvedBy == "")
    }
  }

  @Test func `a former operator sees no reports, not even earlier ones`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let olga = try harness.addOperator("olga")
      try await harness.report("bob", token: alice)
      let notification = try #require(try await harness.notifications(token: olga).first)
      let paths = ["/api/v1/notifications/\(notification.id)", "/api/v2/notifications/ungrouped-\(notification.id)"]
      for path in paths { #expect(try await harness.get(path, token: olga).head.status == .ok) }
      let listeners = HubListeners(harness.service)
      listeners.add("olga", viewer: try harness.id(of: "olga"), at: [.user, .notifications])
      listeners.add("bob", viewer: try harness.id(of: "bob"), at: [.user, .notifications])
      try await harness.report("bob", token: alice)
      let heard = try await listeners.next()
      #expect(heard.map(\.who) == ["olga", "olga"] && Set(heard.map(\.event)) == ["notification"])
      #expect(heard.allSatisfy { $0.payload.contains("admin.report") })

      try harness.service.setRole(of: "olga", to: .user)
      try await harness.report("bob", token: alice)
      #expect(try await harness.notifications(token: olga).isEmpty)
      for path in paths {
        let answer = try await harness.get(path, token: olga)
        #expect(answer.head.status == .notFound, "\(path): \(answer.text)")
      }
      #expect(try await harness.get("/api/v2/notifications", token: olga).text.contains(#""notification_groups":[]"#))
      #expect(try await listeners.next().isEmpty)
      #expect(try await harness.get("/api/v1/timelines/home", token: bob).head.status == .ok)
    }
  }

  @Test func `the operator sees the text of reported posts without control characters`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let message = try await harness.post("@alice \u{1B}]0;canary\u{7}\nsecond", token: bob, visibility: .direct)
      let gone = try await harness.post("gone", token: bob)
      let id = try await harness.report("bob", [message.id, gone.id], comment: "See\nthis", token: alice)
      _ = try await harness.send(.delete, "/api/v1/statuses/\(gone.id)", token: bob)
      let (report, posts) = try harness.service.report(id)
      #expect(report.posts == [message.id.rawValue, gone.id.rawValue] && report.comment == "See\nthis")
      #expect(posts.map(\.id) == [message.id.rawValue] && posts.map(\.visibility) == ["direct"])
      let text = try #require(posts.first?.text)
      #expect(
        text.contains("@alice") && text.hasSuffix("second") && !text.contains("\u{1B}") && !text.contains("\u{7}"))
      for wrong in ["", "x", "7"] {
        #expect(throws: ServiceError.noSuchReport(wrong)) { _ = try harness.service.report(wrong) }
      }
    }
  }

  @Test func `a deleted post disappears with its pictures and its author is notified`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let picture = try await harness.upload(SamplePictures.png(), "ad", token: bob)
      let post = try await harness.post("Buy!", media: [picture], token: bob)
      let boost = try await harness.react("reblog", post.id, token: alice)
      #expect(throws: ServiceError.noSuchPost(boost.id.rawValue)) {
        try harness.service.deletePost(boost.id.rawValue)
      }
      try harness.service.deletePost(post.id.rawValue, reason: "No ads.")
      for id in [post.id, boost.id] {
        #expect(try await harness.get("/api/v1/statuses/\(id)", token: bob).head.status == .notFound)
      }
      #expect(try await harness.get(try #require(picture.url)).head.status == .notFound)
      let warnings = try await harness.notifications(token: bob).filter { $0.kind == .warning }
      #expect(warnings.map(\.qwinker.userName) == ["bob"])
      guard case .warning(_, let action, let text, let qwinks, _) = warnings.first?.detail else {
        Issue.record("\(warnings)")
        return
      }
      #expect(action == "delete_statuses" && text == "No ads." && qwinks == [post.id])
      #expect(throws: ServiceError.noSuchPost(post.id.rawValue)) { try harness.service.deletePost(post.id.rawValue) }

      let other = try await harness.post("again", token: bob)
      try harness.service.setSuspension(of: "bob", to: true)
      try harness.service.deletePost(other.id.rawValue)
      try harness.service.setSuspension(of: "bob", to: false)
      #expect(try await harness.get("/api/v1/statuses/\(other.id)", token: bob).head.status == .notFound)
      let account = try await harness.get("/api/v1/accounts/verify_credentials", token: bob)
      #expect(account.object["statuses_count"] as? Int == 0)
    }
  }

  @Test func `stored rules are shown to users unless the operator gave a file`() async throws {
    for terms in [ServiceTerms(), ServiceTerms(rules: ["From the file."])] {
      try await withService(terms: terms) { harness in
        let first = try harness.service.addRule("Be\u{1B} kind.")
        let second = try harness.service.addRule("No spam.")
        #expect([first, second] == ["1", "2"])
        try harness.service.editRule(first, to: "Be calm.")
        try harness.service.removeRule(second)
        #expect(try harness.service.addRule("No ads.") == "3")
        #expect(try harness.service.storedRules().map(\.text) == ["Be calm.", "No ads."])
        let answer = try await harness.get("/api/v1/instance/rules")
        let shown = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]]
        #expect(shown?.compactMap { $0["text"] as? String } == terms.rules ?? ["Be calm.", "No ads."])
        #expect(shown?.compactMap { $0["id"] as? String } == (terms.rules == nil ? ["1", "3"] : ["1"]))

        let alice = try harness.service.addQwinker(named: "alice")
        _ = try harness.service.addQwinker(named: "bob")
        let account = ("account_id", "\(try harness.id(of: "bob"))")
        let report = try await harness.submit("/api/v1/reports", [account, ("rule_ids[]", "3")], token: alice)
        #expect(report.head.status == (terms.rules == nil ? .ok : .unprocessableContent))
        if terms.rules == nil { #expect(try harness.service.reports().first?.rules == ["No ads."]) }
      }
    }
  }
}
