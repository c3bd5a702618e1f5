import QwinkleAccount
import Terminal
import TerminalCurses
import TerminalTesting
import Testing

extension CursesTests {
  /// A sequence interrupted by pauses yields its event or nothing.
  @MainActor
  @Suite struct TornSequences {
    /// Sequences of every kind, except a lone escape.
    private static let sequences = [
      "\u{1B}[A", "\u{1B}OB", "\u{1B}[1;5C", "\u{1B}[15~", "\u{1B}[97;5u", "\u{1B}[[A", "\u{1B}O5P", "\u{1B}x",
      "\u{1B}é",
      "\u{1B}\u{1B}[A", "\u{1B}[<0;10;12M", "\u{1B}[<0;10;12m", "\u{1B}[<64;200;100M", "\u{1B}[M !!", "\u{1B}[M#jq",
      "\u{1B}[M`8$", "\u{1B}[2;3R", "\u{1B}[24;80R", "\u{1B}[?2026;2$y", "\u{1B}[?62;22c", "\u{1B}[I",
      "\u{1B}]11;rgb:0000/jjjj/0000\u{7}", "\u{1B}]52;c;cXVpdAo=\u{1B}\\", "\u{1B}]lquit\u{1B}\\",
      "\u{1B}P>|xterm(370)\u{1B}\\",
      "\u{1B}P1$r0m\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}_anything\u{1B}\\", "\u{1B}^private\u{1B}\\",
      "\u{1B}Xqqq\u{1B}\\",
      "\u{1B}[200~q\rjj\u{1B}[A日\u{1B}[20\u{1B}[201~", "\u{1B}[200~\u{1B}[201~", "j", "日", "é", "\r", "\u{7F}",
      "\u{1B}[" + String(repeating: "1;", count: 400) + "q",
    ]

    private func events(_ pieces: [[UInt8]], isComplete: Bool) throws -> [TerminalEvent] {
      var events: [TerminalEvent] = []
      try withScreen { _, terminal, recorder in
        for piece in pieces { terminal.feed(piece, isComplete: isComplete) }
        events = recorder.events
      }
      return events
    }

    /// Returns whether `few` is a subsequence of `all`.
    private func areAmong(_ few: [TerminalEvent], _ all: [TerminalEvent]) -> Bool {
      var rest = all[...]
      return few.allSatisfy { event in
        guard let index = rest.firstIndex(of: event) else { return false }
        rest = rest[(index + 1)...]
        return true
      }
    }

    @Test func `a sequence torn by a pause yields a subset of its events`() throws {
      for sequence in Self.sequences {
        let bytes = Array((sequence + "k").utf8)
        let whole = try events([bytes], isComplete: true)
        // After a lone escape, a pause means the Esc key.
        for cut in 1..<bytes.count where bytes[cut - 1] != 0x1B {
          let torn = try events([Array(bytes[..<cut]), Array(bytes[cut...])], isComplete: true)
          #expect(areAmong(torn, whole), "\(sequence.debugDescription) torn at \(cut): \(torn)")
          #expect(torn.last == .key(.character("k")), "\(sequence.debugDescription) torn at \(cut): \(torn)")
        }
      }
    }

    @Test(arguments: [Soak.seed])
    func `random input torn by pauses yields a subset of its events`(seed: UInt64) throws {
      var random = SplitMix(seed: seed)
      for _ in 0..<Soak.runs(400, times: 50) {
        let count = Int.random(in: 1...8, using: &random)
        let stream = (0..<count).flatMap { _ in Array((Self.sequences.randomElement(using: &random) ?? "j").utf8) }
        let whole = try events([stream], isComplete: true)
        var pieces: [[UInt8]] = [[]]
        let isTornOften = Bool.random(using: &random)
        for byte in stream {
          let isTorn = isTornOften ? Bool.random(using: &random) : Int.random(in: 0...9, using: &random) == 0
          if isTorn, let last = pieces.last?.last, last != 0x1B { pieces.append([]) }
          pieces[pieces.count - 1].append(byte)
        }
        let torn = try events(pieces, isComplete: true)
        #expect(areAmong(torn, whole), "\(pieces.map { String(decoding: $0, as: UTF8.self) })")
        // Without pauses, all events must arrive, even if each byte is read separately.
        #expect(try events(stream.map { [$0] }, isComplete: false) == whole)
      }
    }

    @Test(arguments: [
      "[A", "OA", "[1;5C", "[<0;10;10M", "[24;80R", "]11;rgb:0000/0000/0000\u{7}", "P>|xterm(370)\u{1B}\\",
      "_Gi=1;OK\u{1B}\\", "[I",
    ])
    func `a sequence whose escape was read as a key types nothing`(rest: String) throws {
      let keys = try events([[0x1B], Array(rest.utf8), Array("k".utf8)], isComplete: true).compactMap { event in
        if case .key(let key) = event { key } else { nil }
      }
      #expect(keys == [Key(.escape), .character("k")])
    }

    @Test func `a paste whose escape was read as a key is a paste`() throws {
      let torn = try events([[0x1B], Array("[200~qq\u{1B}[201~".utf8)], isComplete: true)
      #expect(torn == [.key(Key(.escape)), .paste("qq")])
    }

    @Test func `keys typed after Esc are separate keys`() throws {
      for text in ["[", "O", "]", "P", "jk", "Ok", "\\", "[ab"] {
        let typed = text.map { [UInt8]($0.utf8) }
        let events = try events([[0x1B]] + typed, isComplete: true)
        #expect(events == [.key(Key(.escape))] + text.map { .key(.character($0)) })
      }
    }

    @Test func `a string terminator torn between its bytes is not read as keys`() throws {
      let torn = try events([Array("\u{1B}_Gi=1\u{1B}".utf8), Array("\\".utf8), Array("k".utf8)], isComplete: true)
      #expect(torn == [.key(.character("k"))])
    }

    @Test func `keys are read again after a string without an end`() throws {
      for key in ["\r", "\u{3}", "\u{1B}"] {
        let events = try events([Array("\u{1B}]0;title".utf8), Array(key.utf8), Array("k".utf8)], isComplete: true)
        #expect(events.last == .key(.character("k")), "\(key.debugDescription)")
      }
    }

    @Test func `X10 mouse reports are decoded as mouse events`() throws {
      let events = try events([Array("\u{1B}[M !\"\u{1B}[M#!\"\u{1B}[Ma&*".utf8)], isComplete: true)
      #expect(
        events == [
          .mouse(MouseEvent(.press, at: Point(row: 1, column: 0))),
          .mouse(MouseEvent(.release, at: Point(row: 1, column: 0))),
          .mouse(MouseEvent(.wheelDown, at: Point(row: 9, column: 5))),
        ])
    }
  }
}
