import Foundation
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleReplay

/// A recording of a real server plays without the server and contains no secrets.
@Suite(.bounded) struct RecordTests {
  private static let message = "The key lies under the CANARY-MESSAGE pot."

  /// Records `play` as anna on a server where ben has sent anna a private message. Returns anna's token.
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
        // A recording begins without a configuration, so with Home, where anna follows no one.
        try await terminal.wait(for: "No one you follow")
        try await terminal.press("1")
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
      var screens: [[String]] = []
      let token = try await record(program, ["--cassette", "f.har", "--tape", "f.tape"]) { terminal in
        // Each key is a separate step on the tape. Letters typed in quick succession would be a single step.
        let qwink = "The kiosk starts in 40 ms."
        for (key, words) in [
          ("Down", qwink), ("3", Self.message), ("Up", Self.message), ("1", qwink), ("Down", qwink),
        ] {
          try await terminal.press(key)
          let screen = try await terminal.wait(for: "“\(words)”, all fetched") { screen in
            screen.contains(words) && screen.rows[0].contains("●") && !screen.rows[0].contains(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/)
          }
          // An arrow key may take effect later.
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
      // Each recorded screen appears again, in the same order.
      #expect(screens.count == 2)
      var steps = played[...]
      for screen in screens {
        let step = steps.firstIndex(of: screen)
        #expect(step != nil, "not played again: \(Self.difference(of: screen, from: played))")
        steps = steps[(step ?? steps.startIndex)...]
      }
    }
  }

  /// Returns the rows in which `screen` differs from the most similar of `others`.
  private static func difference(of screen: [String], from others: [[String]]) -> String {
    let differences = others.map { other in zip(screen, other).filter { $0 != $1 }.map { "“\($0)” was “\($1)”" } }
    return differences.min { $0.count < $1.count }?.joined(separator: "\n") ?? "nothing was played"
  }

  /// Returns the rows without relative times, which change every minute.
  private static func timeless(_ rows: [String]) -> [String] {
    rows.map { $0.replacing(/\d\d:\d\d/, with: "--:--").replacing(/\ +(now|\d+\ ?(m|min|h))?\ *$/, with: "") }
  }

  @Test(.needsTmux) func `a private recording contains no text of posts or messages`() async throws {
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
      try program.write("Type \"1\"\nExpect /ben/\n".utf8, to: "look.tape")
      let outcome = try await program.run("replay", "look.tape", "--cassette", "f.har")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test func `a killed recording is complete up to the last key`() async throws {
    try await withTimeline(Answers.threeQwinks) { server in
      try await Program.inNewHome { program in
        try await program.onPseudoTerminal(
          "record", "--cassette", "f.har", "--tape", "f.tape", "--server", server.url
        ) { terminal, spawned in
          try await terminal.waitForTimeline()
          terminal.type("j:tag gard")
          try await terminal.wait(for: "gard")
          spawned.signal(SIGKILL)
          try await spawned.waitForEnd()
        }
        let cassette = try #require(program.files().first { $0.path == "f.har" })
        let entries = try Cassette(har: Array(cassette.bytes)).entries
        #expect(entries.contains { $0.request.url.contains("/api/v1/timelines/public") && $0.response.status == 200 })
        let tape = try #require(program.files().first { $0.path == "f.tape" })
        let text = String(decoding: tape.bytes, as: UTF8.self)
        #expect(text.contains("Resize 80x24"), "\(text)")
        let read = try TapeParser.parse(text, source: { _ in "" })
        let typed = read.commands.map { if case .type(let text, _) = $0.step { text } else { "" } }.joined()
        #expect(typed.replacing(" ", with: "").hasPrefix("j:taggar"), "\(text)")
        for path in ["f.har", "f.tape"] {
          let facts = try FileManager.default.attributesOfItem(atPath: "\(program.home)/\(path)")
          #expect(facts[.posixPermissions] as? Int == 0o600, "\(path)")
        }
      }
    }
  }

  /// Returns the exit status and the output of a recording that is refused.
  private func refusal(_ program: Program, _ arguments: String...) async throws -> (SpawnedProgram.Ending, String) {
    try await program.onPseudoTerminal(command: [Program.path, "record"] + arguments) { terminal, spawned in
      let ending = try await spawned.waitForEnd()
      return (ending, String(decoding: terminal.output, as: UTF8.self))
    }
  }

  @Test func `an existing file is overwritten only with --force`() async throws {
    try await withTimeline(Answers.threeQwinks) { server in
      try await Program.inNewHome { program in
        for arguments in [["--cassette", "there", "--tape", "new"], ["--cassette", "new", "--tape", "there"]] {
          try program.write("mine".utf8, to: "there")
          let (ending, words) = try await refusal(
            program, arguments[0], arguments[1], arguments[2], arguments[3], "--server", server.url)
          #expect(ending == .exit(2) && words.contains("“there” already exists") && words.contains("--force"))
          #expect(program.files().map(\.path) == ["there"])
          #expect(program.files().map(\.bytes) == [Data("mine".utf8)])
        }
        #expect(server.requests.isEmpty)
        try await program.onPseudoTerminal(
          "record", "--cassette", "there", "--force", "--server", server.url
        ) { terminal, spawned in
          try await terminal.waitForTimeline()
          terminal.type("qy")
          #expect(try await spawned.waitForEnd() == .exit(0))
        }
        let cassette = try #require(program.files().first { $0.path == "there" })
        #expect(try !Cassette(har: Array(cassette.bytes)).entries.isEmpty)
        let facts = try FileManager.default.attributesOfItem(atPath: "\(program.home)/there")
        #expect(facts[.posixPermissions] as? Int == 0o600)
      }
    }
  }

  @Test func `an unwritable path is refused before any output or request`() async throws {
    try await withTimeline(Answers.threeQwinks) { server in
      try await Program.inNewHome { program in
        for (cassette, tape) in [("none/f.har", "f.tape"), ("f.har", "none/f.tape")] {
          let (ending, words) = try await refusal(
            program, "--cassette", cassette, "--tape", tape, "--server", server.url)
          #expect(ending == .exit(1) && words.contains("Cannot write"), "\(words)")
        }
        #expect(server.requests.isEmpty && program.files().isEmpty)
      }
    }
  }

  @Test func `a tape writes no file outside its own folder`() async throws {
    try await Program.inNewHome { program in
      for line in [
        "Output ../out.txt", "Screenshot ../out.svg", "Output \(program.home)/out.cast", "Output link/x.txt",
      ] {
        try program.write("Expect /Welcome/\n\(line)\n".utf8, to: "theirs/a.tape")
        try? FileManager.default.createSymbolicLink(
          atPath: "\(program.home)/theirs/link", withDestinationPath: program.home)
        let outcome = try await program.run("replay", "theirs/a.tape")
        #expect(outcome.status == 2 && outcome.errors.contains("theirs/a.tape:2:1"), "\(outcome.errors)")
        #expect(outcome.errors.contains("only below its own folder"), "\(outcome.errors)")
        #expect(program.files().map(\.path) == ["theirs/a.tape"])
      }
      try program.write("Output a.txt\nScreenshot b.svg\n".utf8, to: "theirs/a.tape")
      let outcome = try await program.run("replay", "theirs/a.tape")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(program.files().map(\.path) == ["theirs/a.tape", "theirs/a.txt", "theirs/b.svg"])
    }
  }
}
