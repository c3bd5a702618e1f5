import Foundation
import TerminalTesting
import Testing

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
      var screens: [String] = []
      let token = try await record(program, ["--cassette", "f.har", "--tape", "f.tape"]) { terminal in
        try await terminal.press("j")
        try await terminal.press("3")
        screens.append(try await terminal.wait(for: "CANARY-MESSAGE").description)
        try await terminal.press("1")
        screens.append(try await terminal.wait(for: "The kiosk starts in 40 ms.").description)
      }
      let files = program.files().filter { $0.path == "f.har" || $0.path == "f.tape" }
      #expect(files.count == 2)
      for file in files {
        let text = String(decoding: file.bytes, as: UTF8.self)
        #expect(token.count > 20 && !text.contains(token), "\(file.path)")
      }
      let tape = String(decoding: files.first { $0.path == "f.tape" }?.bytes ?? Data(), as: UTF8.self)
      // Keys in quick succession are one command; a step for each shows what each has led to.
      let shown = tape.replacing(
        "Type \"j31qy\"\n",
        with: ["j", "3", "1", "q"].map { "Type \"\($0)\"\nSleep 1s\n" }.joined())
      #expect(shown != tape, "\(tape)")
      try program.write(shown.utf8, to: "shown.tape")
      let outcome = try await program.run("replay", "shown.tape", "--cassette", "f.har", "--steps", "steps")
      #expect(outcome.status == 0, "\(outcome.errors)")
      // Each screen that was looked at comes again; times may have moved on by a minute since.
      let played = program.files().filter { $0.path.hasSuffix(".snapshot") }.map { file in
        String(decoding: file.bytes, as: UTF8.self)
      }
      #expect(screens.count == 2)
      for words in ["The key lies under the CANARY-MESSAGE pot.", "The kiosk starts in 40 ms."] {
        #expect(screens.contains { $0.contains(words) })
        #expect(played.contains { $0.contains(words) }, "not played again: \(words)")
      }
    }
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
