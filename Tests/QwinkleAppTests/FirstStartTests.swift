import Foundation
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

/// A new user's first start, and the restored state at the next start.
@Suite(.needsTmux, .bounded) struct FirstStartTests {
  private func quit(_ terminal: TmuxHarness) async throws {
    try await terminal.press("q")
    // A stream can show a post before its answer has arrived. Then the question names the post, and `y` waits for it.
    try await terminal.wait(for: "the question") {
      $0.contains("Quit Qwinkle?") || $0.contains("Still sending: a post. Quit when done?")
    }
    try await terminal.press("y")
    let end = try await terminal.waitForEnd()
    #expect(end.status == 0)
  }

  private func openEntry(_ terminal: TmuxHarness) async throws {
    try await Program.waitForTimeline(terminal)
    try await terminal.press("c")
    try await terminal.wait(for: "New post")
  }

  @Test func `the first start shows a welcome and a post survives the restart`() async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal { terminal in
        let first = try await terminal.wait(for: "Welcome to Qwinkle!")
        #expect(first.rows.first?.contains("Public") == true)
        try await openEntry(terminal)
        try await terminal.type("Frost on the allotment, über Nacht 🌱")
        try await terminal.wait(for: "Frost on the allotment, über Nacht")
        try await terminal.wait(for: "Public, everyone")
        try await terminal.press("C-d")
        let posted = try await terminal.wait(for: "the posted qwink on top") {
          !$0.contains("New post") && $0.row(with: "Frost on the allotment").map { $0 < 5 } == true
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
        let rule = try #require(entry.row(with: "New post"))
        #expect(entry.rows[rule + 1] == "", "what was sent is no draft any more")
        try await terminal.press("Escape")
        try await terminal.waitForEnd(of: "New post")
        try await quit(terminal)
      }
    }
  }

  @Test func `the very first start shows a tour once without blocking keys`() async throws {
    try await Program.inNewHome(isFirstStart: true) { program in
      try await program.onTerminal { terminal in
        let first = try await terminal.wait(for: "A short tour 1/4")
        let row = try #require(first.row(with: "A short tour 1/4"))
        let lines = first.rows.dropFirst(row + 1).prefix(3).map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
          lines == [
            "This is your own timeline, on this machine only.", "S signs in, to meet other people",
            "6 finds posts and hashtags",
          ])
        try await terminal.press("Space")
        try await terminal.wait(for: "A short tour 2/4")
        // All other keys work as usual.
        try await terminal.press("c")
        try await terminal.wait(for: "New post")
        try await terminal.press("Escape")
        try await terminal.waitForEnd(of: "New post")
        try await quit(terminal)
      }
      try await program.onTerminal { terminal in
        try await Program.waitForTimeline(terminal)
        let screen = try await terminal.screen()
        #expect(!screen.contains("A short tour"))
        try await quit(terminal)
      }
    }
  }

  @Test func `the tour names a shared timeline, a server without an account, and nothing for an account`() async throws
  {
    try await Program.inNewHome(isFirstStart: true) { program in
      let server = try await program.startServing(onSocket: "shared.sock")
      try await program.onTerminal("--socket", server.path, columns: 100) { terminal in
        let first = try await terminal.wait(for: "A short tour 1/4")
        #expect(first.contains("All users of this host read and post here."), "\(first)")
        #expect(first.contains("6 finds users, posts and hashtags"), "\(first)")
      }
      _ = try await server.process.stop()
    }
    try await withTimeline(Answers.threeQwinks) { server in
      try await Program.inNewHome(isFirstStart: true) { program in
        try await program.onTerminal("--server", server.url, columns: 100) { terminal in
          let first = try await terminal.wait(for: "A short tour 1/3")
          #expect(first.contains("These are the public posts of \(server.host)."), "\(first)")
          #expect(first.contains("S signs in, to write and follow"), "\(first)")
        }
      }
      try await Program.inNewHome(isFirstStart: true) { program in
        let arguments = ["--server", server.url]
        try await program.with(["QWINKLE_TOKEN_COMMAND": "echo word"]).onTerminal(
          command: [Program.path] + arguments, columns: 100
        ) { terminal in
          let first = try await terminal.wait(for: "A short tour 1/3")
          #expect(first.contains("move through the list"), "\(first)")
        }
      }
    }
  }

  @Test func `an entry closed without sending reopens after a restart`() async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal { terminal in
        try await openEntry(terminal)
        try await terminal.type("half a thought")
        try await terminal.wait(for: "half a thought")
        try await terminal.press("Escape")
        try await terminal.waitForEnd(of: "New post")
        try await quit(terminal)
      }
      try await program.onTerminal { terminal in
        try await openEntry(terminal)
        try await terminal.wait(for: "half a thought")
      }
    }
  }

  @Test func `an entry survives a kill during continuous typing`() async throws {
    let text = "it was typed without a pause, and nobody left it or sent it, when the power went"
    try await Program.inNewHome { program in
      var typed = 0
      var aSecondAgo = 0
      try await program.onTerminal { terminal in
        try await openEntry(terminal)
        var counts: [(at: ContinuousClock.Instant, count: Int)] = []
        // The speed of a fast typist.
        for character in text.prefix(70) {
          try await terminal.type(String(character))
          typed += 1
          counts.append((.now, typed))
          await Pace.rest(milliseconds: 60)
        }
        try await terminal.wait(for: String(text.prefix(60).suffix(20)))
        let now = ContinuousClock.now
        aSecondAgo = counts.last { now - $0.at > .seconds(1) }?.count ?? 0
        try await terminal.signal(SIGKILL)
        let end = try await terminal.waitForEnd()
        #expect(end.status == 128 + 9)
      }
      let kept = try #require(try program.drafts().first).entry.text
      #expect(text.hasPrefix(kept))
      #expect(typed - kept.count <= 20, "\(kept.count) of \(typed)")
      #expect(kept.count >= aSecondAgo, "\(kept.count) of \(aSecondAgo)")
      try await program.onTerminal { terminal in
        try await openEntry(terminal)
        // The screen's rows have no trailing spaces.
        try await terminal.wait(for: kept.suffix(20).trimmingCharacters(in: .whitespaces))
      }
    }
  }

  @Test func `control characters in pasted text trigger no keys`() async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal { terminal in
        try await openEntry(terminal)
        try await terminal.paste("first half\nsecond half\u{04} and more")
        let pasted = try await terminal.wait(for: "and more")
        #expect(pasted.contains("New post"))
        #expect(pasted.row(with: "first half").map { $0 + 1 } == pasted.row(with: "second half"))
      }
    }
  }
}
