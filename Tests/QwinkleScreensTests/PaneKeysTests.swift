import PaneKit
import QwinkleModel
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Keys always go to a visible screen, and the display is always up to date.
@MainActor
@Suite(.bounded) struct PaneKeysTests {
  @Test func `a clicked thread stays focused and visible when the window shrinks`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server, columns: 120, hidesMessages: true)
    screen.driver.mouse(.press, row: 5, column: 100)
    screen.resize(rows: 24, columns: 100)
    #expect(screen.way.contains(ThreadWords.title))
    screen.strike("Esc")
    #expect(screen.selected == 3)
    screen.strike("j")
    #expect(screen.selected == 2)
  }

  @Test func `j scrolls through a qwink taller than the pane before it selects the next`() async throws {
    let server = ScriptedTimeline()
    var tall = ScriptedTimeline.qwink(3)
    tall.text = RichText((1...40).map { .init([.init("Paragraph \($0) of a tall one.")]) })
    server.add([tall, ScriptedTimeline.qwink(2), ScriptedTimeline.qwink(1)])
    for (rows, columns) in [(12, 40), (24, 80), (9, 40)] {
      let screen = try await Screen.settled(server, rows: rows, columns: columns)
      var seen: Set<String> = []
      var presses = 0
      while screen.selected != 2, presses < 120 {
        seen.formUnion(screen.lines.filter { $0.contains("Paragraph") }.map { String($0.drop { !$0.isNumber }) })
        await screen.press("j")
        presses += 1
      }
      #expect(screen.selected == 2, "\(columns)x\(rows)")
      #expect(seen.count >= 40, "\(columns)x\(rows): \(seen.count)")
      await screen.press("k")
      await screen.press("k", times: 3)
      #expect(screen.text.contains("Paragraph"))
    }
  }

  @Test(arguments: Soak.seeds(8, times: 20))
  func `incremental drawing equals a full redraw`(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let server = ScriptedTimeline(Array((1...60).reversed()), home: [203, 202, 201])
    let screen = try await Screen.settled(server, rows: 24, columns: 80)
    let keys = [
      "j", "k", "G", "g", "^D", "^E", "Enter", "Esc", "z", "1", "2", "3", "4", "6", "c", "x", "?", "R", "^T", "^W", "l",
      "h", "日",
      "n", "F1", "b", "f", "u", ":", "Tab", "/", "q", "^C",
    ]
    var log: [String] = []
    for _ in 0..<120 where screen.exitStatus == nil {
      switch Int.random(in: 0..<30, using: &random) {
      case 0:
        let size = Size(rows: Int.random(in: 4...30, using: &random), columns: Int.random(in: 20...170, using: &random))
        log.append("\(size)")
        screen.resize(rows: size.rows, columns: size.columns)
      case 1:
        log.append("advance")
        screen.advance(by: .seconds(Int.random(in: 1...90, using: &random)))
      case 2: await screen.settle()
      case 3, 4:
        screen.main.say(
          String(repeating: "Something was said. ", count: Int.random(in: 1...12, using: &random)), .warning)
      case 5: server.failTimelines(with: Bool.random(using: &random) ? .timedOut(host: ScriptedTimeline.host) : nil)
      default:
        let interrupted = withKeys(MainWords.interrupted(inProgress: "")).dropLast()
        if screen.application.window.topSheet is ConfirmViewController || screen.text.contains(interrupted) {
          screen.strike("n")
        }
        let key = keys.randomElement(using: &random) ?? "j"
        log.append(key)
        screen.strike(key)
      }
      // Draw the frame that a timer may have requested.
      _ = screen.application.showFrame()
      guard screen.exitStatus == nil, let drawn = screen.driver.frames.last else { break }
      // Setting the theme redraws everything.
      let theme = screen.application.window.theme
      screen.application.window.theme = theme
      _ = screen.application.showFrame()
      let anew = screen.driver.frames.last
      let isSame = drawn.grid == anew?.grid && drawn.cursor == anew?.cursor
      #expect(isSame, "after \(log)\n\(drawn.grid.text)\n\nanew:\n\(anew?.grid.text ?? "")")
      if !isSame { break }
    }
  }
}
