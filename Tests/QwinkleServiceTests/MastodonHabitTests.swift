import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// Details of Mastodon's responses, over real connections.
@MainActor
@Suite(.bounded) struct MastodonHabitTests {
  private nonisolated static func status(_ id: Int, _ more: String) -> String {
    #"{"id":"\#(id)","account":{"id":"1","acct":"ann"},"content":"<p>Tea</p>",\#(more)}"#
  }

  private func page(_ statuses: String...) async throws -> Page<Qwink> {
    let body = Array("[\(statuses.joined(separator: ","))]".utf8)
    let (bench, _) = try await ask({ _ in .json(body) }, AnyRequest(.timeline(.home, limit: 40)))
    return try #require(bench.delegate.qwinkPages.first)
  }

  @Test func `any hiding filter hides a row and all other actions cover it with the filter's title`()
    async throws
  {
    func filters(_ actions: String...) -> String {
      let all = actions.map { #"{"filter":{"id":"1","title":"\#($0)s","filter_action":"\#($0)"}}"# }
      return #""filtered":[\#(all.joined(separator: ","))]"#
    }
    let page = try await page(
      Self.status(5, filters("warn", "hide")), Self.status(4, filters("warn")), Self.status(3, filters("blur")),
      Self.status(2, filters("frobnicate")), Self.status(1, #""filtered":[]"#))
    let disclosures = page.items.map { Disclosure(of: $0, in: .home, at: $0.createdAt) }
    #expect(disclosures.map(\.isHidden) == [true, false, false, false, false])
    #expect(
      disclosures.map(\.cover) == [.filter("hides"), .filter("warns"), .filter("blurs"), .filter("frobnicates"), nil])
  }

  @Test func `the invisible part of a link is hidden and a shortened link ends with an ellipsis`() async throws {
    let link =
      #"<a href='https://e.org/page/with/path'><span class='invisible'>https://</span>"#
      + #"<span class='ellipsis'>e.org/page</span><span class='invisible'>/with/path</span></a>"#
    let body = Array(#"[{"id":"1","account":{"id":"1","acct":"ann"},"content":"<p>\#(link)</p>"}]"#.utf8)
    let (bench, _) = try await ask({ _ in .json(body) }, AnyRequest(.timeline(.home, limit: 40)))
    let text = try #require(bench.delegate.qwinkPages.first?.items.first?.text)
    #expect(text.plainText == "e.org/page…" && text.links == ["https://e.org/page/with/path"])
  }

  @Test func `an accepted quote shows its post and a pending quote only its state`() async throws {
    let quoted = #"{"id":"9","account":{"id":"2","acct":"ben"},"content":"<p>Cake</p>"}"#
    let page = try await page(
      Self.status(2, #""quote":{"state":"accepted","quoted_status":\#(quoted)}"#),
      Self.status(1, #""quote":{"state":"pending","quoted_status":null}"#))
    let quotes = page.items.map(\.quote)
    #expect(quotes[0]?.text.plainText == "Cake" && quotes[0]?.author?.handle == "ben")
    #expect(quotes[1]?.author == nil && quotes[1]?.state == .pending)
  }

  @Test func `a public timeline that requires a token asks a signed-out user to sign in`() async throws {
    let error = try await withServer(script: { request in
      request.field("Authorization") == nil
        ? .json(Array(#"{"error":"This method requires an authenticated user"}"#.utf8), status: 422) : .json([])
    }) { server in
      try await withTransport { transport in
        let bench = await Bench(PatientTransport(base: transport), at: server.url)
        await bench.run(.publicTimeline)
        return await bench.delegate.errors.first
      }
    }
    #expect(error?.needsSignIn == true)
  }

  @Test func `a post is sent with its idempotency key`() async throws {
    let (_, sent) = try await ask({ _ in .json([]) }, AnyRequest(.post(.sample(key: "once"))))
    #expect(sent.first?.field("Idempotency-Key") == "once")
  }
}
