import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Terminal
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct SearchTests {
  private static let call = "GET /api/v2/search"
  nonisolated private static let alice = Qwinker.sample("alice", displayName: "Alice Liddell")
  nonisolated private static let chard = Qwink.sample(id: "7", text: "The chard survives.", author: alice)
  nonisolated private static let all = SearchResults(
    qwinkers: [alice], qwinks: [chard], tags: [Tag(name: "garden", usesCount: 12)])

  private func bench(
    _ results: SearchResults = all, query: String = "", rows: Int = 24, columns: Int = 80
  ) async throws -> (Bench, SearchViewController) {
    let bench = try Bench(rows: rows, columns: columns)
    set(results, in: bench.api)
    let screen = SearchViewController(query: query, account: bench.account)
    screen.navigator = bench.navigator
    await bench.show(screen)
    return (bench, screen)
  }

  private func set(_ results: SearchResults, in api: ScriptedAPI) {
    api.answer(Self.call) { _ in .json(WireEncoder.searchResults(results)) }
  }

  @Test func `Enter searches for the typed text and no request is sent before`() async throws {
    let (bench, _) = try await bench()
    #expect(bench.text.contains(SearchWords.about))
    await bench.type("chard?1c")
    #expect(bench.api.asked.isEmpty)
    await bench.press("Enter")
    #expect(bench.api.asked.filter { $0.contains("/search") }.count == 1)
    #expect(bench.api.asked[0].contains("q=chard%3F1c&resolve=true"))
    let lines = bench.lines
    let found = [
      SearchWords.people, "Alice Liddell  @alice", SearchWords.tags, "#garden", SearchWords.qwinks,
      "The chard survives.",
    ]
    let rows = found.map { words in
      lines.firstIndex { $0.contains(words) } ?? -1
    }
    #expect(rows == rows.sorted() && !rows.contains(-1), "\(rows)")
    #expect(bench.text.contains(SearchWords.found(3)))
    #expect(bench.text.contains(SearchWords.recentUses(12)))
  }

  @Test func `the first screen shows the key for the focused part`() async throws {
    let (bench, _) = try await bench()
    #expect(bench.text.contains(keyHint(SearchWords.enterSearches)))
    await bench.press("Esc")
    #expect(bench.text.contains(keyHint(SearchWords.slashStarts)))
  }

  @Test func `the prompt's symbol shows the focus even after a click`() async throws {
    let (bench, _) = try await bench()
    await bench.type("chard")
    await bench.press("Enter")
    let row = try #require(bench.lines.firstIndex { $0.contains("chard") })
    let sign = try #require(bench.lines[row].firstIndex { $0 != " " })
    let column = bench.lines[row].distance(from: bench.lines[row].startIndex, to: sign)
    func style() -> TextStyle? { bench.driver.frames.last?.grid[row, column].style }
    let inList = style()
    bench.driver.mouse(.press, row: row, column: column + 4)
    await bench.settle()
    let inField = style()
    #expect(inField != nil && inField != inList)
    bench.driver.mouse(.press, row: row + 5, column: column + 4)
    await bench.settle()
    #expect(style() == inList)
  }

  @Test func `Enter opens the selected result`() async throws {
    let (bench, _) = try await bench(query: "chard")
    await bench.press("Esc", "Enter", "j", "Enter", "j", "Enter")
    #expect(bench.navigator.places == [.qwinker(Self.alice), .timeline(.tag("garden")), .thread(Self.chard)])
  }

  @Test(arguments: ["https://example.org/@bob/1", "@bob@example.org", "bob@example.org"])
  func `an address with one result opens it`(words: String) async throws {
    let bob = Qwinker.sample("bob")
    let (bench, _) = try await bench(SearchResults(qwinkers: [bob]), query: words)
    #expect(bench.navigator.places == [.qwinker(bob)])
  }

  @Test func `text with one result and an address with several open nothing by themselves`()
    async throws
  {
    let (one, _) = try await bench(SearchResults(qwinkers: [Self.alice]), query: "alice")
    #expect(one.navigator.places.isEmpty && one.text.contains("Alice Liddell"), "\(one.text)")
    let (several, _) = try await bench(query: "https://example.org/x")
    #expect(several.navigator.places.isEmpty && several.text.contains(SearchWords.found(3)), "\(several.text)")
  }

  @Test func `results stay visible during the next search`() async throws {
    let (bench, _) = try await bench(query: "chard")
    let gate = Gate()
    bench.api.hold(Self.call, by: gate)
    await bench.press("Esc", "/", "^U")
    bench.driver.type("basil")
    bench.driver.press("Enter")
    await bench.turn()
    #expect(bench.text.contains(SearchWords.searchingNote))
    #expect(bench.text.contains("The chard survives."))
    set(SearchResults(), in: bench.api)
    gate.open()
    await bench.settle()
    #expect(!bench.text.contains("The chard survives."))
    #expect(bench.text.contains(SearchWords.nothing(for: "basil")))
  }

  @Test func `a failure shows its reason and keeps the earlier results`() async throws {
    let (bench, screen) = try await bench(query: "chard")
    bench.api.fail(Self.call, with: .refused(host: ScriptedAPI.host))
    await bench.press("Esc", "R")
    #expect(bench.text.contains("The chard survives."))
    #expect(screen.status.state.error != nil)
    #expect(screen.status.state.offlineSince != nil)
    bench.api.fail(Self.call, with: nil)
    await bench.press("R")
    #expect(screen.status.state.error == nil)

    let empty = try Bench()
    empty.api.fail(Self.call, with: .refused(host: ScriptedAPI.host))
    await empty.show(SearchViewController(query: "chard", account: empty.account))
    #expect(empty.text.contains(ScriptedTimeline.unreachable))
    #expect(empty.text.contains(keyHint(PlaceholderWords.retries)))
  }

  @Test func `slash and i focus the prompt and Esc discards the edit`() async throws {
    let (bench, _) = try await bench(query: "chard")
    for key in ["/", "i"] {
      await bench.press("Esc", key)
      await bench.type("x")
      #expect(bench.rows[0].contains("chardx"))
      await bench.press("Esc")
      #expect(bench.rows[0].contains("chard") && !bench.rows[0].contains("chardx"))
    }
    #expect(bench.api.asked.filter { $0.contains("/search") }.count == 1)
  }

  @Test func `the prompt accepts every key except Enter and Esc`() async throws {
    let (bench, _) = try await bench()
    await bench.type("q1?Rjk:/c")
    await bench.press("Tab", "S-Tab", "PgDn")
    #expect(bench.rows[0].contains("q1?Rjk:/c"))
    #expect(bench.navigator.places.isEmpty)
  }

  @Test func `an empty prompt sends no request`() async throws {
    let (bench, _) = try await bench()
    await bench.press("Enter")
    await bench.type("   ")
    await bench.press("Enter")
    #expect(bench.api.asked.isEmpty)
  }

  @Test func `an empty field clears the results`() async throws {
    let (bench, _) = try await bench(query: "chard")
    #expect(bench.text.contains(SearchWords.found(3)))
    await bench.press("/", "^U", "Enter")
    #expect(!bench.text.contains(SearchWords.found(3)) && !bench.text.contains("The chard survives."), "\(bench.text)")
    #expect(bench.text.contains(SearchWords.about))
  }

  @Test func `a restored search is sent when it is first shown and opens nothing`() async throws {
    let bench = try Bench(rows: 24, columns: 80)
    set(SearchResults(qwinkers: [.sample("bob", id: "7")]), in: bench.api)
    let screen = SearchViewController(account: bench.account)
    screen.navigator = bench.navigator
    screen.decodeRestorableState(with: ["words": "@bob@example.org"])
    #expect(bench.api.asked.isEmpty)
    await bench.show(screen)
    #expect(bench.api.asked.filter { $0.contains("/search") }.count == 1)
    #expect(bench.text.contains(SearchWords.found(1)), "\(bench.text)")
    #expect(bench.navigator.places.isEmpty)
  }

  @Test func `the hints, the screen and the empty result show the same key`() async throws {
    let server = ScriptedTimeline([1])
    server.setAnswer(WireEncoder.searchResults(SearchResults()), of: "/api/v2/search")
    let screen = try await Screen.settled(server)
    await screen.press("6", "Esc")
    let hint = try Screen.hint(for: .searchEdit)
    #expect(screen.text.contains(keyHint(SearchWords.slashStarts)), "\(screen.text)")
    #expect(screen.status.contains(hint), "\(screen.status)")
    await screen.press("/")
    screen.type("quince")
    await screen.press("Enter")
    #expect(screen.text.contains(keyHint(SearchWords.slashEdits)), "\(screen.text)")
    #expect(screen.status.contains(hint), "\(screen.status)")
    #expect(!screen.status.contains("i\(hint.dropFirst())"))
  }

  @Test func `only URLs and full addresses name one thing`() {
    for words in [
      "https://example.org/x", "HTTP://example.org", "@bob@example.org", "bob@example.org", "@bob@localhost",
    ] {
      #expect(SearchHits.namesOneThing(words), "\(words)")
    }
    for words in ["bob", "@bob", "#tag", "mail me@home", "a@b", "@", "@@", "https", ""] {
      #expect(!SearchHits.namesOneThing(words), "\(words)")
    }
  }
}
