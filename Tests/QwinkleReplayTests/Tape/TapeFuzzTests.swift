import QwinkleReplay
import TerminalTesting
import Testing

@Suite struct TapeFuzzTests {
  /// A tape with all kinds of commands.
  static let sample = """
    # A story
    Set TypingSpeed 50ms Set Theme { "name": "x" }
    Clock 2026-03-01T09:30:00Z Seed 7 Resize 80x24
    Serve bob posts "Good morning" Serve bob answers /Good/ "and to you"
    Type@100ms "hello 👩‍👩‍👧" 'é' `x` Enter 2 Ctrl+Alt+Shift+x Shift+Tab Left@.5 3
    Wait+Screen@2s /Ho(me|use)+ [a-z]{2,3}\\/x/ Expect+Line 3 /^a.*b$/ Refuse /error/
    Mouse press 3 10 Signal TERM Advance 5m Snapshot after-login rows 3-9 Net slow
    Counters Enter Counters bytes<=300 writes<=1
    Hide Require git Env LANG "C" Output a.cast Screenshot b.svg Copy "c" Paste Show
    Source other.tape F5 Home ScrollDown 3 Sleep 0.5

    """

  @Test(arguments: [Soak.seed]) func `a malformed tape is parsed or rejected with a position`(seed: UInt64) throws {
    var generator = SplitMix(seed: seed)
    var texts = [Self.sample]
    for file in TapeFile.vhs { texts.append(try file.text()) }
    var refused = 0
    let runs = Soak.runs(200)
    for run in 0..<runs {
      let bytes = Self.damaged(Array(texts[run % texts.count].utf8), using: &generator)
      let text = String(decoding: bytes, as: UTF8.self)
      let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.count
      do throws(TapeErrors) {
        let tape = try TapeParser.parse(text, name: "t") { _ in "Enter" }
        for command in tape.commands { _ = command.step.keys.count }
      } catch {
        refused += 1
        #expect((1...TapeErrors.most).contains(error.errors.count))
        for error in error.errors {
          #expect(error.place.line >= 1 && error.place.line <= lines && error.place.column >= 1, "\(error)")
          #expect(
            error.sentence.hasSuffix(".") || error.sentence.hasSuffix("?") || error.sentence.contains(": "), "\(error)")
        }
      }
    }
    #expect(refused > runs / 10)
  }

  /// Returns `bytes` with a few changes, insertions, removals and repetitions.
  private static func damaged(_ bytes: [UInt8], using generator: inout SplitMix) -> [UInt8] {
    var bytes = bytes
    let signs = Array("\"'`/\\()[]{}@+#%.-0159xsm \t\n\rTW".utf8) + [0, 0x1B, 0x80, 0xC0, 0xE2, 0xF0, 0xFF]
    for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &generator)
      switch Int.random(in: 0...5, using: &generator) {
      case 0: bytes[index] = signs[Int.random(in: signs.indices, using: &generator)]
      case 1: bytes.insert(signs[Int.random(in: signs.indices, using: &generator)], at: index)
      case 2: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...20, using: &generator)))
      case 3: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 4:
        let part = bytes[index..<min(bytes.count, index + Int.random(in: 1...40, using: &generator))]
        bytes.insert(contentsOf: part, at: Int.random(in: bytes.indices, using: &generator))
      default: if Int.random(in: 0...9, using: &generator) == 0 { bytes.removeSubrange(index...) }
      }
    }
    return bytes
  }
}
