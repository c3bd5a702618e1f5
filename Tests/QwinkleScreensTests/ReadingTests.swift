import HTTPTypes
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Read marks in a timeline, the line between new and read qwinks, and unread counts.
@MainActor
@Suite(.bounded) struct ReadingTests {
  private static let newSince = "── \(TimelineWords.newSinceStart) "

  private func rows(of screen: Screen) -> [String] {
    screen.lines.compactMap { line in
      // In a wide window the thread is behind the divider.
      let line = line.split(separator: "│", omittingEmptySubsequences: false).first ?? ""
      if line.contains(Self.newSince) { return "line" }
      guard let range = line.firstRange(of: "Qwink ") else { return nil }
      return String(line[range.upperBound...].prefix { $0.isNumber })
    }
  }

  private func mark(_ screen: Screen, _ name: TimelineName = .public) -> String? {
    screen.account.readPositions.mark(in: .timeline(name))?.id
  }

  /// Quits and saves the read positions, as the program does.
  private func quit(_ screen: Screen) async {
    screen.strike("^C", "^C")
    screen.account.readPositions.flush()
    await screen.settle()
    screen.account.outgoing?.close()
  }

  /// Reads down from the top of 30 qwinks, then quits.
  private func firstRun(_ server: ScriptedTimeline, in folder: TemporaryFolder) async throws {
    let screen = try await Screen.settled(server, in: folder)
    await screen.press("j", "j")
    #expect(mark(screen) == "30")
    await quit(screen)
  }

