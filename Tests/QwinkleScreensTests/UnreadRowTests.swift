import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

/// In every list with a read mark, only rows that were visible count as read.
@MainActor
@Suite(.bounded) struct UnreadRowTests {
  private func count(_ screen: Screen, _ section: Section = .public) -> Int { screen.main.unread[section].count }

  /// Quits the way a user does.
  private func quit(_ screen: Screen) async {
    screen.strike("^C", "^C")
    screen.account.readPositions.flush()
    await screen.settle()
    screen.account.outgoing?.close()
  }

  /// A screen whose reader has read 30 rows. 35 unread rows are above them, without a gap.
  private func behind(_ server: ScriptedTimeline, in folder: TemporaryFolder = TemporaryFolder()) async throws -> Screen
  {
    let screen = try await Screen.settled(server, columns: 100, in: folder)
    await screen.press("j")
    server.add(Array((31...65).reversed()))
    await screen.pass(.seconds(60))
    #expect(count(screen) == 35)
    return screen
  }

  // MARK: Jumps

  @Test func `a jump to the top leaves rows unread until they were visible`() async throws {
    let screen = try await behind(ScriptedTimeline(Array((1...30).reversed())))
    await screen.press("g", "g")
    // The last visible row may be cut off.
    let visible = screen.visible.count
    #expect(visible < 12 && (35 - visible...36 - visible).contains(count(screen)), "\(screen.text)")
    #expect(screen.header.contains("1 Public •\(count(screen))"), "\(screen.header)")
    #expect(screen.account.readPositions.mark(in: .timeline(.public))?.id == "65")
    #expect(!screen.status.contains(StatusWords.newAbove))
    var before = count(screen)
    for _ in 0..<40 {
      await screen.press("j")
      #expect(count(screen) <= before)
      before = count(screen)
    }
    #expect(before == 0 && !screen.header.contains("•"), "\(screen.text)")
  }

  @Test func `skipped rows above the visible ones count as new`() async throws {
    let screen = try await behind(ScriptedTimeline(Array((1...30).reversed())))
    await screen.press("g", "g", "G")
    #expect(count(screen) > 20 && screen.status.contains(StatusWords.newCount(count(screen))), "\(screen.status)")
  }

