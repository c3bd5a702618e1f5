import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct DetailTests {
  private func warned() -> ScriptedTimeline {
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(2)
    qwink.contentWarning = "Film spoilers"
    qwink.text = RichText(plain: "It was the butler.")
    server.add([ScriptedTimeline.qwink(3), qwink, ScriptedTimeline.qwink(1)])
    return server
  }

  @Test func `text behind a warning is hidden until z is pressed`() async throws {
    let screen = try await Screen.settled(warned())
    #expect(screen.text.contains("⚠ Film spoilers"))
    #expect(!screen.text.contains("It was the butler."))
    screen.strike("j")
    #expect(screen.text.contains(keyHint(WarningWords.shows)))
    screen.strike("z")
    #expect(screen.text.contains("It was the butler."))
    #expect(screen.text.contains(keyHint(WarningWords.hides)))
    screen.strike("z")
    #expect(!screen.text.contains("It was the butler."))
  }

  @Test func `z on a qwink without a warning changes nothing and shows the reason`() async throws {
    let screen = try await Screen.settled(warned())
    let before = screen.lines.dropLast()
    screen.strike("z")
    #expect(screen.lines.dropLast() == before)
    #expect(screen.status.contains(IgnoredKeyWords.noWarning))
  }

  @Test func `a warning hides the text of the detail until z is pressed there`() async throws {
    let screen = try await Screen.settled(warned())
    screen.strike("j", "Enter")
    #expect(screen.text.contains("⚠ Film spoilers"))
    #expect(!screen.text.contains("It was the butler."))
    screen.strike("z")
    #expect(screen.text.contains("It was the butler."))
    screen.strike("Esc")
    #expect(screen.text.contains("It was the butler."))
  }

  @Test func `a quote is shown unless it is deleted or behind a warning`()
    async throws
  {
    let server = ScriptedTimeline()
    var (shown, gone, warned) = (ScriptedTimeline.qwink(3), ScriptedTimeline.qwink(2), ScriptedTimeline.qwink(1))
    shown.quote = Qwink.Quote(id: "9", author: .sample("ben"), text: RichText(plain: "Tea at four?"))
    let deleted = Qwink.Quote(id: nil, state: .deleted)
    gone.quote = deleted
    warned.quote = Qwink.Quote(id: "8", author: .sample("ben"), text: RichText(plain: "It was the butler."))
    warned.contentWarning = "Film spoilers"
    server.add([shown, gone, warned])
    let screen = try await Screen.settled(server)
    #expect(screen.text.contains("❝ @ben: Tea at four?"))
    #expect(screen.text.contains("❝ \(QuoteWords.withheld(.deleted))"))
    #expect(!screen.text.contains("It was the butler."))
    await screen.press("Enter")
    #expect(screen.text.contains("❝ ben  @ben") && screen.text.contains("› Tea at four?"), "\(screen.text)")
    server.setAnswer(WireEncoder.qwink(.sample(id: "9", text: "Tea at four?")), of: "/api/v1/statuses/9")
    await screen.press("o")
    #expect(server.paths.contains("/api/v1/statuses/9"))
    #expect(screen.text.contains("Tea at four?") && !screen.text.contains("❝"), "\(screen.text)")
  }

  @Test func `a filtered qwink is hidden in list and detail until z is pressed`() async throws {
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(1)
    qwink.filterMatches = [FilterMatch(id: "1", title: "Spoilers", hides: false, contexts: [])]
    qwink.text = RichText(plain: "It was the butler.")
    server.add([qwink])
    let screen = try await Screen.settled(server)
    #expect(screen.text.contains(Disclosure.Cover.filter("Spoilers").words))
    #expect(!screen.text.contains("It was the butler."))
    screen.strike("Enter")
    #expect(!screen.text.contains("It was the butler."))
    screen.strike("z")
    #expect(screen.text.contains("It was the butler."))
  }

  @Test func `Enter opens a qwink and Esc returns to the same row`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline(Array((1...30).reversed())))
    screen.strike("j", "j", "j", "j", "j", "j", "j")
    let before = screen.lines
    screen.strike("Enter")
    #expect(screen.visible == [23])
    #expect(screen.lines.contains { $0.hasSuffix("  31 Dec 2025, 16:03") })
    #expect(screen.text.contains("▌     \(QwinkWords.words(.everybody))\n"))
    screen.strike("j", "G", "k", "Esc")
    #expect(screen.lines == before)
    for key in ["l", "Right"] {
      screen.strike(key)
      #expect(screen.visible == [23])
      screen.strike("q")
      #expect(screen.lines == before)
    }
  }

  @Test func `hints match the visible screen`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    let before = screen.status
    screen.strike("Enter")
    let hint = try Screen.hint(for: .back, in: .qwink)
    #expect(screen.status.contains(hint))
    screen.strike("1")
    #expect(screen.visible == [2, 1])
    #expect(screen.status == before)
  }

  @Test func `a wide window shows the selected qwink next to the list`() async throws {
    let screen = try await Screen.settled(
      ScriptedTimeline(Array((1...30).reversed())), rows: 30, columns: 130, hidesMessages: true)
    #expect(screen.detail.contains("Qwink 30"))
    screen.strike("j")
    #expect(screen.detail.contains("Qwink 29"))
    #expect(!screen.detail.contains("Qwink 30"))
    #expect(screen.visible.prefix(2) == [30, 29])
    screen.strike("Enter", "j")
    #expect(screen.detail.contains("Qwink 29"))
    screen.strike("Esc", "j")
    #expect(screen.detail.contains("Qwink 28"))
  }

  @Test func `a wide window shows the detail of a cached qwink in the first frame`() throws {
    let folder = TemporaryFolder()
    try Screen.keep([3, 2, 1], in: folder)
    let screen = try Screen(ScriptedTimeline(), rows: 30, columns: 130, in: folder, hidesMessages: true)
    #expect(screen.detail.contains("Qwink 3"))
  }

  @Test func `a widened window shows the detail of the current selection`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]), hidesMessages: true)
    screen.strike("j", "j")
    screen.resize(rows: 24, columns: 130)
    #expect(screen.detail.contains("Qwink 1"))
    screen.strike("k")
    #expect(screen.detail.contains("Qwink 2"))
  }

  @Test func `^W l and ^W h move between the panes of a wide window`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]), rows: 30, columns: 130, hidesMessages: true)
    screen.strike("^W", "l", "j")
    #expect(screen.selected == 3)
    screen.strike("^W", "h", "j")
    #expect(screen.selected == 2)
    screen.strike("^W", "w", "q", "j")
    #expect(screen.selected == 1)
    #expect(screen.exitStatus == nil)
  }

  @Test func `resizing preserves the selected row and the open qwink`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline(Array((1...30).reversed())))
    screen.strike("j", "j", "j")
    for columns in [130, 40, 200, 61, 119, 120, 59, 80] {
      screen.resize(rows: 24, columns: columns)
      #expect(screen.selected == 27)
    }
    screen.strike("Enter")
    for columns in [130, 40, 80] {
      screen.resize(rows: 24, columns: columns)
      #expect(screen.text.contains("Qwink 27"))
      #expect(screen.text.contains("31 Dec 2025, 16:07"))
    }
  }

  @Test func `switching sections preserves the position in each`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()), home: Array((101...130).reversed()))
    let screen = try await Screen.settled(server)
    await screen.press("j", times: 9)
    let publicPlace = screen.visible
    await screen.press("2")
    #expect(screen.selected == 130)
    await screen.press("j", times: 7)
    let homePlace = screen.visible
    await screen.press("1")
    #expect(screen.selected == 21)
    #expect(screen.visible == publicPlace)
    await screen.press("2")
    #expect(screen.selected == 123)
    #expect(screen.visible == homePlace)
  }

  @Test func `keys go to the visible screen after a return to a section`() async throws {
    let server = ScriptedTimeline([3, 2, 1], home: [12, 11])
    let screen = try await Screen.settled(server)
    await screen.press("Enter", "2", "1")
    let before = screen.lines
    if screen.visible == [3] {
      await screen.press("j")
      #expect(screen.lines == before)
      await screen.press("Esc")
    }
    #expect(screen.visible == [3, 2, 1])
    #expect(screen.selected == 3)
    #expect(!screen.text.contains(MainWords.quitQwinkle))
  }

  @Test func `only the visible section is polled`() async throws {
    let server = ScriptedTimeline([1], home: [2])
    // Without messages, the home timeline would be searched for them.
    Talk.begin(on: server)
    let screen = try await Screen.settled(server)
    #expect(server.refreshCount(of: "home") == 0)
    await screen.press("2")
    #expect(server.refreshCount(of: "home") == 1)
    let count = server.refreshCount()
    await screen.pass(.seconds(60))
    #expect(server.refreshCount(of: "home") == 2)
    #expect(server.refreshCount() == count)
  }
}
