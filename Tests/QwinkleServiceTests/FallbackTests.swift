import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// Deviations of some servers.
@MainActor
@Suite(.bounded) struct FallbackTests {
  private static let author = #""account":{"id":"2","acct":"al"}"#

  private func download<Answer>(
    _ request: Request<Answer>, _ bodies: [(body: String, status: Int)]
  ) async -> (answers: [Answer], errors: [DownloadError], paths: [String]) {
    let answers = Answers(bodies)
    let transport = ScriptedTransport { _ in await answers.next() }
    let bench = Bench(transport, token: "secret")
    await bench.run(request)
    return (
      bench.delegate.answers.compactMap { $0 as? Answer }, bench.delegate.errors,
      transport.requests.compactMap(\.head.path)
    )
  }

  @Test func `notifications are requested without types when the server rejects the types`() async throws {
    let one = #"[{"id":"3","type":"follow","created_at":"2026-01-01T00:00:00.000Z",\#(Self.author)}]"#
    let heard = await download(
      .notifications(limit: 20, of: [.boosts]), [(#"{"error":"unknown type"}"#, 400), (one, 200)])
    #expect(heard.errors.isEmpty && heard.answers.first?.items.map(\.id) == ["3"])
    #expect(
      heard.paths == ["/api/v1/notifications?limit=20&types%5B%5D=reblog", "/api/v1/notifications?limit=20"])
    let refused = await download(.notifications(limit: 20, of: [.boosts]), [(#"{"error":"no"}"#, 403)])
    #expect(refused.errors.count == 1 && refused.paths.count == 1)
  }

  @Test func `a boost's response is read as the boosted original`() async throws {
    let original = #"{"id":"1","content":"<p>hi</p>","reblogged":true,"reblogs_count":4,\#(Self.author)}"#
    let boost = #"{"id":"9","reblogged":true,"reblogs_count":0,"account":{"id":"3","acct":"me"},"reblog":\#(original)}"#
    for answer in [boost, original] {
      let heard = await download(.react("1", .boost, isOn: true), [(answer, 200)])
      guard let qwink = heard.answers.first else {
        Issue.record("no qwink")
        continue
      }
      #expect(qwink.id == "1" && qwink.originalID == "1" && qwink.booster == nil && qwink.boostedAt == nil)
      #expect(qwink.author.id == "2")
      #expect(qwink.isBoosted)
      #expect(qwink.boostsCount == 4)
    }
  }

  @Test(arguments: Reaction.allCases, [true, false])
  func `a reaction shows at once even if the response is stale`(reaction: Reaction, isOn: Bool) async throws {
    let flags = #""reblogged":\#(!isOn),"favourited":\#(!isOn),"bookmarked":\#(!isOn)"#
    let stale = #"{"id":"1",\#(flags),"reblogs_count":2,"favourites_count":2,\#(Self.author)}"#
    let heard = await download(.react("1", reaction, isOn: isOn), [(stale, 200)])
    guard let qwink = heard.answers.first else {
      Issue.record("no qwink")
      return
    }
    #expect(qwink.has(reaction) == isOn)
    for other in Reaction.allCases where other != reaction { #expect(qwink.has(other) != isOn) }
    if reaction == .favourite { #expect(qwink.favouritesCount == (isOn ? 3 : 1)) }
  }

  @Test func `a single relationship is accepted in place of a list`() async {
    for answer in [#"{"id":"7","following":true}"#, #"[{"id":"7","following":true}]"#] {
      let heard = await download(.relationship("7"), [(answer, 200)])
      guard let relationship = heard.answers.first else {
        Issue.record("no relationship")
        continue
      }
      #expect(relationship == Relationship(id: "7", isFollowing: true))
    }
    #expect(await download(.relationship("7"), [("[]", 200)]).errors.count == 1)
  }

  @Test func `search falls back to v1 when v2 is missing`() async {
    let found = #"{"accounts":[],"statuses":[],"hashtags":["one"]}"#
    for (body, status) in [("{\"error\":\"Not Found\"}", 404), ("<html>", 200)] {
      let heard = await download(.search("one", limit: 5), [(body, status), (found, 200)])
      #expect(heard.paths.map { $0.prefix { $0 != "?" } } == ["/api/v2/search", "/api/v1/search"])
      #expect(Set(heard.paths.map { $0.drop { $0 != "?" } }) == ["?q=one&resolve=true&limit=5"])
      guard let results = heard.answers.first else {
        Issue.record("nothing found")
        continue
      }
      #expect(results.tags == [Tag(name: "one")])
    }
    let heard = await download(.search("one", limit: 5), [("", 404), ("", 404)])
    #expect(heard.errors == [.notFound(host: "tilde.example", message: "")])
    #expect(await download(.search("one", limit: 5), [("", 422)]).paths.count { $0.contains("/search") } == 1)
  }

  @Test(arguments: [(500, true), (404, true), (502, false), (503, false)])
  func `instance info falls back to v1 unless the server is only down`(
    status: Int, asksFirst: Bool
  ) async {
    let heard = await download(.serverInfo, [("", status), (#"{"uri":"tilde.example","title":"Tilde"}"#, 200)])
    #expect(heard.paths == ["/api/v2/instance"] + (asksFirst ? ["/api/v1/instance"] : []))
    #expect(heard.answers.map(\.title) == (asksFirst ? ["Tilde"] : []))
  }

  @Test func `a signed-out search does not resolve remote accounts`() async {
    let transport = ScriptedTransport { _ in .json(WireEncoder.searchResults(SearchResults())) }
    await Bench(transport).run(.search("one", limit: 5))
    #expect(transport.requests.map(\.head.path) == ["/api/v2/search?q=one&limit=5"])
  }

  @Test func `a conflicting read position is not sent again`() async {
    let request = Request.setReadPositions([ReadPosition(place: .home, lastReadID: "5")])
    let heard = await download(request, [("{\"error\":\"Conflict\"}", 409), ("{}", 200)])
    #expect(heard.paths == ["/api/v1/markers"] && heard.answers.isEmpty)
    #expect(heard.errors == [.unexpectedStatus(host: "tilde.example", status: 409)])
  }

  @Test func `an empty list succeeds and a list of unreadable items fails`() async {
    await expectNobodyIsToldFromDamage(in: .conversations(limit: 5))
    await expectNobodyIsToldFromDamage(in: .notifications(limit: 5))
    await expectNobodyIsToldFromDamage(in: .qwinkers(.followers("1"), limit: 5))
  }

  private func expectNobodyIsToldFromDamage<Item>(in request: Request<Page<Item>>) async {
    let none = await download(request, [("[]", 200)])
    #expect(none.answers.count == 1 && none.errors.isEmpty)
    let damaged = await download(request, [("[{}]", 200)])
    #expect(damaged.answers.isEmpty && damaged.errors.count == 1)
  }
}

/// Responses given one after another; the last one repeats.
private actor Answers {
  private var bodies: [(body: String, status: Int)]

  init(_ bodies: [(body: String, status: Int)]) {
    self.bodies = bodies
  }

  func next() -> TransportResponse {
    let (body, status) = bodies.count > 1 ? bodies.removeFirst() : bodies[0]
    return .text(body, status: status)
  }
}