  @Test func `R at the top marks only the visible rows as read`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press("j", "k")
    server.add(Array((31...33).reversed()))
    await screen.press("R")
    #expect(screen.selected == 33 && count(screen) == 0, "\(screen.text)")
    server.add(Array((34...63).reversed()))
    await screen.press("R")
    let visible = screen.visible.count
    #expect(screen.selected == 63 && (30 - visible...31 - visible).contains(count(screen)), "\(screen.text)")
  }

  @Test func `Tab moves up through skipped rows from the oldest`() async throws {
    let screen = try await behind(ScriptedTimeline(Array((1...30).reversed())))
    await screen.press("g", "g")
    let left = count(screen)
    await screen.press("Tab")
    #expect(screen.selected == 31 && count(screen) < left, "\(screen.text)")
    await screen.press("Tab", times: left)
    #expect(count(screen) == 0 && screen.status.contains(MainWords.nothingUnread), "\(screen.text)")
  }

  @Test func `skipped rows that the server removed aren't counted`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await behind(server)
    await screen.press("g", "g")
    let left = count(screen)
    server.replace(with: ((34...65).reversed() + (1...30).reversed()).map(ScriptedTimeline.qwink))
    await screen.press("R")
    #expect(count(screen) == left - 3, "\(screen.text)")
  }

  @Test func `rows that were visible and pushed down aren't skipped`() throws {
    func rows(_ numbers: some Sequence<Int>) -> [Timeline.Row] { numbers.map { .item(ScriptedTimeline.qwink($0)) } }
    func skipped(_ numbers: [Int]) -> [SkippedRow] { numbers.map { SkippedRow(ScriptedTimeline.qwink($0)) } }
    let all = rows((1...10).reversed())
    var news = NewRows()
    let former = ReadMark(ScriptedTimeline.qwink(1), readAt: nil)
    news.update(all, of: all, above: 0, mark: former, me: nil)
    let mark = try #require(
      news.mark(
        afterSeeing: 0..<2, and: Set(skipped([8, 7])), in: all, above: 0, from: former, me: nil,
        at: ScriptedTimeline.start))
    #expect(mark.id == "10" && mark.skipped == skipped([6, 5, 4, 3, 2]))
    news.update(all, of: all, above: 0, mark: mark, me: nil)
    #expect(news.unread == [4, 5, 6, 7, 8] && news.skippedElsewhere.isEmpty)
    news.update(rows([10, 9]), of: rows([10, 9]), above: 0, mark: mark, me: nil)
    #expect(news.unread.isEmpty && news.skippedElsewhere == mark.skipped)
  }

  @Test func `Tab reads a row taller than the screen and moves on`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline(Array((1...30).reversed())), columns: 100)
    await screen.press("j")
    var tall = ScriptedTimeline.qwink(31)
    tall.text = RichText(plain: String(repeating: "Qwink 31 goes on. ", count: 200))
    screen.server.add((32...65).reversed().map(ScriptedTimeline.qwink) + [tall])
    await screen.pass(.seconds(60))
    await screen.press("g", "g")
    let left = count(screen)
    await screen.press("Tab")
    #expect(screen.visible.contains(31) && count(screen) < left, "\(screen.text)")
    await screen.press("Tab")
    let selected = try #require(screen.selected, "\(screen.text)")
    #expect(selected > 31)
  }

  @Test func `more than 400 cached rows stay unread after a jump`() async throws {
    let (server, folder) = (ScriptedTimeline(Array((1...30).reversed())), TemporaryFolder())
    let first = try await Screen.settled(server, columns: 100, in: folder)
    await first.press("j")
    await quit(first)
    try Screen.keep(Array((1...650).reversed()), in: folder)
    server.add(Array((31...650).reversed()))
    let second = try await Screen.settled(server, columns: 100, in: folder)
    await second.press("g", "g", "j")
    #expect((600..<620).contains(count(second)), "\(second.text)")
  }

  // MARK: Skipped rows out of memory

  /// A screen with 100 cached rows. Row 20 is a boost and isn't in memory. The reader has read all but `skipped`.
  private func skipping(_ skipped: SkippedRow) async throws -> Screen {
    let folder = TemporaryFolder()
    let cache = try TimelineCache(directory: folder.path, ledger: ActivityLedger())
    let qwinks = (1...100).reversed().map { $0 == 20 ? boost : ScriptedTimeline.qwink($0) }
    cache.replace(qwinks.map { .init(.qwink($0)) }, of: .public, older: nil)
    cache.flush()
    let screen = try await Screen.settled(ScriptedTimeline(Array((1...100).reversed())), columns: 100, in: folder)
    await screen.press("j")
    skip(skipped, in: .timeline(.public), on: screen)
    #expect(count(screen) == 1 && screen.account.timelines.timeline(.public).items.count < 80, "\(screen.text)")
    return screen
  }

  /// A boost of qwink 20 as Mastodon sends it, with a separate id.
  private var boost: Qwink {
    var boost = ScriptedTimeline.qwink(20)
    boost.originalID = boost.id
    boost.id = "b20"
    boost.booster = .sample("zoe")
    boost.boostedAt = boost.createdAt
    return boost
  }

  private func skip(_ row: SkippedRow, in list: ReadList, on screen: Screen) {
    guard var mark = screen.account.readPositions.mark(in: list) else { return }
    mark.skip([row])
    screen.account.readPositions.read(list, upTo: mark)
  }

  @Test func `Tab finds a skipped boost in the cache`() async throws {
    let screen = try await skipping(SkippedRow(boost))
    await screen.press("Tab")
    #expect(screen.selected == 20 && count(screen) == 0, "\(screen.text)")
  }

  @Test func `Tab drops a skipped row that isn't cached`() async throws {
    let screen = try await skipping(SkippedRow(id: "gone", createdAt: ScriptedTimeline.qwink(20).createdAt))
    await screen.press("Tab")
    #expect(count(screen) == 0 && screen.status.contains(MainWords.nothingUnread), "\(screen.text)")
  }

  @Test func `Tab drops a skipped row that is hidden and doesn't scroll`() async throws {
    let screen = try await skipping(SkippedRow(boost))
    await screen.press(":")
    screen.type("hide boosts")
    await screen.press("Enter")
    let visible = screen.visible
    await screen.press("Tab")
    #expect(count(screen) == 0 && screen.visible == visible, "\(screen.text)")
  }

  @Test func `Tab drops nothing if the cache couldn't be searched`() async throws {
    let screen = try await skipping(SkippedRow(boost))
    // Another reader's rows must stay in memory.
    let other = Gate()
    screen.account.timelines.note(other, reads: [], isOnScreen: false, needsAll: false, in: .public)
    await screen.press("Tab")
    #expect(count(screen) == 1, "\(screen.text)")
    withExtendedLifetime(other) {}
  }

  // MARK: Other clients

  /// When another client's marker arrives. It always arrives before the rows below it.
  enum MarkerTime: CaseIterable {
    case atStart, inVisit, aboveGap
  }

  @Test(arguments: MarkerTime.allCases)
  func `rows read in another client aren't unread`(time: MarkerTime) async throws {
    let (server, folder) = (ScriptedTimeline([1], home: Array((1...30).reversed())), TemporaryFolder())
    var screen = try await Screen.settled(server, in: folder)
    await screen.press("2", "j")
    await screen.pass(.seconds(10))
    if time != .inVisit { await quit(screen) }
    let newest = time == .aboveGap ? 100 : 34
    server.add(Array((31...newest).reversed()), to: "home")
    server.handle(.get, "/api/v1/markers") { _ in
      .json(WireEncoder.readPositions([ReadPosition(place: .home, lastReadID: "\(newest)", version: 4)]))
    }
    let gate = Gate()
    server.holdTimelines(by: gate)
    if time == .inVisit { screen.advance(by: .seconds(60)) } else { screen = try Screen(server, in: folder) }
    let positions = screen.account.readPositions
    try await screen.wait(for: "the marker") { positions.mark(in: .timeline(.home))?.id == "\(newest)" }
    gate.open()
    await screen.settle()
    if time == .aboveGap { try await fillGap(of: .home, on: screen) }
    #expect(screen.account.timelines.timeline(.home).items.contains { $0.id == "31" }, "\(screen.text)")
    #expect(count(screen, .home) == 0, "\(screen.text)")
    #expect(positions.mark(in: .timeline(.home))?.skipped == [])
  }

  @Test func `rows of a skipped gap are unread once they load`() async throws {
    let (server, folder) = (ScriptedTimeline(Array((1...30).reversed())), TemporaryFolder())
    let first = try await Screen.settled(server, in: folder)
    await first.press("j")
    await quit(first)
    server.add(Array((31...100).reversed()))
    let screen = try await Screen.settled(server, in: folder)
    await screen.press("g", "g")
    let left = count(screen)
    try await fillGap(of: .public, on: screen)
    #expect(count(screen) == left + 30, "\(screen.text)")
  }

  private func fillGap(of name: TimelineName, on screen: Screen) async throws {
    let timelines = screen.account.timelines
    let gap = try #require(timelines.timeline(name).rows.compactMap(\.cursor).first)
    timelines.fillGap(gap, in: name, upwards: false)
    await screen.settle()
  }

  // MARK: Restarts, and sections that were not opened

  @Test func `skipped rows are still unread after a restart`() async throws {
    let (server, folder) = (ScriptedTimeline(Array((1...30).reversed())), TemporaryFolder())
    let first = try await behind(server, in: folder)
    await first.press("g", "g")
    let left = count(first)
    await quit(first)
    let second = try await Screen.settled(server, columns: 100, in: folder)
    #expect(left > 20 && count(second) == left, "\(second.text)")
  }

  @Test func `unread rows of an unopened timeline are counted from the cache`() async throws {
    let (server, folder) = (ScriptedTimeline(Array((1...30).reversed()), home: [3, 2, 1]), TemporaryFolder())
    let first = try await behind(server, in: folder)
    await first.press("g", "g", "2")
    let left = count(first)
    await quit(first)
    let second = try Screen(server, columns: 100, in: folder)
    // The first frame doesn't wait for the count.
    #expect(second.main.router.section == .home && count(second) == 0)
    let asked = server.paths.count
    await second.settle()
    #expect(left > 20 && count(second) == left, "\(second.header)")
    #expect(!server.paths.dropFirst(asked).contains { $0.contains("timelines/public") }, "\(server.paths)")
    await second.press("1")
    #expect(count(second) == left)
  }

  @Test func `a deleted row is no longer counted in an unopened timeline`() async throws {
    let (server, folder) = (ScriptedTimeline(Array((1...30).reversed()), home: [3, 2, 1]), TemporaryFolder())
    let first = try await behind(server, in: folder)
    await first.press("g", "g", "2")
    let left = count(first)
    await quit(first)
    let second = try await Screen.settled(server, columns: 100, in: folder)
    #expect(second.main.router.section == .home && count(second) == left, "\(second.header)")
    second.account.timelines.remove("40")
    await second.settle()
    #expect(count(second) == left - 1, "\(second.header)")
  }

  @Test func `a list without a mark counts nothing`() async throws {
    let folder = TemporaryFolder()
    try Screen.keep(Array((1...20).reversed()), of: .home, in: folder)
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1], home: Array((1...25).reversed())), in: folder)
    #expect(count(screen, .home) == 0 && count(screen) == 0)
    await screen.press("g", "g")
    #expect(count(screen) == 0)
  }

  // MARK: Notifications

  private func notifications(_ numbers: ClosedRange<Int>, read: Int?, on server: ScriptedTimeline) {
    let all = numbers.reversed().map { number in
      AccountNotification(
        id: AccountNotification.ID("\(number)"), kind: .followRequest,
        createdAt: ScriptedTimeline.start.addingTimeInterval(-60 * Double(100 - number)),
        qwinker: .sample("p\(number)"))
    }
    server.api.pages("GET /api/v1/notifications", of: all) { WireEncoder.notifications($0) }
    server.api.answer("GET /api/v1/markers") { _ in
      .json(
        WireEncoder.readPositions(
          read.map { [ReadPosition(place: .notifications, lastReadID: "\($0)", updatedAt: nil)] } ?? []))
    }
    server.api.answer("POST /api/v1/markers") { _ in .json(WireEncoder.readPositions([])) }
  }

  @Test func `notifications count as unread until they were visible`() async throws {
    let server = ScriptedTimeline([1])
    notifications(1...38, read: 3, on: server)
    let screen = try await Screen.settled(server, columns: 100)
    #expect(count(screen, .notifications) == 35, "\(screen.header)")
    await screen.press("4")
    let left = count(screen, .notifications)
    #expect((10..<35).contains(left), "\(screen.text)")
    await screen.press("j", times: 37)
    #expect(count(screen, .notifications) == 0, "\(screen.text)")
    // Rows look unread until the reader leaves.
    #expect(screen.lines.dropFirst(2).contains { $0.contains("•") }, "\(screen.text)")
    await screen.press("1", "4")
    #expect(!screen.lines.dropFirst(2).contains { $0.contains("•") }, "\(screen.text)")
  }

  @Test func `notifications without a mark are all read once the list is opened`() async throws {
    let server = ScriptedTimeline([1])
    notifications(1...38, read: nil, on: server)
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press("4")
    #expect(count(screen, .notifications) == 0, "\(screen.text)")
  }

  @Test func `skipped notifications older than the known ones are counted until removed`() async throws {
    let server = ScriptedTimeline([1])
    notifications(1...60, read: 60, on: server)
    let screen = try await Screen.settled(server, columns: 100)
    #expect(count(screen, .notifications) == 0, "\(screen.header)")
    // One is older than the 40 known notifications. The other lies between two known ones, so the server removed it.
    for (id, minutes) in [("gone", 59.5), ("5", 95.0)] {
      let time = ScriptedTimeline.start.addingTimeInterval(-60 * minutes)
      skip(SkippedRow(id: id, createdAt: time), in: .notifications, on: screen)
    }
    #expect(count(screen, .notifications) == 1, "\(screen.header)")
    notifications(1...61, read: 60, on: server)
    await screen.pass(.seconds(60))
    #expect(count(screen, .notifications) == 2, "\(screen.header)")
    #expect(screen.account.readPositions.mark(in: .notifications)?.skipped.map(\.id) == ["5"])
  }
}
