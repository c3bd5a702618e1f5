import QwinkleAccount
import Terminal
import TerminalCurses
import TerminalTesting
import Testing

extension CursesTests {
  @MainActor
  @Suite struct Keys {
    private func keys(_ bytes: String, kind: String = "xterm-256color") throws -> [Key] {
      var keys: [Key] = []
      try withScreen(kind: kind) { _, terminal, recorder in
        terminal.feed(bytes.utf8)
        keys = recorder.keys
      }
      return keys
    }

    @Test(arguments: [
      ("a", Key.character("a")), ("A", .character("A")), (" ", .character(" ")), ("é", .character("é")),
      ("日", .character("日")), ("👩‍👩‍👧", .character("👩‍👩‍👧")), ("\r", Key(.enter)), ("\n", .control("j")), ("\t", Key(.tab)),
      ("\u{7F}", Key(.backspace)), ("\u{8}", Key(.backspace)), ("\u{4}", .control("d")), ("\u{1A}", .control("z")),
      ("\u{3}", .control("c")), ("\0", .control("@")), ("\u{1F}", .control("_")), ("\u{1B}", Key(.escape)),
      ("\u{1B}x", .meta("x")), ("\u{1B}é", .meta("é")), ("\u{1B}\u{7F}", Key(.backspace, .meta)),
      ("\u{1B}\r", Key(.enter, .meta)), ("\u{1B}[A", Key(.up)), ("\u{1B}OA", Key(.up)), ("\u{1B}OB", Key(.down)),
      ("\u{1B}[1;5C", Key(.right, .control)), ("\u{1B}[1;2D", Key(.left, .shift)), ("\u{1B}[1;3A", Key(.up, .meta)),
      ("\u{1B}\u{1B}[A", Key(.up, .meta)), ("\u{1B}[Z", Key(.tab, .shift)), ("\u{1B}[5~", Key(.pageUp)),
      ("\u{1B}[6~", Key(.pageDown)), ("\u{1B}[3;5~", Key(.delete, .control)), ("\u{1B}[H", Key(.home)),
      ("\u{1B}OF", Key(.end)), ("\u{1B}OP", Key(.function(1))), ("\u{1B}[15~", Key(.function(5))),
      ("\u{1B}[24;2~", Key(.function(12), .shift)), ("\u{1B}[97;5u", .control("a")),
      ("\u{1B}[13;2u", Key(.enter, .shift)),
    ])
    func `byte sequences are decoded as keys`(bytes: String, key: Key) throws {
      #expect(try keys(bytes) == [key])
    }

    @Test func `the terminal's description adds keys`() throws {
      #expect(try keys("\u{1B}[[A\u{1B}[[B", kind: "linux") == [Key(.function(1)), Key(.function(2))])
    }

    @Test func `a burst of keys is delivered in one call and in order`() throws {
      try withScreen { _, terminal, recorder in
        terminal.feed("jj\u{1B}[Ak\u{1B}\u{1B}OBé\r".utf8)
        #expect(
          recorder.calls == [
            [
              .key(.character("j")), .key(.character("j")), .key(Key(.up)), .key(.character("k")),
              .key(Key(.down, .meta)), .key(.character("é")), .key(Key(.enter)),
            ]
          ])
      }
    }

    @Test func `a key received byte by byte is one key`() throws {
      try withScreen { _, terminal, recorder in
        for byte in "\u{1B}[1;5A日\u{1B}Ox👍".utf8 { terminal.feed([byte], isComplete: false) }
        #expect(recorder.keys == [Key(.up, .control), .character("日"), .character("8"), .character("👍")])
      }
    }

    @Test func `invalid UTF-8 does not affect the next characters`() throws {
      try withScreen { _, terminal, recorder in
        terminal.feed([0x61, 0xFF, 0xC3, 0x62, 0xE6, 0x97, 0x0D, 0x80, 0x63])
        let typed = recorder.keys.filter { $0 != .character("\u{FFFD}") }
        #expect(typed == [.character("a"), .character("b"), Key(.enter), .character("c")])
      }
    }

    @Test(arguments: [
      "\u{1B}[?62;22c", "\u{1B}[>41;354;0c", "\u{1B}[24;80R", "\u{1B}]11;rgb:0000/0000/0000\u{7}",
      "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}P>|xterm(370)\u{1B}\\", "\u{1B}[?2026;2$y", "\u{1B}[I",
      "\u{1B}[<0;10;10M", "\u{1B}[201~",
    ])
    func `replies of the terminal are not read as keys`(answer: String) throws {
      #expect(try keys(answer + "j") == [.character("j")])
    }

    @Test func `a paste is one event and contains no keys`() throws {
      try withScreen { _, terminal, recorder in
        terminal.feed("a\u{1B}[200~q\r\u{3}\u{1B}[A日\u{1B}[20\u{1B}[201~b".utf8)
        #expect(
          recorder.calls == [
            [.key(.character("a")), .paste("q\r\u{3}\u{1B}[A日\u{1B}[20"), .key(.character("b"))]
          ])
      }
    }

    @Test func `a paste received byte by byte is one event`() throws {
      try withScreen { _, terminal, recorder in
        for byte in "\u{1B}[200~one\rtwo\u{1B}[201~x".utf8 { terminal.feed([byte], isComplete: false) }
        #expect(recorder.events == [.paste("one\rtwo"), .key(.character("x"))])
      }
    }

    @Test func `a paste is truncated at its limit between characters`() throws {
      try withScreen { _, terminal, recorder in
        terminal.feed("\u{1B}[200~".utf8)
        for _ in 0..<3 { terminal.feed(String(repeating: "日", count: 200_000).utf8) }
        terminal.feed("\u{1B}[201~x".utf8)
        guard case .paste(let text) = recorder.events.first else {
          Issue.record("no paste")
          return
        }
        #expect(text.utf8.count == (1 << 20) / 3 * 3)
        #expect(text.allSatisfy { $0 == "日" })
        #expect(recorder.keys == [.character("x")])
      }
    }

    @Test(arguments: Soak.seeds(2))
    func `keys are decoded correctly after random bytes`(seed: UInt64) throws {
      try withScreen { _, terminal, recorder in
        var generator = SplitMix(seed: seed)
        let special = Array("\u{1B}\u{1B}[]OP0123456789;~ABMRu<>?\u{7}\\".utf8)
        for _ in 0..<2000 {
          let bytes = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
            Bool.random(using: &generator)
              ? special.randomElement(using: &generator) ?? 0x1B : UInt8.random(in: 0...255, using: &generator)
          }
          terminal.feed(bytes, isComplete: Bool.random(using: &generator))
        }
        terminal.feed("\u{1B}[201~".utf8)
        terminal.feed("\u{1B}\\".utf8)
        let before = recorder.keys.count
        terminal.feed("j".utf8)
        #expect(recorder.keys.dropFirst(before) == [.character("j")], "seed \(seed)")
      }
    }
  }
}