  @Test func `only the reader's actions mark qwinks as read`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server, in: folder)
    #expect(mark(screen) == nil)
    server.add([32, 31])
    await screen.pass(.seconds(60))
    #expect(mark(screen) == nil)
    await screen.press("j")
    // The two rows above are not visible.
    #expect(mark(screen) == "30" && screen.header.contains("1 Public •2"))
    #expect(screen.status.contains(StatusWords.newCount(2)))
    await screen.press("g", "g")
    #expect(mark(screen) == "32" && !screen.header.contains("•"))
    await screen.press("G")
    #expect(mark(screen) == "32")
    await quit(screen)
    server.add([33])
    let second = try await Screen.settled(server, in: folder)
    #expect(mark(second) == "32")
  }

  @Test func `rows that were visible before a page turn are read`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...60).reversed()))
    try Screen.keep(Array((1...58).reversed()), in: folder)
    let screen = try await Screen.settled(server, in: folder)
    await screen.press("g", "g")
    #expect(mark(screen) == "60")
    let other = try await Screen.settled(ScriptedTimeline(Array((1...60).reversed())))
    await other.press("Space")
    #expect(mark(other) == "60" && other.visible.first != 60)
  }

  @Test func `passing through a section marks nothing as read`() async throws {
    let server = ScriptedTimeline([1], home: Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    await screen.press("2", "1")
    #expect(mark(screen, .home) == nil)
    await screen.press("2", "j")
    #expect(mark(screen, .home) == "30")
  }

  @Test func `a row is read only once its end is visible`() async throws {
    let server = ScriptedTimeline()
    var tall = ScriptedTimeline.qwink(31)
    tall.text = RichText(plain: String(repeating: "Qwink 31 goes on. ", count: 120))
    server.add([tall] + (1...30).reversed().map(ScriptedTimeline.qwink))
    let folder = TemporaryFolder()
    try Screen.keep(Array((1...30).reversed()), in: folder)
    let screen = try await Screen.settled(server, in: folder)
    await screen.press("^Y")
    #expect(mark(screen) == "30")
    // Scroll to the last lines of the tall row.
    await screen.press("^Y", times: 3)
    #expect(mark(screen) == "31")
  }

  @Test func `the line is below the new qwinks and does not move while reading`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...30).reversed()))
    try await firstRun(server, in: folder)
    server.add([33, 32, 31])
    let screen = try await Screen.settled(server, in: folder)
    #expect(screen.status.contains(StatusWords.newCount(3)) && !screen.text.contains(Self.newSince))
    await screen.press("k", times: 3)
    #expect(rows(of: screen).prefix(4) == ["31", "line", "30", "29"], "\(screen.text)")
    // The newest read qwink is eight hours old.
    #expect(screen.lines.contains { $0.contains("\(Self.newSince)yesterday 16:10 ──") }, "\(screen.text)")
    await screen.press("g", "g")
    #expect(rows(of: screen).prefix(5) == ["33", "32", "31", "line", "30"])
    server.add([34])
    await screen.pass(.seconds(60))
    #expect(rows(of: screen).prefix(5) == ["33", "32", "31", "line", "30"])
    #expect(screen.status.contains(StatusWords.newCount(1)))
    await screen.press("k")
    #expect(rows(of: screen).prefix(6) == ["34", "33", "32", "31", "line", "30"])
  }

  @Test func `a refresh at the top and a new visit move the line`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()), home: [2, 1])
    let screen = try await Screen.settled(server)
    await screen.press("j", "g", "g")
    server.add([32, 31])
    await screen.press("R")
    #expect(rows(of: screen).prefix(4) == ["32", "31", "line", "30"], "\(screen.text)")
    #expect(mark(screen) == "32" && !screen.header.contains("•"))
    server.add([33])
    await screen.press("R")
    #expect(rows(of: screen).prefix(3) == ["33", "line", "32"])
    await screen.press("j", "2")
    server.add([34])
    await screen.press("1")
    #expect(screen.header.contains("1 Public •1"))
    await screen.press("g", "g")
    #expect(rows(of: screen).prefix(3) == ["34", "line", "33"])
  }

  @Test func `the line appears above the reader without moving other rows`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    await screen.press("j", "k")
    let before = screen.lines.dropFirst().dropLast(2).map { $0.dropLast(5) }
    server.add([31])
    await screen.pass(.seconds(60))
    #expect(screen.lines.dropFirst(2).dropLast(2).map { $0.dropLast(5) } == Array(before.dropFirst()))
    await screen.press("k")
    #expect(rows(of: screen).prefix(3) == ["31", "line", "30"])
  }

  @Test(arguments: [(12, 40), (24, 80), (30, 100), (40, 120)])
  func `a restart restores the same screen and line`(rows: Int, columns: Int) async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...30).reversed()))
    try await firstRun(server, in: folder)
    server.add([31])
    let screen = try await Screen.settled(server, rows: rows, columns: columns, in: folder, hidesMessages: true)
    await screen.press("g", "g")
    // Without the title, whose row count grows while rows load.
    let before = screen.lines.dropFirst(2).dropLast()
    #expect(before.contains { $0.contains(Self.newSince) })
    await quit(screen)
    let second = try Screen(server, rows: rows, columns: columns, in: folder, hidesMessages: true)
    #expect(second.lines.dropFirst(2).dropLast() == before)
    await second.settle()
    #expect(second.lines.dropFirst(2).dropLast() == before)
    // Later rows are new since the newest read row, not since the line.
    server.add([32])
    await second.pass(.seconds(60))
    await second.press("g", "g")
    #expect(self.rows(of: second).prefix(2) == ["32", "line"], "\(second.text)")
  }

  @Test func `a compact line uses one row and is spoken once in linear form`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...30).reversed()))
    try await firstRun(server, in: folder)
    server.add([32, 31])
    let screen = try await Screen.settled(server, in: folder)
    await screen.press("g", "z", "k", "k", "k")
    let line = screen.lines.firstIndex { $0.contains(Self.newSince) }
    #expect(line.map { screen.lines[$0 - 1].contains("Qwink 31") && screen.lines[$0 + 1].contains("Qwink 30") } == true)
    await quit(screen)
    server.add([33])
    let spoken = try await Screen.settled(server, in: folder, isLinear: true)
    let said = await spoken.hear("g", "g", "j", "j", "j")
    #expect(said.count(of: TimelineWords.saidNewSinceStart) == 1, "\(said)")
  }

  @Test func `Tab selects unread qwinks from the oldest up and then in other sections`()
    async throws
  {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...30).reversed()), home: Array((1...5).reversed()))
    let first = try await Screen.settled(server, in: folder)
    await first.press("j", "2", "j", "1")
    await quit(first)
    server.add([32, 31])
    server.add([7, 6], to: "home")
    let screen = try await Screen.settled(server, in: folder)
    await screen.press("Tab")
    #expect(screen.selected == 31 && screen.header.contains("1 Public •1"))
    await screen.press("Tab")
    #expect(screen.selected == 32 && !screen.header.contains("Public •"))
    await screen.press("2", "1", "Tab")
    #expect(screen.way.contains(Section.home.title) && screen.selected == 6, "\(screen.text)")
    await screen.press("Tab", "Tab")
    #expect(screen.selected == 7 && screen.status.contains(MainWords.nothingUnread))
  }

  @Test func `a position read in another client moves the read mark and the line`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline([1], home: Array((1...30).reversed()))
    let first = try await Screen.settled(server, in: folder)
    await first.press("2", "j")
    await quit(first)
    server.add([34, 33, 32, 31], to: "home")
    server.handle(.get, "/api/v1/markers") { _ in
      .json(WireEncoder.readPositions([ReadPosition(place: .home, lastReadID: "33", version: 4)]))
    }
    let screen = try await Screen.settled(server, in: folder)
    #expect(screen.header.contains("2 Home •1"), "\(screen.header)")
    await screen.press("g", "g")
    #expect(rows(of: screen).prefix(3) == ["34", "line", "33"])
    #expect(mark(screen, .home) == "34")
  }

  @Test func `the user's own qwinks are not new and a limited list is not marked as read`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    await screen.press("j")
    var mine = ScriptedTimeline.qwink(31)
    mine.author = .sample("mara")
    server.add([mine])
    await screen.pass(.seconds(60))
    #expect(!screen.status.contains(StatusWords.newAbove) && !screen.header.contains("•"))
    server.add([32])
    await screen.pass(.seconds(60))
    await screen.press("&")
    screen.type("Qwink 32")
    await screen.press("Enter", "j", "k")
    #expect(mark(screen) == "30")
  }

  @Test func `the line stays between its neighbours if the marked qwink is deleted`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...30).reversed()))
    try await firstRun(server, in: folder)
    server.replace(with: ([32, 31] + (1...29).reversed()).map(ScriptedTimeline.qwink))
    let screen = try await Screen.settled(server, in: folder)
    await screen.press("g", "g")
    #expect(rows(of: screen).prefix(4) == ["32", "31", "line", "29"], "\(screen.text)")
  }
}
