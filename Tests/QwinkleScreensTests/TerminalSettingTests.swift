import Foundation
import PaneKit
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// The mouse, `:set`, and the window's title.
@MainActor
@Suite(.bounded) struct TerminalSettingTests {
  @Test func `a click selects a row and a second click opens it`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]))
    let row = try #require(screen.lines.firstIndex { $0.contains("Qwink 2") })
    screen.driver.mouse(.press, row: row, column: 20)
    screen.driver.mouse(.release, row: row, column: 20)
    #expect(screen.selected == 2)
    screen.driver.mouse(.press, row: row, column: 20)
    await screen.settle()
    #expect(screen.way.contains("›"), "\(screen.text)")
  }

  @Test func `a click opens a section or runs a key hint`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]), columns: 100)
    let header = screen.header
    let home = try #require(header.range(of: Section.home.title))
    screen.driver.mouse(.press, row: 0, column: header.distance(from: header.startIndex, to: home.lowerBound))
    await screen.settle()
    #expect(screen.main.router.section == .home)
    let status = try #require(screen.lines.last)
    let help = try #require(status.range(of: try Screen.hint(for: .help)))
    screen.driver.mouse(
      .press, row: screen.lines.count - 1, column: status.distance(from: status.startIndex, to: help.lowerBound))
    await screen.settle()
    #expect(screen.main.window?.topSheet is HelpViewController)
  }

  @Test func `a click answers a question`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]))
    func click(_ words: String) async throws {
      let answers = try #require(screen.lines.last)
      let place = try #require(answers.range(of: words))
      screen.driver.mouse(
        .press, row: screen.lines.count - 1, column: answers.distance(from: answers.startIndex, to: place.lowerBound))
      await screen.settle()
    }
    await screen.press("q")
    try await click("n Esc \(MainWords.no)")
    #expect(!screen.text.contains(MainWords.quitQuestion(hasUnsaved: false, inProgress: "", held: "")))
    #expect(screen.exitStatus == nil)
    await screen.press("q")
    try await click("y q \(MainWords.yes)")
    #expect(screen.exitStatus == 0)
  }

  @Test func `the wheel scrolls the list unless a sheet covers it`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline(Array((1...40).reversed())))
    let before = screen.visible
    screen.driver.mouse(.wheelDown, row: 10, column: 10)
    #expect(screen.visible != before)
    screen.driver.mouse(.wheelUp, row: 10, column: 10)
    #expect(screen.visible == before)
    await screen.press("c")
    screen.driver.mouse(.wheelDown, row: 5, column: 10)
    screen.driver.mouse(.press, row: 5, column: 10)
    #expect(screen.visible.first == before.first)
  }

  @Test func `the mouse and wide characters can be set at the prompt`() async throws {
    let screen = try await Screen.settled()
    for line in ["set mouse off", "set  mouse   on", "set ambiguous-width wide", "set ambiguous-width narrow"] {
      await screen.press(":")
      screen.type(line)
      await screen.press("Enter")
      #expect(!screen.status.isEmpty)
    }
    #expect(screen.driver.usesMouse)
    #expect(screen.driver.forms == [.wideUnicode, .unicode])
    await screen.press(":")
    screen.type("set sails")
    await screen.press("Enter")
    #expect(screen.text.contains(withKeys(ScreenSetting.refusal(of: "sails"))))
  }

  @Test func `the window's title names the account`() async throws {
    let screen = try await Screen.settled()
    #expect(screen.driver.title == "Qwinkle · mara@\(ScriptedTimeline.host)")
  }

  @Test func `everything is redrawn when the width of characters changes`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]), rows: 30, columns: 130)
    let before = screen.text
    let frames = screen.frameCount
    screen.driver.draws(.wideUnicode)
    await screen.settle()
    #expect(screen.frameCount == frames + 1)
    #expect(before.contains("───") && !screen.text.contains("─") && screen.text.contains("---"))
    screen.driver.draws(.unicode)
    #expect(screen.text == before)
  }
}
