import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct MonkeyTests {
  @Test(arguments: Soak.seeds(12, times: 10))
  func `random keys, sizes, responses and failures never break the screen`(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let server = ScriptedTimeline(Array((1...120).reversed()), home: [203, 202, 201])
    let folder = TemporaryFolder()
    try Screen.keep(Array((1...70).reversed()), in: folder)
    let screen = try await Screen.settled(server, in: folder)
    let keys = [
      "j", "k", "j", "k", "G", "g", "^D", "^U", "^F", "^B", "^E", "^Y", "Enter", "Esc", "z", "1", "2", "c", "x", "?",
      "R", "^T", "^W", "l", "h", "Home", "End", "日", "BS", "n", "F1", "^L", "Left", "Space",
    ]
    var next = 1000
    for _ in 0..<150 {
      switch Int.random(in: 0..<40, using: &random) {
      case 0:
        screen.resize(rows: Int.random(in: 1...40, using: &random), columns: Int.random(in: 1...170, using: &random))
      case 1:
        next += 1
        // Federated qwinks arrive late.
        if let other = Int.random(in: 0..<3, using: &random) == 0
          ? server.numbers().prefix(60).randomElement(using: &random) : nil
        {
          server.addLate(next, below: other)
        } else {
          server.add([next])
        }
      case 2: screen.advance(by: .seconds(Int.random(in: 1...90, using: &random)))
      case 3: server.failTimelines(with: Bool.random(using: &random) ? .timedOut(host: ScriptedTimeline.host) : nil)
      case 4: server.failPages(with: Bool.random(using: &random) ? .timedOut(host: ScriptedTimeline.host) : nil)
      case 5, 6: await screen.settle()
      case 7: screen.paste("pasted\ntext")
      case 8: screen.strike("n")
      default:
        // Answering yes would end the run.
        if screen.text.contains(MainWords.quitQwinkle) { screen.strike("n") }
        screen.strike(keys.randomElement(using: &random) ?? "j")
      }
    }
    await screen.settle()
    try #require(screen.exitStatus == nil)
    server.failTimelines(with: nil)
    server.failPages(with: nil)
    screen.resize(rows: 24, columns: 80)
    server.add([next + 1])
    // R is ignored for this long after a failed retry.
    screen.advance(by: RetryLimit.interval)
    // Esc cancels a key sequence, then closes the sheets one by one, such as the help over an entry.
    for _ in 0..<4 { await screen.press("Esc", "n") }
    #expect(screen.sheetTitle == nil)
    await screen.press("^W", "o", "1", "1", "R", "g", "g")
    // Random keys can write a post. Until a page contains it, it is above the server's posts, and has no number.
    for _ in 0..<9 where screen.selected == nil { await screen.press("j") }
    #expect(screen.selected == next + 1, "\(screen.text)")
    // The list equals the server's list from the top to a gap or the end.
    var seen: [Int] = []
    while seen.count < 40, let selected = screen.selected, selected != seen.last {
      seen.append(selected)
      await screen.press("j")
    }
    #expect(seen == Array(server.numbers().prefix(seen.count)), "\(screen.text)")
  }
}
