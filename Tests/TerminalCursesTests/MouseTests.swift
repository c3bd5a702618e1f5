import QwinkleAccount
import Terminal
import TerminalCurses
import Testing

extension CursesTests {
  @MainActor
  @Suite struct Mouse {
    private func events(_ bytes: String) throws -> [MouseEvent] {
      var events: [MouseEvent] = []
      try withScreen { _, terminal, recorder in
        terminal.feed(bytes.utf8)
        events = recorder.events.compactMap { if case .mouse(let event) = $0 { event } else { nil } }
      }
      return events
    }

    @Test(arguments: [
      ("\u{1B}[<0;10;3M", MouseEvent(.press, at: Point(row: 2, column: 9))),
      ("\u{1B}[<0;10;3m", MouseEvent(.release, at: Point(row: 2, column: 9))),
      ("\u{1B}[<32;1;1M", MouseEvent(.drag, at: .zero)), ("\u{1B}[<64;1;1M", MouseEvent(.wheelUp, at: .zero)),
      ("\u{1B}[<65;300;200M", MouseEvent(.wheelDown, at: Point(row: 199, column: 299))),
      ("\u{1B}[<16;1;1M", MouseEvent(.press, at: .zero, .control)),
    ])
    func `a mouse report is an event with its position`(bytes: String, event: MouseEvent) throws {
      #expect(try events(bytes) == [event])
    }

    @Test(arguments: [
      "\u{1B}[<2;1;1M", "\u{1B}[<0;0;1M", "\u{1B}[<0;1M", "\u{1B}[<;;M", "\u{1B}[<0;-1;1M", "\u{1B}[M   ",
    ])
    func `invalid mouse reports are ignored`(bytes: String) throws {
      #expect(try events(bytes).isEmpty)
    }
  }
}
