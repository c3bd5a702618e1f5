import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// The web pages of qwinkers and qwinks.
@Suite(.bounded) struct PageTests {
  @Test(arguments: Front.allCases) func `a qwink's URL is a page that shows it`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let open = try await harness.post("frost on the allotment", token: token)
      let unlisted = try await harness.post("in the shed", token: token, visibility: .unlisted)
      for (qwink, words) in [(open, "frost on the allotment"), (unlisted, "in the shed")] {
        let page = try await harness.get(try #require(qwink.url))
        #expect(page.head.status == .ok)
        #expect(page.text.contains("<p class=\"text\" dir=\"auto\">\(words)</p>") && page.text.contains("@alice"))
      }
      let page = try await harness.get(try #require(open.author.url))
      #expect(page.head.status == .ok)
      for words in ["frost on the allotment", "in the shed", "href=\"/@alice/\(open.id)\""] {
        #expect(page.text.contains(words))
      }
      #expect(try await harness.get("/@ALICE").text == page.text)
      let head = try await harness.send(.head, "/@alice")
      #expect(head.head.status == .ok)
      #expect(try await harness.send(.post, "/@alice").head.status == .methodNotAllowed)
    }
  }

  @Test func `a non-public qwink has no page even for its readers`() async throws {
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

  @Test func `a page shows a quoted post only while visitors can see it`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let quoted = try await harness.post("seed <list>", token: alice)
      var entry = Entry(text: "look", idempotencyKey: "")
      entry.quotedID = quoted.id.rawValue
      let id = try WireDecoder.qwink(from: try await harness.send(entry, token: alice).body).id
      for path in ["/@alice", "/@alice/\(id)"] {
        let page = try await harness.get(path)
        #expect(page.text.contains("<blockquote>") && page.text.contains("seed &lt;list&gt;"), "\(path)")
      }
      _ = try await harness.send(.delete, "/api/v1/statuses/\(quoted.id)", token: alice)
      let page = try await harness.get("/@alice/\(id)")
      #expect(page.text.contains("The quoted post is not available.") && !page.text.contains("seed"))
    }
  }

  @Test func `user text is escaped on pages`() async throws {
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

  @Test(arguments: Front.allCases) func `the front page shows the public timeline and how to sign in`(
    _ front: Front
  ) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      for number in 1...25 { _ = try await harness.post("number \(number)", token: token) }
      _ = try await harness.post("secret", token: token, visibility: .unlisted)
      let page = try await harness.get("/")
      #expect(page.head.status == .ok && page.head.headerFields[.contentType] == "text/html; charset=utf-8")
      #expect(page.text.contains(">number 25</p>") && page.text.contains(">number 6</p>"))
      #expect(!page.text.contains(">number 5</p>") && !page.text.contains("secret"))
      #expect(page.text.contains("qwinkle login http://"))
      let next = try #require(page.text.firstMatch(of: /rel="next" href="([^"]+)"/)?.1)
      let older = try await harness.get(String(next))
      #expect(older.text.contains(">number 5</p>") && !older.text.contains(">number 6</p>"))
      #expect(older.text.contains("<a href=\"/\">Newest</a>") && !older.text.contains("rel=\"next\""))
    }
  }

  @Test func `a tag's page shows its public qwinks`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      _ = try await harness.post("sowing #beans", token: token)
      _ = try await harness.post("quietly #beans", token: token, visibility: .private)
      let page = try await harness.get("/tags/Beans")
      #expect(page.text.contains("<h1>#Beans</h1>") && page.text.contains("sowing") && !page.text.contains("quietly"))
      #expect(page.text.contains("href=\"/tags/beans\""))
      #expect(try await harness.get("/tags/peas").text.contains("Nothing tagged #peas yet."))
      #expect(try await harness.get("/tags/a%20b").head.status == .notFound)
    }
  }

  @Test func `a qwink's page shows the public part of its thread`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let first = try await harness.post("the question", token: alice)
      let reply = try await harness.post("the reply", token: bob, answering: first.id)
      _ = try await harness.post("a whisper", token: bob, visibility: .private, answering: first.id)
      _ = try await harness.post("thanks", token: alice, answering: reply.id)
      let page = try await harness.get("/@bob/\(reply.id)").text
      let places = ["the question", "the reply", "<h2>Replies</h2>", "thanks"].map {
        page.firstRange(of: $0)?.lowerBound
      }
      #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
      #expect(!page.contains("a whisper"))
    }
  }

  @Test func `pages load no external resources and browsers get error pages`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let qwink = try await harness.post("hello", token: token)
      for path in ["/", "/@alice", "/@alice/\(qwink.id)", "/tags/x"] {
        let page = try await harness.get(path).text
        for bad in ["<script", " src=", "@import", "url(", "<link"] { #expect(!page.contains(bad), "\(path): \(bad)") }
        #expect(page.components(separatedBy: "<h1").count == 2, "one heading on \(path)")
        #expect(page.contains("<html lang=\"en\">") && page.contains("href=\"#main\""))
      }
      let missing = try await harness.send(.get, "/nothing", headers: [.accept: "text/html,*/*"])
      #expect(missing.head.status == .notFound && missing.text.contains("<h1>Not found</h1>"))
      let api = try await harness.send(.get, "/api/v1/nothing", headers: [.accept: "text/html"])
      #expect(api.head.headerFields[.contentType]?.hasPrefix("application/json") == true)
    }
  }
}
