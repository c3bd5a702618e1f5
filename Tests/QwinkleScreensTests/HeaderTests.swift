import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The header names the sections in every window that has room for their names, and numbers them elsewhere.
@MainActor
@Suite(.bounded) struct HeaderTests {
  private static let names = ["1 Public", "2 Home", "3 Messages", "4 Notifications", "5 Bookmarks", "6 Search"]

  /// The columns in which the sections begin.
  private func places(_ screen: Screen) -> [Int] {
    (1...6).compactMap { number in
      screen.header.firstRange(of: " \(number)").map { screen.header[..<$0.lowerBound].count }
    }
  }

  @Test func `at 80 columns all sections are named beside the connection`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    #expect(Self.names.allSatisfy(screen.header.contains), "\(screen.header)")
    #expect(screen.header.hasSuffix("●"), "\(screen.header)")
    screen.resize(rows: 24, columns: 100)
    #expect(screen.header.hasSuffix("● 00:00"), "\(screen.header)")
    screen.resize(rows: 24, columns: 120)
    #expect(screen.header.hasSuffix("tilde.example ● 00:00"), "\(screen.header)")
  }

  @Test(arguments: [40, 50, 64, 80, 100, 120, 160, 200])
  func `no section moves when a count comes`(columns: Int) async throws {
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

  @Test func `what is new above is counted in the header until it is seen`() async throws {
    let server = ScriptedTimeline(Array((1...60).reversed()))
    let screen = try await Screen.settled(server, columns: 100)
    #expect(!screen.header.contains("•"), "\(screen.header)")
    await screen.press("j", "j", "j")
    server.add([61, 62, 63].reversed())
    await screen.press("R")
    #expect(screen.header.contains("1 Public •3"), "\(screen.header)")
    // It is said of the section where it is, wherever the reader goes.
    await screen.press("5")
    #expect(screen.header.contains("1 Public •3"), "\(screen.header)")
    await screen.press("1", "g", "g")
    #expect(!screen.header.contains("•"), "\(screen.header)")
    await screen.press("j", "j", "j")
    server.add(Array((64...160).reversed()))
    await screen.press("R")
    #expect(screen.header.contains("1 Public •40+"), "\(screen.header)")
  }

  @Test func `a count is shortened to what its slot takes`() {
    let some = HeaderWords.Unread(count: 3)
    let many = HeaderWords.Unread(count: 40, hasMore: true)
    #expect((1...5).map { some.words(columns: $0) } == ["•", " •", " •3", " •3", " •3"])
    #expect((1...5).map { many.words(columns: $0) } == ["•", " •", " •", " •9+", " •40+"])
    #expect(HeaderWords.Unread().words(columns: 5).isEmpty)
  }

  @Test func `short of room the account's server goes before its name`() async throws {
    var seen: [String] = []
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]), columns: 120)
    for columns in stride(from: 120, through: 84, by: -1) {
      screen.resize(rows: 24, columns: columns)
      let header = screen.header
      let shown = ["mara@tilde.example", "mara@…", "mara"].first { header.contains(" \($0) ") } ?? ""
      if seen.last != shown { seen.append(shown) }
      #expect(header.contains("6 Search") && ["● 00:00", "●"].contains { header.hasSuffix($0) }, "\(header)")
    }
    #expect(seen.prefix(3) == ["mara@tilde.example", "mara@…", "mara"], "\(seen)")
  }

  @Test func `short of room the other sections are numbers`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]), columns: 64)
    #expect(screen.header.split(separator: " ").prefix(7) == ["1", "Public", "2", "3", "4", "5", "6"])
    await screen.press("4")
    #expect(screen.header.split(separator: " ").prefix(7) == ["1", "2", "3", "4", "Notifications", "5", "6"])
  }

  @Test func `offline is said at 80 columns, and every section can be seen`() async throws {
    let server = ScriptedTimeline([2, 1])
    let screen = try await Screen.settled(server)
    server.failTimelines(with: .refused(host: ScriptedTimeline.host))
    await screen.press("R")
    #expect(screen.header.split(separator: " ").prefix(7) == ["1", "Public", "2", "3", "4", "5", "6"])
    #expect(screen.header.contains("offline since 00:00"), "\(screen.header)")
  }
}
