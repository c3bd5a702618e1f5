import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct DelayedAnswerTests {
  @Test func `every key responds at once while the server is silent`() async throws {
    let folder = TemporaryFolder()
    try Screen.keep(Array((1...30).reversed()), in: folder)
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let gate = Gate()
    server.holdTimelines(by: gate)
    let screen = try Screen(server, in: folder)
    await screen.turn()
    let heading = try Screen.helpHeading(of: .list)
    for (key, shown) in [
      ("j", "Qwink 29"), ("Enter", "31 Dec 2025, 16:09"), ("Esc", "Qwink 28"), ("G", "Qwink 1"), ("Home", "Qwink 30"),
      ("?", heading), ("q", "Qwink 30"), ("c", EntryWords.newQwink), ("x", " 1 / 500"), ("Esc", "Qwink 30"),
      ("R", "Qwink 30"), ("2", TimelineWords.fetching(.home)), ("1", "Qwink 30"), ("q", MainWords.quitQwinkle),
      ("n", "Qwink 30"), ("^L", "Qwink 30"), ("^C", withKeys(MainWords.interrupted(inProgress: ""))),
    ] {
      let frames = screen.frameCount
      screen.strike(key)
      #expect(screen.text.contains(shown), "\(key) should show \(shown)")
      #expect(screen.frameCount > frames || key == "R")
    }
    gate.open()
    await screen.settle()
    #expect(screen.selected == 30)
  }

  @Test func `a spinner appears after 250 ms and disappears with the response`() async throws {
    let server = ScriptedTimeline([1])
    let gate = Gate()
    server.holdTimelines(by: gate)
    let screen = try Screen(server)
    let marks: Set<Character> = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"]
    screen.advance(by: .milliseconds(249))
    await screen.turn()
    #expect(!marks.contains(screen.header.first ?? " "))
    screen.advance(by: .milliseconds(1))
    await screen.turn()
    let first = screen.header.first ?? " "
    #expect(marks.contains(first))
    screen.advance(by: .milliseconds(120))
    await screen.turn()
    #expect(marks.contains(screen.header.first ?? " "))
    #expect(screen.header.first != first)
    gate.open()
    await screen.settle()
    #expect(!marks.contains(screen.header.first ?? " "))
    let frames = screen.frameCount
    screen.advance(by: .seconds(10))
    await screen.turn()
    #expect(screen.frameCount == frames)
  }

  @Test func `R sends no second request while one is in progress`() async throws {
    let server = ScriptedTimeline([2, 1])
    let gate = Gate()
    server.holdTimelines(by: gate)
    let screen = try Screen(server)
    screen.strike("R", "R", "R")
    screen.advance(by: .seconds(90))
    gate.open()
    await screen.settle()
    #expect(server.refreshCount() == 1)
  }

  @Test func `a late response keeps the position that the reader moved to`() async throws {
    let folder = TemporaryFolder()
    try Screen.keep(Array((1...30).reversed()), in: folder)
    let server = ScriptedTimeline(Array((1...33).reversed()))
    let gate = Gate()
    server.holdTimelines(by: gate)
    let screen = try Screen(server, in: folder)
    screen.strike("R", "j", "j", "j", "j", "j", "j", "j", "j")
    let place = screen.visible
    gate.open()
    await screen.settle()
    #expect(screen.visible == place)
    #expect(screen.selected == 22)
    #expect(screen.status.contains(StatusWords.newCount(3)))
  }

  @Test func `a response for another section appears when the reader returns to it`() async throws {
    let server = ScriptedTimeline([2, 1], home: [12, 11])
    let gate = Gate()
    server.holdTimelines(by: gate)
    let screen = try Screen(server)
    screen.strike("2")
    gate.open()
    await screen.settle()
    #expect(screen.visible == [12, 11])
    screen.strike("1")
    #expect(screen.visible == [2, 1])
    await screen.settle()
  }
}
