import QwinkleTesting
import TerminalTesting
import Testing

/// The amount of terminal output, as counted by the program and reported when it ends.
@Suite(.bounded) struct WriteCountTests {
  /// Counts reported by the program.
  private struct Counts {
    var frames: Int
    var bytes: Int
    var writes: Int
  }

  private static let timeline = Answers.page(
    Array((101...140).reversed()).map { number in
      Answers.status(
        "\(number)", "<p>Qwink \(number) says \(String(repeating: "word\(number * 7 % 97) ", count: 9))</p>")
    })

  /// Starts the program, presses keys and waits for output after each, then quits and returns the counts.
  private func counts(pressing keys: [String]) async throws -> Counts {
    try await withTimeline(Self.timeline) { server in
      try await Program.inNewHome { program in
        try await program.onPseudoTerminal("--server", server.url, "--stats") { terminal, spawned in
          try await terminal.wait(for: "Qwink 140")
          await Pace.rest(milliseconds: 300)
          for key in keys {
            let count = terminal.output.count
            terminal.type(key)
            try await terminal.wait(for: "an answer to the key") { $0.count > count }
          }
          terminal.type("qy")
          #expect(try await spawned.waitForEnd() == .exit(0))
          let text = String(decoding: terminal.output, as: UTF8.self)
          let words = #/(\d+) frames, \d+ cells changed, (\d+) bytes in (\d+) writes/#
          let match = try #require(text.matches(of: words).last, "\(text.suffix(300))").output
          return Counts(
            frames: Int(match.1) ?? 0, bytes: Int(match.2) ?? 0, writes: Int(match.3) ?? 0)
        }
      }
    }
  }

  @Test func `scrolling a line takes one write and a repaint at most four`() async throws {
    let steps = 40
    let idle = try await counts(pressing: [])
    let scrolled = try await counts(pressing: Array(repeating: "\u{5}", count: steps))
    let repainted = try await counts(pressing: Array(repeating: "\u{C}", count: steps))
    let (scrollFrames, scrollWrites) = (scrolled.frames - idle.frames, scrolled.writes - idle.writes)
    let (repaintFrames, repaintWrites) = (repainted.frames - idle.frames, repainted.writes - idle.writes)
    print("a line scrolled: \((scrolled.bytes - idle.bytes) / steps) bytes")
    print("\(steps) lines scrolled: \(scrollFrames) frames, \(scrollWrites) writes")
    print("\(steps) repaints: \(repaintFrames) frames, \(repaintWrites) writes")
    // The server's first responses may cause a frame more or less.
    let play = 4
    #expect(scrollFrames >= steps - play)
    // A repaint takes several reads. A key typed after the first of them shares the next key's frame.
    #expect(repaintFrames >= steps / 2 - play)
    #expect(scrollWrites <= scrollFrames + play)
    #expect(repaintWrites <= 4 * (repaintFrames + play))
  }
}
