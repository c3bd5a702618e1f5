import PaneKit
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The header names the sections in every window that is wide enough, and numbers them otherwise.
@MainActor
@Suite(.bounded) struct HeaderTests {
  private static let names = ["1 Public", "2 Home", "3 Messages", "4 Notifications", "5 Bookmarks", "6 Search"]

  /// The first column of each section.
  private func places(_ screen: Screen) -> [Int] {
    (1...6).compactMap { number in
      screen.header.firstRange(of: " \(number)").map { screen.header[..<$0.lowerBound].count }
    }
  }

  @Test func `at 80 columns all sections are named next to the connection`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    let names = Self.names.map { $0 == "4 Notifications" ? "4 Notif " : $0 }
    #expect(names.allSatisfy(screen.header.contains), "\(screen.header)")
    #expect(screen.header.hasSuffix("●"), "\(screen.header)")
    screen.resize(rows: 24, columns: 100)
    #expect(Self.names.allSatisfy(screen.header.contains), "\(screen.header)")
    #expect(screen.header.hasSuffix("● 00:00"), "\(screen.header)")
    screen.resize(rows: 24, columns: 120)
    #expect(screen.header.hasSuffix("tilde.example ● 00:00"), "\(screen.header)")
  }

  @Test(arguments: [40, 50, 64, 80, 100, 120, 160, 200])
  func `no section moves when an unread count appears`(columns: Int) async throws {
    let server = ScriptedTimeline(Array((1...60).reversed()))
    let screen = try await Screen.settled(server, columns: columns)
    await screen.press("j", "j", "j")
    let before = places(screen)
    #expect(before.count == 6, "\(screen.header)")
    Talk.begin(on: server)
    server.add(Array((61...160).reversed()))
    await screen.press("R")
    #expect(screen.header.contains("1 Public •") || screen.header.contains("1 Public•"), "\(screen.header)")
    #expect(screen.header.contains(columns < 80 ? "3 •1" : "3 Messages •1"), "\(screen.header)")
    #expect(places(screen) == before, "\(screen.header)")
  }

  @Test func `new rows above are counted in the header until they are seen`() async throws {
    let server = ScriptedTimeline(Array((1...60).reversed()))
    let screen = try await Screen.settled(server, columns: 100)
    #expect(!screen.header.contains("•"), "\(screen.header)")
    await screen.press("j", "j", "j")
    server.add([61, 62, 63].reversed())
    await screen.press("R")
    #expect(screen.header.contains("1 Public •3"), "\(screen.header)")
    // The count stays visible in every other section.
    await screen.press("5")
    #expect(screen.header.contains("1 Public •3"), "\(screen.header)")
    await screen.press("1", "g", "g")
    #expect(!screen.header.contains("•"), "\(screen.header)")
    await screen.press("j", "j", "j")
    server.add(Array((64...160).reversed()))
    await screen.press("R")
    #expect(screen.header.contains("1 Public •40+"), "\(screen.header)")
  }

  @Test func `a count is shortened to fit its columns`() {
    let some = HeaderWords.Unread(count: 3)
    let many = HeaderWords.Unread(count: 40, hasMore: true)
    #expect((1...5).map { some.words(columns: $0) } == ["•", " •", " •3", " •3", " •3"])
    #expect((1...5).map { many.words(columns: $0) } == ["•", " •", " •", " •9+", " •40+"])
    #expect(HeaderWords.Unread().words(columns: 5).isEmpty)
  }

  /// A header in which every section with a count has `unread`.
  private func words(_ unread: HeaderWords.Unread, account: String = "mara@tilde.example") -> HeaderWords {
    HeaderWords(
      places: Section.allCases.prefix(6).map {
        HeaderWords.Place(section: $0, unread: $0.countsUnread ? unread : HeaderWords.Unread())
      }, current: .public, account: account, isSignedIn: true, connection: [.init("●"), .init("00:00")])
  }

  @Test(arguments: [80, 84, 92, 100, 108, 114, 120, 200], ["mara@tilde.example", "a@long-name-of-a-server.example"])
  func `two-digit counts are complete and have blanks on both sides from 80 columns`(
    columns: Int, account: String
  ) {
    func shown(_ unread: HeaderWords.Unread) -> String {
      words(unread, account: account).leading(forColumns: columns).map { $0.runs.map(\.text).joined() }
        .joined(separator: String(repeating: " ", count: HeaderWords.gap))
    }
    for unread in [HeaderWords.Unread(count: 11), HeaderWords.Unread(count: 99)] {
      let header = shown(unread)
      #expect(header.ranges(of: " •\(unread.count) ").count == 4, "\(header)")
    }
    let more = shown(HeaderWords.Unread(count: 40, hasMore: true))
    #expect(more.ranges(of: " •40+ ").count == 4, "\(more)")
    #expect(more.count == shown(HeaderWords.Unread()).count)
  }

  @Test func `a narrow header drops the account's server before its name`() async throws {
    var seen: [String] = []
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]), columns: 120)
    for columns in stride(from: 120, through: 84, by: -1) {
      screen.resize(rows: 24, columns: columns)
      let header = screen.header
      let shown = ["mara@tilde.example", "mara@tilde…", "mara"].first { header.contains(" \($0) ") } ?? ""
      if seen.last != shown { seen.append(shown) }
      #expect(header.contains("6 Search") && ["● 00:00", "●"].contains { header.hasSuffix($0) }, "\(header)")
    }
    #expect(seen.first == "mara@tilde.example" && !seen.dropFirst().contains("mara@tilde.example"), "\(seen)")
    #expect(seen.contains("mara"), "\(seen)")
    #expect(HeaderWords.shorterForms(of: "mara@tilde.example") == ["mara@tilde…", "mara"])
    #expect(HeaderWords.shorterForms(of: "mara@local") == ["mara"] && HeaderWords.shorterForms(of: "mara") == [])
  }

  @Test func `a narrow header shows the other sections as numbers`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]), columns: 64)
    #expect(screen.header.split(separator: " ").prefix(7) == ["1", "Public", "2", "3", "4", "5", "6"])
    await screen.press("4")
    #expect(screen.header.split(separator: " ").prefix(7) == ["1", "2", "3", "4", "Notifications", "5", "6"])
  }

  @Test func `the offline state at 80 columns leaves every section visible`() async throws {
    let server = ScriptedTimeline([2, 1])
    let screen = try await Screen.settled(server)
    server.failTimelines(with: .refused(host: ScriptedTimeline.host))
    await screen.press("R")
    #expect(["1 Public", "2 Home", "3 Messages", "4 Notif", "6 Search"].allSatisfy(screen.header.contains))
    #expect(screen.header.hasSuffix("○ 00:00"), "\(screen.header)")
    screen.resize(rows: 24, columns: 110)
    #expect(screen.header.hasSuffix("○ offline since 00:00"), "\(screen.header)")
    // A narrow window has no room for names, but for the time.
    screen.resize(rows: 24, columns: 64)
    #expect(screen.header.contains("offline since 00:00"), "\(screen.header)")
  }

  @Test func `sections with the user's views have names at 80 columns, before the account has room`() {
    let words = HeaderWords(
      places: Section.allCases.map { HeaderWords.Place(section: $0, unread: HeaderWords.Unread()) }, current: .public,
      account: "mara@tilde.example", isSignedIn: true, connection: [.init("●"), .init("00:00")])
    for columns in 80...120 {
      let shown = words.leading(forColumns: columns).map { $0.runs.map(\.text).joined() }.joined()
      #expect(
        ["2 Home", "3 Messages", "5 ", "Marks", "7 Views"].allSatisfy(shown.contains) || shown.contains("Bookmarks"))
    }
    let narrow = words.leading(forColumns: 79).map { $0.runs.map(\.text).joined() }.joined()
    #expect(narrow.contains("1 Public") && !narrow.contains("Home"))
  }

  @Test func `the offline time is the last response in any section`() async throws {
    let server = ScriptedTimeline([2, 1])
    let screen = try await Screen.settled(server, columns: 120)
    server.failTimelines(with: .refused(host: ScriptedTimeline.host))
    await screen.press("R")
    #expect(screen.header.contains("offline since 00:00"), "\(screen.header)")
    await screen.pass(.seconds(300))
    // Notifications still load.
    await screen.press("4", "R")
    #expect(!screen.header.contains("offline"), "\(screen.header)")
    server.setReachable(false)
    await screen.press("R")
    #expect(screen.header.contains("offline since 00:05"), "\(screen.header)")
    await screen.press("1")
    #expect(screen.header.contains("offline since 00:05"), "\(screen.header)")
  }
}
