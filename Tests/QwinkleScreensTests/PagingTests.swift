import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct PagingTests {
  private let refused = TransportError.refused(host: ScriptedTimeline.host)

  @Test func `older pages load to the end as the reader moves down`() async throws {
    let server = ScriptedTimeline(Array((1...150).reversed()))
    let screen = try await Screen.settled(server)
    var ends: [Int] = []
    for _ in 0..<6 {
      await screen.press("G")
      ends.append(screen.selected ?? -1)
    }
    #expect(ends == [111, 71, 31, 1, 1, 1])
    #expect(screen.text.contains(PlaceholderWords.endOfList))
    #expect(server.paths.count { $0.contains("max_id") } == 3)
    await screen.press("g", "g")
    #expect(screen.selected == 150)
  }

  @Test func `repeated j selects each qwink once`() async throws {
    let server = ScriptedTimeline(Array((1...90).reversed()))
    let screen = try await Screen.settled(server)
    var seen: [Int] = [screen.selected ?? -1]
    for _ in 0..<89 {
      await screen.press("j")
      seen.append(screen.selected ?? -1)
    }
    #expect(seen == Array((1...90).reversed()))
  }

  @Test func `cached rows are shown without a request before the server's pages`() async throws {
    let folder = TemporaryFolder()
    try Screen.keep(Array((61...250).reversed()), olderThan: 61, in: folder)
    let server = ScriptedTimeline(Array((1...250).reversed()))
    let screen = try await Screen.settled(server, in: folder)
    var ends: [Int] = []
    while ends.count < 20, ends.last != 1 {
      await screen.press("G")
      ends.append(screen.selected ?? -1)
    }
    #expect(ends.last == 1)
    // One page after another: cached pages first, then the server's.
    #expect(zip(ends, ends.dropFirst()).allSatisfy { $0 - $1 <= 48 && $0 > $1 })
    #expect(Set(ends).isSuperset(of: [61, 21, 1]))
    #expect(server.paths.count { $0.contains("max_id") } == 2)
  }

  @Test func `a row marks missing qwinks and Enter fetches them`() async throws {
    let screen = try await gap(above: 30, of: 100)
    #expect(screen.status.contains(StatusWords.newCount(40, hasMore: true)))
    await screen.press("k")
    // 30 of the second page's 40 rows are missing.
    let missing = MissingCount(atLeast: 30, isExact: true)
    #expect(screen.text.contains(selectedGap(missing)), "\(screen.text)")
    await screen.press("k")
    #expect(screen.selected == 61)
    let unselected = withKeys(TimelineWords.gap(missing, loadedCount: nil, isSelected: false)[0])
    #expect(screen.text.contains(unselected) && !screen.text.contains(selectedGap(missing)))
    await screen.press("j", "Enter")
    #expect(!screen.text.contains(TimelineWords.notLoaded))
    #expect(await walk(screen, 100) == Array((1...100).reversed()))
  }

  /// Returns a screen with rows 1 to `kept` from an earlier run, and a gap between them and the newest of `count` rows.
  private func gap(above kept: Int, of count: Int, links: ScriptedTimeline.Links = .next) async throws -> Screen {
    let folder = TemporaryFolder()
    try Screen.keep(Array((1...kept).reversed()), in: folder)
    let server = ScriptedTimeline(Array((1...count).reversed()))
    server.sendLinks(links)
    return try await Screen.settled(server, in: folder)
  }

  /// The full text of a selected gap.
  private func selectedGap(_ missing: MissingCount) -> String {
    withKeys(TimelineWords.gap(missing, loadedCount: nil, isSelected: true)[0])
  }

  /// Returns the numbers of the rows from the top down.
  private func walk(_ screen: Screen, _ count: Int) async -> [Int] {
    await screen.press("g", "g")
    var seen: [Int] = []
    for _ in 0..<count {
      seen.append(screen.selected ?? -1)
      await screen.press("j")
    }
    return seen
  }

  @Test func `one key press fills a gap of many pages`() async throws {
    let screen = try await gap(above: 31, of: 250)
    await screen.press("k", "Enter")
    // One more page was requested to count the missing rows.
    #expect(screen.server.paths.count { $0.contains("max_id") } == 6)
    #expect(await walk(screen, 250) == Array((1...250).reversed()))
  }

  @Test func `a gap is filled from the reader's side if the server supports it`() async throws {
    let screen = try await gap(above: 31, of: 150, links: .both)
    await screen.press("k", "^Y", "^Y", "^Y", "^Y", "^Y")
    let former = row(of: 31, on: screen)
    let missing = MissingCount(atLeast: 40, isExact: false)
    #expect(former != nil && screen.text.contains(selectedGap(missing)), "\(screen.text)")
    let gate = Gate()
    screen.server.holdTimelines(by: gate)
    screen.strike("Enter")
    await screen.turn()
    #expect(screen.text.contains(withKeys(TimelineWords.gap(nil, loadedCount: 0, isSelected: true)[0])))
    gate.open()
    await screen.settle()
    #expect(screen.server.paths.filter { $0.contains("min_id=") }.map { $0.suffix(9) }.first == "min_id=30")
    // The reader was below the gap: the selection continues upwards and the rows there don't move.
    #expect(screen.selected == 32)
    #expect(row(of: 31, on: screen) == former)
    #expect(await walk(screen, 150) == Array((1...150).reversed()))
  }

  @Test func `a gap is filled from above if the reader was above it`() async throws {
    let screen = try await gap(above: 31, of: 150, links: .both)
    await screen.press("g", "g")
    await screen.press("j", times: 40)
    await screen.press("^E", times: 5)
    let former = screen.lines.firstIndex { $0.hasPrefix("▌") }
    await screen.press("Enter")
    #expect(screen.server.paths.contains { $0.contains("max_id=111") })
    #expect(!screen.server.paths.contains { $0.contains("min_id=") })
    #expect(screen.selected == 110)
    #expect(screen.lines.firstIndex { $0.hasPrefix("▌") } == former, "the reader's row stays where it is")
  }

  @Test func `a server without min_id always fills a gap from above`() async throws {
    let screen = try await gap(above: 31, of: 150, links: .none)
    await screen.press("k", "Enter")
    #expect(!screen.server.paths.contains { $0.contains("min_id=") })
    #expect(await walk(screen, 150) == Array((1...150).reversed()))
  }

  @Test(arguments: [["^D"], ["^F"], ["^E"], ["M-9", "j"], ["M-9", "M-9", "j"]])
  func `no move skips a gap`(keys: [String]) async throws {
    let screen = try await gap(above: 31, of: 150)
    await screen.press("g", "g")
    var stopped = false
    for _ in 0..<140 where !stopped {
      for key in keys { await screen.press(key) }
      let row = screen.selected
      stopped = screen.lines.contains { $0.hasPrefix("▌") && $0.contains(TimelineWords.notLoaded) }
      #expect(stopped || row.map { $0 > 110 } == true, "\(screen.text)")
      if !stopped, row.map({ $0 <= 110 }) ?? true { break }
    }
    #expect(stopped)
    // More presses move past the gap. Scrolling by line takes several to reach it.
    for _ in 0..<4 { for key in keys { await screen.press(key) } }
    #expect(!screen.lines.contains { $0.hasPrefix("▌·") })
  }

  @Test(arguments: ["G", "n"]) func `a jump across a gap is reported`(key: String) async throws {
    let screen = try await gap(above: 31, of: 150)
    await screen.press("/")
    screen.type("Qwink 2")
    await screen.press("Enter", "g", "g")
    await screen.pass(.seconds(6))
    #expect(!screen.status.contains(TimelineWords.passedGap))
    await screen.press(key)
    #expect(screen.status.contains(TimelineWords.passed(nil)), "\(screen.status)")
  }

  @Test func `a gap is shown in a list limited to matches`() async throws {
    let screen = try await gap(above: 31, of: 150)
    await screen.press("&")
    screen.type("Qwink 11")
    await screen.press("Enter", "G")
    // The first number is the title's.
    #expect(screen.visible.prefix(7) == [11, 116, 115, 114, 113, 112, 111], "\(screen.text)")
    #expect(screen.text.contains("····"))
  }

  @Test func `a gap without missing qwinks disappears once it is visible`() async throws {
    let screen = try await gap(above: 60, of: 100)
    #expect(await walk(screen, 100) == Array((1...100).reversed()))
    #expect(!screen.text.contains("····"))
  }

  /// The screen row of a qwink's text.
  private func row(of number: Int, on screen: Screen) -> Int? {
    screen.lines.firstIndex { $0.hasSuffix("Qwink \(number)") }
  }

  @Test func `filling a gap can be cancelled and leaves a smaller gap`() async throws {
    let screen = try await gap(above: 31, of: 250)
    await screen.press("k")
    let gate = Gate()
    screen.server.holdTimelines(by: gate)
    screen.strike("Enter")
    await screen.turn()
    screen.strike("^C")
    gate.open()
    await screen.settle()
    #expect(screen.server.paths.count { $0.contains("max_id") } == 2)
    #expect(screen.text.contains(selectedGap(MissingCount(atLeast: 40, isExact: false))))
    await screen.press("Enter")
    #expect(await walk(screen, 250) == Array((1...250).reversed()))
  }

  @Test func `paging reaches the end without Link headers and a refresh leaves a gap`() async throws {
    let server = ScriptedTimeline(Array((1...100).reversed()))
    server.sendLinks(.none)
    let screen = try await Screen.settled(server)
    for _ in 0..<4 { await screen.press("G") }
    #expect(screen.selected == 1)
    server.add(Array((101...160).reversed()))
    await screen.press("g", "g")
    await screen.press("j", "R")
    #expect(screen.status.contains(StatusWords.newCount(40, hasMore: true)))
    await screen.press("g", "g")
    await screen.press("j", times: 40)
    await screen.press("Enter")
    #expect(await walk(screen, 160) == Array((1...160).reversed()))
  }

  @Test func `paging reaches the end if the server ignores the limit and sends no Link headers`() async throws {
    let server = ScriptedTimeline(Array((1...70).reversed()))
    server.sendLinks(.none)
    server.limitRows(to: 20)
    let screen = try await Screen.settled(server)
    for _ in 0..<6 { await screen.press("G") }
    #expect(screen.selected == 1)
    #expect(screen.text.contains(PlaceholderWords.endOfList))
  }

  @Test func `Link headers with another scheme and port are followed`() async throws {
    let server = ScriptedTimeline(Array((1...100).reversed()))
    server.sendLinks(.proxied)
    let screen = try await Screen.settled(server)
    for _ in 0..<4 { await screen.press("G") }
    #expect(screen.selected == 1)
    #expect(screen.text.contains(PlaceholderWords.endOfList))
  }

  @Test func `late qwinks are inserted at their position and stay there after a restart`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server, in: folder)
    await screen.press("j", times: 8)
    let selected = screen.selected
    let row = screen.lines.firstIndex { $0.hasPrefix("▌") }
    server.addLate(501, below: 28)
    server.addLate(502, below: 12)
    server.add([31])
    await screen.pass(.seconds(60))
    #expect(screen.selected == selected)
    #expect(screen.lines.firstIndex { $0.hasPrefix("▌") } == row)
    #expect(await walk(screen, 33) == server.numbers())
    let unreachable = ScriptedTimeline()
    unreachable.failTimelines(with: .refused(host: ScriptedTimeline.host))
    let second = try await Screen.settled(unreachable, in: folder)
    let kept = await walk(second, 33)
    #expect(kept == server.numbers())
  }

  @Test func `the selected row is visible after a gap is filled`() async throws {
    let screen = try await gap(above: 30, of: 100)
    await screen.press("g", "g")
    await screen.press("j", times: 40)
    #expect(screen.text.contains(selectedGap(MissingCount(atLeast: 30, isExact: true))))
    await screen.press("Enter")
    #expect(screen.visible.contains(61))
    #expect(screen.visible.contains(60))
    #expect(screen.selected == 60)
  }

  @Test func `filling a gap keeps the cached rows below it`() async throws {
    let screen = try await gap(above: 200, of: 270)
    await screen.press("k", "Enter")
    for _ in 0..<9 { await screen.press("G") }
    #expect(screen.selected == 1)
  }

  @Test func `a gap that cannot be filled stays and the bar shows the error`() async throws {
    let screen = try await gap(above: 30, of: 100)
    screen.server.failPages(with: refused)
    await screen.press("k", "Enter")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains(TimelineWords.notLoaded) })
    #expect(screen.status.contains(ScriptedTimeline.unreachable))
    screen.server.failPages(with: nil)
    await screen.press("Enter")
    #expect(!screen.status.contains(ScriptedTimeline.unreachable))
  }

  @Test func `a failed older page is fetched again when the reader moves on`() async throws {
    let server = ScriptedTimeline(Array((1...60).reversed()))
    let screen = try await Screen.settled(server)
    server.failPages(with: refused)
    await screen.press("G")
    #expect(screen.selected == 21)
    #expect(screen.status.contains(ScriptedTimeline.unreachable))
    server.failPages(with: nil)
    await screen.press("R", "G", "G")
    #expect(screen.selected == 1)
  }

  @Test func `older pages load after a post sent before the first response`() async throws {
    let server = ScriptedTimeline(Array((1...60).reversed()))
    let gate = Gate()
    server.holdTimelines(by: gate)
    let screen = try Screen(server)
    screen.strike("c")
    screen.type("First!")
    // The default visibility loads with the account. Until then, ^D is refused.
    try await screen.wait(for: "the account") { screen.account.identity.usualVisibility != nil }
    screen.strike("^D")
    try await screen.wait(for: "the post's answer") {
      !server.posted.isEmpty && !screen.text.contains(EntryWords.posting)
    }
    gate.open()
    await screen.settle()
    #expect(screen.text.contains("First!"))
    await screen.press("G", "G", "G")
    #expect(screen.selected == 1)
  }
}
