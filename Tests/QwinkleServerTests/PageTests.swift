import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import Testing

@testable import QwinkleServer

/// The web pages of qwinkers and qwinks.
@Suite struct PageTests {
  @Test(arguments: Front.allCases) func `the address of a qwink leads to it`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let open = try await harness.post("frost on the allotment", token: token)
      let unlisted = try await harness.post("in the shed", token: token, visibility: .unlisted)
      for (qwink, words) in [(open, "frost on the allotment"), (unlisted, "in the shed")] {
        let page = try await harness.get(try #require(qwink.url))
        #expect(page.head.status == .ok)
        #expect(page.text.contains("<p class=\"text\">\(words)</p>") && page.text.contains("@alice"))
      }
      let page = try await harness.get(try #require(open.author.url))
      #expect(page.head.status == .ok)
      for words in ["frost on the allotment", "in the shed", try #require(open.url)] {
        #expect(page.text.contains(words))
      }
      #expect(try await harness.get("/@ALICE").text == page.text)
      let head = try await harness.send(.head, "/@alice")
      #expect(head.head.status == .ok)
      #expect(try await harness.send(.post, "/@alice").head.status == .methodNotAllowed)
    }
  }

  @Test func `what is not for everybody has no page, even for those it is for`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      try harness.follow("alice", by: "bob")
      let quiet = try await harness.post("canary", token: alice, visibility: .private)
      let direct = try await harness.post("@bob canary", token: alice, visibility: .direct)
      let boost = try await harness.react("reblog", quiet.id, token: alice)
      let open = try await harness.post("open", token: alice)
      for token in [alice, bob, nil] {
        for id in [quiet.id, direct.id, boost.id] {
          let page = try await harness.get("/@alice/\(id)", token: token)
          #expect(page.head.status == .notFound)
          #expect(page.head.headerFields[.contentType] == "text/html; charset=utf-8")
          #expect(!page.text.contains("canary"))
        }
        let page = try await harness.get("/@alice", token: token)
        #expect(page.text.contains("open") && !page.text.contains("canary"))
      }
      for path in ["/@bob/\(open.id)", "/@alice/7", "/@alice/x", "/@nobody", "/@nobody/\(open.id)", "/@", "/alice"] {
        #expect(try await harness.get(path).head.status == .notFound, "\(path)")
      }
      _ = try await harness.send(.delete, "/api/v1/statuses/\(open.id)", token: alice)
      #expect(try await harness.get("/@alice/\(open.id)").head.status == .notFound)
    }
  }

  @Test func `what somebody wrote is text on the page, never HTML`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let profile = #"{"display_name":"<script>alert(1)</script>","note":"<img src=x onerror=alert(2)>"}"#
      let changed = try await harness.send(
        .patch, "/api/v1/accounts/update_credentials", token: token, headers: [.contentType: "application/json"],
        body: Array(profile.utf8))
      #expect(changed.head.status == .ok)
      let text =
        "</p><script>alert('3')</script> <\u{301} &lt; \u{202E}\u{1B}[31m https://a.example/\"onclick=\"alert(4)"
      let answer = try await harness.send(
        Entry(text: text, contentWarning: "</summary><b>", idempotencyKey: ""), token: token)
      let qwink = try WireDecoder.qwink(from: answer.body)
      for path in ["/@alice", "/@alice/\(qwink.id)"] {
        let page = try await harness.get(path)
        #expect(page.head.status == .ok)
        for bad in ["<script", "<img", "<b>", "<\u{301}", "\"onclick", "\u{202E}", "\u{1B}"] {
          #expect(page.text.range(of: bad, options: .literal) == nil, "\(bad)")
        }
        #expect(page.text.contains("&lt;script&gt;alert(&#39;3&#39;)&lt;/script&gt;"))
        #expect(page.text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(page.text.contains("<details><summary>&lt;/summary&gt;&lt;b&gt;</summary>"))
        let headers = page.head.headerFields
        let policy = try #require(headers[.contentSecurityPolicy])
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-") && policy.hasSuffix("form-action 'none'"))
        #expect(!policy.contains("unsafe") && !policy.contains("script-src"))
        #expect(headers[.xContentTypeOptions] == "nosniff")
      }
    }
  }
}
