import FoundationEssentials
import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Filters that keys and commands create: mutes of hashtags, and filters of single posts. Also the list of a filter's
/// matches.
@MainActor
@Suite(.bounded) struct FilterUseTests {
  /// The filters of a scripted server.
  private final class Filters: Sendable {
    let all: Mutex<[ContentFilter]>

    init(_ filters: [ContentFilter] = []) { all = Mutex(filters) }

    var titles: [String] { all.withLock { $0.map(\.title) } }

    /// Answers requests about filters, and marks the matches of the filters in both timelines.
    func script(_ server: ScriptedTimeline, new: ContentFilter) {
      @Sendable func change(_ body: (inout [ContentFilter]) -> Void) {
        let filters = all.withLock { filters in
          body(&filters)
          return filters
        }
        server.replace(
          with: FilterUseTests.qwinks.map { qwink in
            var qwink = qwink
            qwink.filterMatches = filters.compactMap { $0.match(of: qwink) }
            return qwink
          })
      }
      server.api.answer("GET /api/v2/filters") { _ in .json(WireEncoder.filters(self.all.withLock { $0 })) }
      server.api.answer("POST /api/v2/filters") { _ in
        change { $0.append(new) }
        return .json(WireEncoder.filter(new))
      }
      server.api.answer("DELETE /api/v2/filters/\(new.id)") { _ in
        change { $0.removeAll { $0.id == new.id } }
        return .json(Array("{}".utf8))
      }
      server.api.answer("POST /api/v2/filters/\(new.id)/statuses") { _ in
        change { $0[0].statuses.append("2") }
        return .json(WireEncoder.filteredQwink(FilteredQwink(id: "91", qwink: "2")))
      }
      server.api.answer("DELETE /api/v2/filters/statuses/91") { _ in
        change { $0[0].statuses = [] }
        return .json(Array("{}".utf8))
      }
    }
  }

  /// Three posts, of which two have the hashtag.
  nonisolated private static let qwinks = [3, 2, 1].map { number in
    Qwink.sample(
      id: Qwink.ID("\(number)"), text: "Qwink \(number)\(number == 2 ? "" : " #garden")", author: .sample("bob"),
      at: ScriptedTimeline.start)
  }

  private static var mute: ContentFilter {
    var filter = ContentFilter.muting(tag: "garden")
    filter.id = "9"
    return filter
  }

  private func server(_ filters: Filters, new: ContentFilter = mute) -> ScriptedTimeline {
    let server = ScriptedTimeline()
    server.add(Self.qwinks)
    server.add([Self.qwinks[0], Self.qwinks[2]], to: "garden")
    filters.script(server, new: new)
    return server
  }

  // MARK: Hashtags

  @Test func `M on a hashtag's page mutes the hashtag, and again unmutes it`() async throws {
    let filters = Filters()
    let server = server(filters)
    let screen = try await Screen.settled(server)
    await screen.command("tag garden")
    await screen.press("M")
    #expect(filters.titles == ["#garden"])
    let body = server.api.bodies(of: "POST /api/v2/filters").first ?? ""
    #expect(body.contains("#garden") && body.contains("\"hide\"") && !body.contains("account"), "\(body)")
    #expect(screen.status.contains(ManagedListWords.muted("garden", isOn: true, seconds: nil)), "\(screen.status)")
    await screen.press("M")
    #expect(filters.titles.isEmpty)
    #expect(screen.status.contains(ManagedListWords.muted("garden", isOn: false, seconds: nil)), "\(screen.status)")
  }

  @Test func `muting a hashtag hides its posts at once, and u shows them again`() async throws {
    let filters = Filters()
    let screen = try await Screen.settled(server(filters))
    #expect(screen.visible == [3, 2, 1])
    await screen.command("mute-tag #garden for 2d")
    #expect(screen.visible == [2], "\(screen.text)")
    #expect(screen.status.contains("#garden muted for 2 days"), "\(screen.status)")
    await screen.press("u")
    #expect(filters.titles.isEmpty && screen.visible == [3, 2, 1], "\(screen.text)")
  }

  @Test func `mute-tag without a name needs a hashtag's page`() async throws {
    let filters = Filters()
    let screen = try await Screen.settled(server(filters))
    await screen.command("mute-tag")
    #expect(screen.text.contains(HidingWords.refusal(of: .muteTag(seconds: nil))), "\(screen.text)")
    await screen.command("mute-tag garden for ever")
    #expect(screen.text.contains(":mute-tag NAME for TIME"), "\(screen.text)")
    #expect(filters.titles.isEmpty)
  }

  // MARK: Single posts

