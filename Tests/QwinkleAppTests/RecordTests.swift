import Foundation
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleReplay

/// What is recorded at a real server is played again when that is gone, and holds no secret.
@Suite struct RecordTests {
  private static let message = "The key lies under the CANARY-MESSAGE pot."

  /// Records `keys` as anna at a server where ben has written to her privately. Returns her token.
  private func record(
    _ program: Program, _ arguments: [String], _ play: (TmuxHarness) async throws -> Void
  ) async throws -> String {
    var tokens: [String: String] = [:]
    for name in ["anna", "ben"] {
      let made = try await program.run("serve", "add-user", name, "--data", "\(program.home)/data")
      tokens[name] = made.text.trimmingCharacters(in: .newlines)
      try program.write((tokens[name] ?? "").utf8, to: "\(name).token")
    }
    try await program.serving { url in
      let ben = program.with(["QWINKLE_TOKEN_COMMAND": "cat \(program.home)/ben.token"])
      _ = try await ben.run("post", "The kiosk starts in 40 ms.", "--server", url)
      _ = try await ben.run("post", "@anna \(Self.message)", "--visibility", "direct", "--server", url)
      let anna = program.with(["QWINKLE_TOKEN_COMMAND": "cat \(program.home)/anna.token"])
      try await anna.onTerminal(command: [Program.path, "record"] + arguments + ["--server", url]) { terminal in
        try await Program.waitForTimeline(terminal)
        try await terminal.wait(for: "3 Messages •1")
        try await terminal.wait(for: "4 Notices •1")
        try await play(terminal)
        try await terminal.press("q")
        try await terminal.wait(for: "Quit Qwinkle?")
        try await terminal.press("y")
        try await terminal.waitForEnd()
      }
    }
    return tokens["anna"] ?? ""
  }

  @Test(.needsTmux) func `a recording plays the same screens without the server`() async throws {
    try await Program.inNewHome { program in
      var screens: [[String]] = []
      let token = try await record(program, ["--cassette", "f.har", "--tape", "f.tape"]) { terminal in
        // Each is a step of its own on the tape: letters that follow one another quickly would be one.
        let qwink = "The kiosk starts in 40 ms."
        for (key, words) in [
          ("Down", qwink), ("3", Self.message), ("Up", Self.message), ("1", qwink), ("Down", qwink),
        ] {
          try await terminal.press(key)
          let screen = try await terminal.wait(for: "“\(words)”, all fetched") { screen in
            screen.contains(words) && screen.rows[0].contains("●") && !screen.rows[0].contains(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/)
          }
          // What an arrow does may be seen in the next look only.
          if key.count == 1 { screens.append(Self.timeless(screen.rows)) }
        }
      }
      let files = program.files().filter { $0.path == "f.har" || $0.path == "f.tape" }
      #expect(files.count == 2)
      for file in files {
        let text = String(decoding: file.bytes, as: UTF8.self)
        #expect(token.count > 20 && !text.contains(token), "\(file.path)")
      }
      let outcome = try await program.run("replay", "f.tape", "--cassette", "f.har", "--steps", "steps")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let played = try program.files().filter { $0.path.hasSuffix(".snapshot") }.map { file in
        let snapshot = try Snapshot(parsing: String(decoding: file.bytes, as: UTF8.self))
        return Self.timeless((0..<snapshot.size.rows).map(snapshot.text(ofRow:)))
      }
      // Each screen that was looked at comes again, in that order.
      #expect(screens.count == 2)
      var steps = played[...]
      for screen in screens {
        let step = steps.firstIndex(of: screen)
        #expect(step != nil, "not played again: \(Self.difference(of: screen, from: played))")
        steps = steps[(step ?? steps.startIndex)...]
      }
    }
  }

  /// The rows of `screen` that differ from the most similar of `others`, with those.
  private static func difference(of screen: [String], from others: [[String]]) -> String {
    let differences = others.map { other in zip(screen, other).filter { $0 != $1 }.map { "“\($0)” was “\($1)”" } }
    return differences.min { $0.count < $1.count }?.joined(separator: "\n") ?? "nothing was played"
  }

  /// Rows without what may have become a minute later.
  private static func timeless(_ rows: [String]) -> [String] {
    rows.map { $0.replacing(/\d\d:\d\d/, with: "--:--").replacing(/\ now$|\ +\d+ min$/, with: "") }
  }

  @Test(.needsTmux) func `a private recording has nobody's words`() async throws {
    try await Program.inNewHome { program in
      let token = try await record(program, ["--cassette", "f.har", "--private"]) { terminal in
        try await terminal.press("3")
        try await terminal.wait(for: "CANARY-MESSAGE")
        try await terminal.press("1")
        try await terminal.wait(for: "The kiosk starts in 40 ms.")
      }
      let cassette = try #require(program.files().first { $0.path == "f.har" })
      let text = String(decoding: cassette.bytes, as: UTF8.self)
      #expect(!text.contains(token) && !text.contains("CANARY") && !text.contains("kiosk"))
      #expect(text.contains("/api/v1/timelines/public"))
      try program.write("Expect /ben/\n".utf8, to: "look.tape")
      let outcome = try await program.run("replay", "look.tape", "--cassette", "f.har")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }
}
