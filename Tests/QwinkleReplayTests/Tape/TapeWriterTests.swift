import Foundation
import QwinkleReplay
import Terminal
import Testing

/// A tape that is recorded while the user types parses to the same keys.
@Suite struct TapeWriterTests {
  @Test func `a recorded tape is parsed to the recorded events`() throws {
    var writer = TapeWriter(size: Size(rows: 24, columns: 80), start: Date(timeIntervalSince1970: 1_767_225_600))
    let events: [(Int, TerminalEvent)] = [
      (1000, .key(.character("c"))), (1100, .key(.character("a"))), (1150, .key(.character("\""))),
      (1160, .key(.character("'"))), (1170, .key(.character("`"))), (1180, .key(.character("é"))),
      (2000, .key(Key(.enter))), (2010, .key(.control("d"))), (2020, .key(.meta("b"))), (2030, .key(Key(.tab, .shift))),
      (2040, .key(Key(.function(5)))), (2050, .resize(Size(rows: 12, columns: 40))),
      (2060, .mouse(MouseEvent(.press, at: Point(row: 3, column: 7)))), (2070, .paste("two\nlines")),
    ]
    for (time, event) in events { writer.add(event, at: .milliseconds(time)) }
    let tape = try TapeParser.parse(writer.text, source: { _ in "" })
    let keys = tape.commands.flatMap(\.step.keys)
    #expect(
      keys == events.compactMap { if case .key(let key) = $0.1 { key } else { nil } }, "\(writer.text)")
    #expect(tape.commands.contains { $0.step == .resize(Size(rows: 12, columns: 40)) })
    #expect(tape.commands.contains { $0.step == .sleep(.milliseconds(820)) })
    #expect(tape.commands.contains { $0.step == .copy("two lines") })
    #expect(ReplaySetting(of: tape).start == 1_767_225_600)
  }

  @Test func `the tape is valid after each key and only its end is rewritten`() throws {
    var writer = TapeWriter(size: Size(rows: 24, columns: 80), start: Date(timeIntervalSince1970: 1_767_225_600))
    var (settled, known) = ("", 0)
    for (index, character) in "say \"it's\" `so`".enumerated() {
      writer.add(.key(.character(character)), at: .milliseconds(index * 50))
      if index == 7 { writer.add(.key(Key(.enter)), at: .milliseconds(index * 50 + 10)) }
      let part = writer.part(after: known)
      settled += part.settled
      known = writer.settledCount
      #expect(settled + part.typed == writer.text)
      _ = try TapeParser.parse(settled + part.typed, source: { _ in "" })
    }
  }
}
