import Foundation
import TerminalTesting
import Testing

/// Terminals of every size, at startup and while running.
@Suite(.needsTmux, .bounded) struct SizeTests {
  private static let sizes = [(12, 40), (24, 80), (40, 120), (50, 200), (3, 10), (1, 1)]

  private static func isWhole(_ screen: TmuxHarness.Screen) -> Bool {
    screen.rows[0].contains("●") && screen.contains("Welcome to Qwinkle!")
      && screen.rows.last?.contains("? help") == true
  }

  @Test(arguments: sizes) func `the program starts, moves and quits at any size`(rows: Int, columns: Int) async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal(rows: rows, columns: columns) { terminal in
        let screen = try await terminal.wait(for: "something") { screen in
          rows < 6 ? screen.isAlternate : screen.contains("▌") && screen.contains("Welcome")
        }
        #expect(screen.rows.count == rows)
        try await terminal.press("j", "j", "G", "g", "g", "Enter", "h", "k")
        if rows >= 6 {
          let moved = try await terminal.wait(for: "a mark") { $0.contains("▌") }
          #expect(moved.rows.count == rows && !moved.hasEnded)
        }
        try await terminal.press("q", "y")
        #expect(try await terminal.waitForEnd().status == 0)
      }
    }
  }

  @Test func `the screen follows every resize even with an entry open`() async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal { terminal in
        try await Program.waitForTimeline(terminal)
        for (rows, columns) in Self.sizes + Self.sizes.reversed() {
          try await terminal.resize(rows: rows, columns: columns)
          guard rows >= 6 else { continue }
          try await terminal.wait(for: "the timeline at \(columns)x\(rows)") { screen in
            // The last row is the status bar at every height.
            screen.rows.count == rows && screen.contains("▌") && screen.rows.last?.contains("? help") == true
          }
        }
        try await terminal.resize(rows: 24, columns: 80)
        try await terminal.press("c")
        try await terminal.wait(for: "New post")
        try await terminal.type("typed at all sizes")
        for (rows, columns) in Self.sizes + [(24, 80)] {
          try await terminal.resize(rows: rows, columns: columns)
          guard rows >= 12 else { continue }
          try await terminal.wait(for: "the entry at \(columns)x\(rows)") { screen in
            screen.rows.count == rows && screen.contains("typed at all sizes") && screen.contains("New post")
          }
        }
        try await terminal.type(" and sent")
        try await terminal.press("C-d")
        let posted = try await terminal.wait(for: "the posted qwink") {
          !$0.contains("New post") && $0.contains("sizes and sent")
        }
        #expect(posted.rows.count == 24 && posted.contains("typed at all sizes and sent"))
      }
    }
  }

  @Test func `LINES and COLUMNS in the environment are ignored`() async throws {
    try await Program.inNewHome { program in
      try await program.with(["LINES": "50", "COLUMNS": "133"]).onTerminal(rows: 12, columns: 60) { terminal in
        try await terminal.wait(for: "the timeline") { screen in
          screen.contains("▌") && screen.rows.last?.contains("? help") == true
        }
        try await terminal.resize(rows: 14, columns: 50)
        let screen = try await terminal.wait(for: "the timeline, higher") { screen in
          screen.rows.count == 14 && screen.contains("▌") && screen.rows.last?.contains("? help") == true
        }
        #expect(screen.isAlternate && !screen.hasEnded)
      }
    }
  }

  /// If the terminal was smaller only briefly, the program can't detect the change, but the terminal has lost its text.
  @Test func `SIGWINCH without a new size redraws the screen`() async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal { terminal in
        let before = try await terminal.wait(for: "the whole screen", until: Self.isWhole)
        try await terminal.disturb("\u{1B}[2J")
        try await terminal.waitForEnd(of: "Welcome to Qwinkle!")
        try await terminal.signal(SIGWINCH)
        // The first row shows the time.
        let again = try await terminal.wait(for: "the screen as it was") {
          $0.rows.dropFirst() == before.rows.dropFirst()
        }
        #expect(again.isAlternate && !again.hasEnded)
      }
    }
  }

  @Test func `^L redraws a screen overwritten by another program`() async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal { terminal in
        let before = try await terminal.wait(for: "the whole screen", until: Self.isWhole)
        try await terminal.disturb("\u{1B}[2J\u{1B}[5;5Hsomebody writes to you")
        try await terminal.wait(for: "somebody writes to you")
        try await terminal.press("C-l")
        // The first row shows the time.
        let again = try await terminal.wait(for: "the screen as it was") {
          $0.rows.dropFirst() == before.rows.dropFirst()
        }
        #expect(again.isAlternate && !again.hasEnded)
      }
    }
  }

  @Test func `every kind of terminal shows the same screen`() async throws {
    var shown: [String: [String]] = [:]
    for kind in ["xterm-256color", "tmux-256color", "screen", "vt100"] {
      shown[kind] = try await Program.inNewHome { program in
        try await program.onTerminal(terminal: kind) { terminal in
          try await Program.waitForTimeline(terminal)
          try await terminal.press("j")
          let screen = try await Program.waitForSelection(of: "Press c to write", on: terminal)
          // The first row shows the time.
          return Array(screen.rows.dropFirst())
        }
      }
    }
    #expect(shown.count == 4)
    for (kind, rows) in shown { #expect(rows == shown["xterm-256color"], "\(kind)") }
  }
}
