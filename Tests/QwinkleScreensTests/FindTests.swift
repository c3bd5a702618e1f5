import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Finding rows of a list, and limiting a list to matching rows.
@MainActor
@Suite(.bounded) struct FindTests {
  private func screen() async throws -> Screen {
    try await Screen.settled(ScriptedTimeline(Array((1...30).reversed())))
  }

  @Test func `a slash finds text further below and n and N wrap around the ends`() async throws {
    let screen = try await screen()
    #expect(screen.selected == 30)
    await screen.press("/")
    screen.type("QWINK 1")
    await screen.press("Enter")
    #expect(screen.selected == 19)
    await screen.press("n")
    #expect(screen.selected == 18)
    await screen.press("N", "N")
    #expect(screen.selected == 1)
    #expect(screen.status.contains(FindWords.wrapped))
    await screen.press("n")
    #expect(screen.selected == 19)
    #expect(screen.status.contains(FindWords.wrapped))
  }

  @Test func `a search without a match keeps the selection and reports the rows searched`() async throws {
    let screen = try await screen()
    await screen.press("j", "/")
    screen.type("kohlrabi")
    await screen.press("Enter")
    #expect(screen.selected == 29)
    #expect(screen.status.contains(FindWords.notFound("kohlrabi", rows: 30)))
  }

  @Test func `text that wraps across lines is found`() async throws {
    let server = ScriptedTimeline([2, 1])
    server.add([.sample(id: "3", text: String(repeating: "東京は夜の七時", count: 20) + "終わり")])
    let screen = try await Screen.settled(server, columns: 40)
    await screen.press("G", "/")
    screen.type("七時東京")
    await screen.press("Enter")
    #expect(!screen.status.contains(FindWords.notFound("七時東京")), "\(screen.text)")
    #expect(screen.lines.contains { $0.hasPrefix("▌") && $0.contains("七時") }, "\(screen.text)")
  }

  @Test func `Esc closes the prompt without a search`() async throws {
    let screen = try await screen()
    await screen.press("/")
    screen.type("Qwink 7")
    await screen.press("Esc")
    #expect(screen.selected == 30)
    await screen.press("n")
    #expect(screen.selected == 30)
  }

  @Test func `an ampersand limits the list and q shows all rows again`() async throws {
    let screen = try await screen()
    await screen.press("&")
    screen.type("Qwink 2")
    await screen.press("Enter")
    #expect(screen.visible.allSatisfy { $0 == 2 || (20...29).contains($0) }, "\(screen.visible)")
    #expect(screen.text.contains("1/11"))
    await screen.press("j", "q")
    #expect(screen.selected == 28)
    #expect(screen.visible.contains(30) || screen.visible.contains(19))
    #expect(screen.exitStatus == nil)
  }

  @Test func `the title shows the limit and messages name the key that removes it`() async throws {
    let screen = try await screen()
    await screen.press("n")
    #expect(screen.status.contains(withKeys(FindWords.nothingYet)))
    await screen.press("&")
    screen.type("Qwink 2")
    await screen.press("Enter")
    let title = TimelineWords.title(of: .public)
    #expect(screen.way.contains("\(title) & Qwink 2"), "\(screen.way)")
    #expect(screen.status.contains(withKeys(FindWords.limited("Qwink 2"))))
    await screen.press("&")
    screen.type("kohlrabi")
    await screen.press("Enter")
    let refusal = withKeys(FindWords.notFound("kohlrabi", rows: 30, limit: "Qwink 2"))
    #expect(screen.status.contains(refusal), "\(screen.status)")
    #expect(screen.way.contains("\(title) & Qwink 2"))
    await screen.press("q")
    #expect(screen.way.contains(title) && !screen.way.contains("&"), "\(screen.way)")
    #expect(screen.status.contains(FindWords.unlimited))
  }

  @Test func `a limited list that becomes empty shows the key for all rows`() async throws {
    let server = ScriptedTimeline([2, 1])
    server.add([.sample(id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)])
    let screen = try await Screen.settled(server)
    await screen.press("&")
    screen.type("Mine")
    await screen.press("Enter", "d", "y")
    #expect(screen.text.contains(FindWords.nothing("Mine")), "\(screen.text)")
    #expect(screen.text.contains(keyHint(FindWords.showsAll)), "\(screen.text)")
    await screen.press("q")
    #expect(screen.visible == [2, 1])
  }

  @Test func `a limit without a match is refused`() async throws {
    let screen = try await screen()
    await screen.press("&")
    screen.type("kohlrabi")
    await screen.press("Enter")
    #expect(screen.status.contains(FindWords.notFound("kohlrabi", rows: 30)))
    #expect(screen.selected == 30)
  }

  @Test func `new rows appear in a limited list only if they match`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    await screen.press("&")
    screen.type("Qwink 2")
    await screen.press("Enter")
    server.add([200, 32, 31])
    await screen.press("R")
    #expect(screen.visible.allSatisfy { "\($0)".hasPrefix("2") }, "\(screen.visible)")
    await screen.press("q")
    await screen.press("g", "g")
    #expect(Set([32, 31, 200]).isSubset(of: screen.visible), "\(screen.visible)")
  }

  @Test(
    arguments: [
      (nil, false, 2), (2, false, 4), (4, false, 2), (0, true, 4), (4, true, 2), (2, true, 4),
    ] as [(Int?, Bool, Int)])
  func `the next match is the nearest in its direction`(selected: Int?, backwards: Bool, expected: Int) {
    let found = ListFinder.next(from: selected, count: 5, backwards: backwards) { $0 == 2 || $0 == 4 }
    #expect(found?.index == expected)
    #expect(ListFinder.next(from: selected, count: 5, backwards: backwards) { _ in false } == nil)
    #expect(ListFinder.next(from: nil, count: 0, backwards: backwards) { _ in true } == nil)
  }
}
