import Foundation
import TerminalTesting
import Testing

/// What somebody sees who starts it for the first time, writes, leaves and comes back.
@Suite(.needsTmux) struct FirstStartTests {
  private func quit(_ terminal: TmuxHarness) async throws {
    try await terminal.press("q")
    try await terminal.wait(for: "Quit Qwinkle?")
    try await terminal.press("y")
    let end = try await terminal.waitForEnd()
    #expect(end.status == 0)
  }

  private func openEntry(_ terminal: TmuxHarness) async throws {
    try await Program.waitForTimeline(terminal)
    try await terminal.press("c")
    try await terminal.wait(for: "new qwink")
  }

  @Test func `the first start welcomes, and what is written is there at the next`() async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal { terminal in
        let first = try await terminal.wait(for: "Welcome to Qwinkle!")
        #expect(first.rows.first?.contains("Public") == true)
        try await openEntry(terminal)
        try await terminal.type("Frost on the allotment, über Nacht 🌱")
        try await terminal.wait(for: "Frost on the allotment, über Nacht")
        try await terminal.press("C-d")
        let posted = try await terminal.wait(for: "the posted qwink on top") {
          !$0.contains("new qwink") && $0.row(with: "Frost on the allotment").map { $0 < 5 } == true
        }
        let (own, welcome) = (posted.row(with: "Frost on"), posted.row(with: "Welcome to Qwinkle!"))
        #expect(try #require(own) < (try #require(welcome)))
        try await quit(terminal)
      }
      try await program.onTerminal { terminal in
        let again = try await terminal.wait(for: "Frost on the allotment")
        let row = try #require(again.row(with: "Frost on"))
        #expect(row < 5)
        try await openEntry(terminal)
        let entry = try await terminal.screen()
        let rule = try #require(entry.row(with: "new qwink"))
        #expect(entry.rows[rule + 1] == "", "what was sent is no draft any more")
        try await terminal.press("Escape")
        try await terminal.waitForEnd(of: "new qwink")
        try await quit(terminal)
      }
    }
  }

  @Test func `an entry that is left is there again after the next start`() async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal { terminal in
        try await openEntry(terminal)
        try await terminal.type("half a thought")
        try await terminal.wait(for: "half a thought")
        try await terminal.press("Escape")
        try await terminal.waitForEnd(of: "new qwink")
        try await quit(terminal)
      }
      try await program.onTerminal { terminal in
        try await openEntry(terminal)
        try await terminal.wait(for: "half a thought")
      }
    }
  }

  @Test func `an entry survives a kill soon after it was typed`() async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal { terminal in
        try await openEntry(terminal)
        try await terminal.type("typed and killed")
        // It is written down in the first pause, without being left or sent.
        let typed = ContinuousClock.now
        try await terminal.wait(for: "the draft on the disk") { _ in
          program.files().contains { file in
            file.path.hasSuffix("/draft.json")
              && String(decoding: file.bytes, as: UTF8.self).contains("typed and killed")
          }
        }
        #expect(ContinuousClock.now - typed < .seconds(5))
        try await terminal.signal(SIGKILL)
        let end = try await terminal.waitForEnd()
        #expect(end.status == 128 + 9)
      }
      try await program.onTerminal { terminal in
        try await openEntry(terminal)
        try await terminal.wait(for: "typed and killed")
      }
    }
  }

  @Test func `what is pasted is text and nothing else`() async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal { terminal in
        try await openEntry(terminal)
        try await terminal.paste("first half\nsecond half\u{04} and more")
        let pasted = try await terminal.wait(for: "and more")
        #expect(pasted.contains("new qwink"))
        #expect(pasted.row(with: "first half").map { $0 + 1 } == pasted.row(with: "second half"))
      }
    }
  }
}
