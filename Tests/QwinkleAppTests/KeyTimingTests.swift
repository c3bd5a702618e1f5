import TerminalTesting
import Testing

/// Escape also begins other keys, so the program waits 20 ms for the rest. The limit is 30 ms.
@Suite(.bounded) struct KeyTimingTests {
  @Test func `Esc takes at most 30 ms longer than another key`() async throws {
    try await Program.inNewHome { program in
      try await program.onPseudoTerminal { terminal, _ in
        try await terminal.wait(for: "Welcome")
        var times: [String: Duration] = [:]
        for key in Array(repeating: ["\u{1B}", "q"], count: 8).joined() {
          let shown = terminal.output.count
          terminal.type("?")
          try await terminal.wait(for: "half a page down", after: shown)
          // Let the frame end. Its last bytes would be mistaken for the answer.
          await Pace.rest(milliseconds: 100)
          let count = terminal.output.count
          let pressed = ContinuousClock.now
          terminal.type(key)
          try await terminal.wait(for: "an answer") { $0.count > count }
          let time = try #require(terminal.arrival(after: count)) - pressed
          times[key] = min(time, times[key] ?? time)
        }
        // Compare the fastest of each, measured alternately: a busy machine delays both.
        let (escape, other) = (try #require(times["\u{1B}"]), try #require(times["q"]))
        #expect(escape - other <= .milliseconds(30), "\(escape), \(other)")
      }
    }
  }

  @Test func `a key split into single bytes is recognized`() async throws {
    try await Program.inNewHome { program in
      try await program.onPseudoTerminal { terminal, _ in
        try await terminal.wait(for: "Welcome")
        await Pace.rest(milliseconds: 300)
        // The first answer depends on the cursor position after the start, so it isn't compared.
        _ = try await answer(to: { terminal.type("\u{1B}[B") }, on: terminal)
        _ = try await answer(to: { terminal.type("\u{1B}[A") }, on: terminal)
        let whole = try await answer(to: { terminal.type("\u{1B}[B") }, on: terminal)
        _ = try await answer(to: { terminal.type("\u{1B}[A") }, on: terminal)
        var attempts = 0
        var torn: [UInt8]?
        while torn != whole, attempts < 20 {
          attempts += 1
          var longest = Duration.zero
          let answer = try await answer(
            to: { longest = await type("\u{1B}[B", milliseconds: 10, on: terminal) }, on: terminal)
          // A busy machine may delay the bytes more than any terminal would, here or in the program.
          if longest < .milliseconds(20) { torn = answer }
          _ = try await self.answer(to: { terminal.type("\u{1B}[A\u{1B}[A") }, on: terminal)
        }
        print("torn in attempt \(attempts)")
        #expect(try #require(torn) == whole)
      }
    }
  }

  /// Presses keys and returns the output up to 300 ms after its first byte.
  private func answer(to press: () async -> Void, on terminal: PseudoTerminal) async throws -> [UInt8] {
    let count = terminal.output.count
    await press()
    try await terminal.wait(for: "an answer") { $0.count > count }
    await Pace.rest(milliseconds: 300)
    return Array(terminal.output.dropFirst(count))
  }

  /// Types text byte by byte. Returns the longest time between two bytes.
  private func type(_ text: String, milliseconds: Int, on terminal: PseudoTerminal) async -> Duration {
    var longest = Duration.zero
    var last: ContinuousClock.Instant?
    for byte in text.utf8 {
      if last != nil { await Pace.rest(milliseconds: milliseconds) }
      terminal.type([byte])
      let now = ContinuousClock.now
      if let last { longest = max(longest, now - last) }
      last = now
    }
    return longest
  }
}