  @Test func `a post is added to the filter for single posts, which is created first`() async throws {
    let hidden = ContentFilter(id: "9", title: ContentFilter.hiddenPostsTitle, hides: true)
    let filters = Filters()
    let server = server(filters, new: hidden)
    let screen = try await Screen.settled(server)
    await screen.press("j")
    await screen.command("filter-post")
    #expect(filters.titles == [ContentFilter.hiddenPostsTitle])
    #expect(server.api.bodies(of: "POST /api/v2/filters/9/statuses").first?.contains("\"2\"") == true)
    #expect(screen.visible == [3, 1], "\(screen.text)")
    #expect(screen.status.contains(ManagedListWords.filtered(by: hidden)), "\(screen.status)")
    await screen.press("u")
    #expect(server.api.asked.contains("DELETE /api/v2/filters/statuses/91"))
    #expect(screen.visible == [3, 2, 1], "\(screen.text)")
  }

  @Test func `an unknown filter is reported and nothing is created`() async throws {
    let filters = Filters()
    let screen = try await Screen.settled(server(filters))
    await screen.command("filter-post Boats")
    #expect(screen.text.contains(ManagedListWords.noFilter("Boats")), "\(screen.text)")
    #expect(filters.titles.isEmpty && screen.visible == [3, 2, 1])
  }

  // MARK: Matches

  @Test func `a filter's matches are listed uncovered, also when the filter hides them`() async throws {
    let bench = try Bench()
    let filter = ContentFilter(
      id: "9", title: "Weather", hides: true, keywords: [.init(text: "rain")], statuses: ["4"])
    var qwinks = [4, 3, 2, 1].map { number in
      Qwink.sample(
        id: Qwink.ID("\(number)"), text: number.isMultiple(of: 2) ? "Sun \(number)" : "Rain \(number)",
        author: .sample("bob"), at: ScriptedTimeline.start.addingTimeInterval(Double(number)))
    }
    for index in [0, 1, 3] {
      qwinks[index].filterMatches = [FilterMatch(id: "9", title: "Weather", hides: true, contexts: ["home"])]
    }
    // Another filter hides this one.
    qwinks[3].filterMatches.append(FilterMatch(id: "8", title: "One", hides: true, contexts: ["home"]))
    bench.cache.merge(Page(items: qwinks), at: .newest, in: .public)
    await bench.ledger.settle()
    _ = await SearchCache(of: bench.cache).findInAll("rain", limit: 1)
    let screen = FilterMatchesViewController(filter, account: bench.account)
    screen.navigator = bench.navigator
    await bench.show(screen)
    #expect(screen.rows.map(\.id) == ["4", "3"], "\(bench.text)")
    #expect(bench.text.contains("Rain 3") && bench.text.contains("Sun 4"), "\(bench.text)")
    #expect(!bench.text.contains("Filtered:"), "\(bench.text)")
    #expect(screen.title == "Filter: Weather")
  }

  @Test func `a listed match withholds its quote as soon as the quoted post is deleted`() async throws {
    let bench = try Bench()
    let filter = ContentFilter(id: "9", title: "Weather", keywords: [.init(text: "rain")])
    var qwink = Qwink.sample(id: "3", text: "Rain 3", author: .sample("bob"), at: ScriptedTimeline.start)
    qwink.quote = Qwink.Quote(id: "77", author: .sample("eve"), text: RichText(plain: "Umbrellas"))
    bench.cache.merge(Page(items: [qwink]), at: .newest, in: .public)
    await bench.ledger.settle()
    _ = await SearchCache(of: bench.cache).findInAll("rain", limit: 1)
    let screen = FilterMatchesViewController(filter, account: bench.account)
    screen.navigator = bench.navigator
    await bench.show(screen)
    try #require(bench.text.contains("Umbrellas"), "\(bench.text)")
    bench.account.timelines.remove("77")
    await bench.settle()
    #expect(!bench.text.contains("Umbrellas"), "\(bench.text)")
    #expect(bench.text.contains(QuoteWords.withheld(.deleted)), "\(bench.text)")
  }

  @Test func `a key in the list of filters and a command list a filter's matches`() async throws {
    let filters = Filters([Self.mute])
    let screen = try await Screen.settled(server(filters))
    await screen.command("filters")
    await screen.press("m")
    #expect(screen.way.contains(ManagedListWords.matches(of: Self.mute)), "\(screen.text)")
    await screen.press("q", "q")
    await screen.command("filter-matches #garden")
    #expect(screen.way.contains(ManagedListWords.matches(of: Self.mute)), "\(screen.text)")
  }
}
