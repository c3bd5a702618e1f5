import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

/// Behaviour common to all servers, over real connections.
@MainActor
@Suite(.bounded) struct CommonHabitTests {
  private nonisolated static func body(_ ids: String...) -> [UInt8] { WireEncoder.qwinks(Page.sample(ids: ids).items) }

  // MARK: Pages

  @Test func `a late federated post is inserted at the server's position`() async throws {
    let count = Mutex(0)
    let (bench, _) = try await ask(
      { _ in
        let isFirst = count.withLock { count in
          count += 1
          return count == 1
        }
        return .json(isFirst ? Self.body("9", "8", "6", "5") : Self.body("9", "8", "7", "6", "5"))
      }, AnyRequest(.timeline(.home, limit: 40)), AnyRequest(.timeline(.home, limit: 40)))
    var timeline = Timeline()
    var shown: [[String]] = []
    for page in bench.delegate.qwinkPages {
      timeline.mergeNewest(page)
      shown.append(timeline.rows.map { $0.qwink?.id.rawValue ?? "gap" })
    }
    #expect(shown == [["9", "8", "6", "5"], ["9", "8", "7", "6", "5"]])
  }

  @Test(arguments: ["https://HOST", "http://HOST", "http://NAME", "https://NAME:8443"])
  func `a page link with a proxy's scheme or port is followed at the sign-in address`(
    origin: String
  ) async throws {
    let script: ServerScript = { request in
      guard request.parameter("max_id") == nil else { return .json(Array("[]".utf8)) }
      let host = request.field("Host") ?? ""
      let place = origin.replacing("HOST", with: host).replacing("NAME", with: host.prefix { $0 != ":" })
      let people = Array(#"[{"id":"9","username":"ann","acct":"ann"}]"#.utf8)
      return .json(
        request.place.hasSuffix("/followers") ? people : Self.body("9"),
        fields: [("Link", "<\(place)\(request.place)?max_id=9&limit=40>; rel=\"next\"")])
    }
    let qwinks = try await allPages(script, .timeline(.home, limit: 40)) { .timelinePage(.home, $0) }
    #expect(qwinks.sent.map(\.path).last == "/api/v1/timelines/home?max_id=9&limit=40")
    #expect(qwinks.pages.count == 2 && qwinks.sent.allSatisfy { $0.field("Authorization") == "Bearer t" })
    let people = try await allPages(script, .qwinkers(.followers("7"), limit: 40)) { .qwinkersPage($0) }
    #expect(people.sent.map(\.path).last == "/api/v1/accounts/7/followers?max_id=9&limit=40")
  }

  @Test func `a page link is opaque and followed exactly`() async throws {
    let way = "/api/v1/timelines/home?page=%7Btwo%7D&x&limit=40&max_id=a%2Fb"
    let (pages, sent) = try await allPages(
      { request in
        let isNext = request.path == way
        return .json(Self.body(isNext ? "1" : "2"), fields: isNext ? [] : [("Link", "<\(way)>; rel=\"next\"")])
      }, .timeline(.home, limit: 40), then: { .timelinePage(.home, $0) })
    #expect(pages.flatMap(\.items).map(\.id) == ["2", "1"] && sent.map(\.path).last == way)
  }

  // MARK: Answers

  @Test(arguments: [#"{"error":"No"}"#, "<html><h1>No</h1></html>", ""])
  func `an error is classified by its status regardless of its body`(body: String) async throws {
    let kinds = [
      401: "forbidden", 403: "forbidden", 404: "notFound", 410: "notFound", 400: "rejected", 422: "rejected",
      429: "rateLimited", 500: "serverFailed", 503: "serverFailed",
    ]
    for (status, kind) in kinds.sorted(by: { $0.key < $1.key }) {
      let (bench, _) = try await ask(
        { request in
          request.place.hasSuffix("/verify_credentials")
            ? .json(WireEncoder.qwinker(.sample("mara"), ownNote: "")) : .text(body, status: status)
        }, AnyRequest(.timeline(.home, limit: 40)))
      #expect(bench.delegate.errors.map { "\($0)".prefix { $0 != "(" } } == [kind[...]], "\(status)")
    }
  }

  @Test func `unknown and invalid fields are ignored and an unreadable item costs only itself`() async throws {
    let least = #"{"id":"3","account":{"id":"1","acct":"ann"}}"#
    let odd =
      #"{"id":2,"account":{"id":1,"acct":"ann","fields":7,"extra":{}},"content":null,"tags":"x","poll":[],"#
      + #""new":1}"#
    let (bench, _) = try await ask(
      { _ in .json(Array(#"[\#(least),{"id":"9"},null,\#(odd)]"#.utf8)) }, AnyRequest(.timeline(.home, limit: 40)))
    let page = try #require(bench.delegate.qwinkPages.first)
    #expect(page.items.map(\.id) == ["3", "2"] && page.damagedCount == 2)
  }

  @Test(arguments: [
    // Mastodon, GoToSocial, snac, Pleroma.
    #"<p>See <a href="https://e.org/a/b" rel="nofollow"><span class="invisible">https://</span>"#
      + #"<span class="">e.org/a/b</span></a> &amp; it&#39;s &lt;fine&gt;</p><p>Two</p>"#,
    #"<p>See <a href="https://e.org/a/b" rel="nofollow noreferrer">https://e.org/a/b</a>"#
      + #" &amp; it's &lt;fine&gt;</p><p>Two</p>"#,
    #"See <a href="https://e.org/a/b" target="_blank">https://e.org/a/b</a> & it's &lt;fine&gt;<br><br>Two<br>"#,
    #"See <a href="https://e.org/a/b" rel="ugc">https://e.org/a/b</a> &amp; it&#39;s &lt;fine&gt;<br/><br/>Two"#,
  ])
  func `HTML of four servers reads the same`(html: String) async throws {
    let (bench, _) = try await ask(
      { _ in
        let text = html.replacing("\"", with: "\\\"")
        return .json(Array(#"[{"id":"1","account":{"id":"1","acct":"ann"},"content":"\#(text)"}]"#.utf8))
      }, AnyRequest(.timeline(.home, limit: 40)))
    let text = try #require(bench.delegate.qwinkPages.first?.items.first?.text)
    let words = text.paragraphs.map { paragraph in
      paragraph.spans.map { if case .link(let url) = $0.kind { url } else { $0.text } }.joined()
    }
    #expect(words.joined(separator: "\n\n") == "See https://e.org/a/b & it's <fine>\n\nTwo")
  }
}
