import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// Output to a pipe is plain text, and escape sequences in hostile server data never reach a terminal.
@Suite(.bounded) struct PipeTests {
  /// Escape sequences that would set the title, set the clipboard or clear the screen: raw in JSON, and as HTML
  /// entities.
  private static let hostile: Script = {
    let raw = #"\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b[2J\u009b2J\u202eevil"#
    let entities = "&#27;]0;owned&#7;&#x1b;]52;c;b3duZWQ=&#7;&#27;[2J&#155;2J&#x202e;evil"
    return Answers.page(
      Answers.status("2", "<p>before \(raw) after</p>", name: "Mallory \(raw)"),
      Answers.status("1", "<p>between \(entities) and end</p>", name: "Mallory"))
  }()

  private func controls(in bytes: [UInt8]) -> [Unicode.Scalar] {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { scalar in
      (scalar.properties.generalCategory == .control && scalar != "\n") || scalar == "\u{202E}"
    }
  }

  @Test func `the program prints the public timeline into a pipe`() async throws {
    try await Program.inNewHome { program in
      let alone = try await program.run()
      let timeline = try await program.run("timeline", "public")
      #expect(alone.status == 0 && alone.errors == "" && alone.text.contains("Welcome to Qwinkle!"))
      #expect(alone.output == timeline.output)
      #expect(controls(in: alone.output).isEmpty)

      let json = try await program.run("timeline", "public", "--json", "--limit", "3")
      let items = try JSONSerialization.jsonObject(with: Data(json.output)) as? [[String: Any]]
      #expect(items?.count == 3)
      #expect(items?.allSatisfy { $0["id"] is String && $0["account"] is [String: Any] } == true)
    }
  }

  @Test func `posts from an argument and from standard input are in the timeline`() async throws {
    try await Program.inNewHome { program in
      #expect(try await program.run("post", "from the shell").status == 0)
      #expect(try await program.run("post", "-", input: "from a pipe\n").status == 0)
      let timeline = try await program.run("timeline", "home", "--limit", "2")
      let newer = try #require(timeline.text.range(of: "from a pipe"))
      let older = try #require(timeline.text.range(of: "from the shell"))
      #expect(newer.lowerBound < older.lowerBound)
    }
  }

  @Test(arguments: ["", "--json"]) func `a reader may close the pipe early`(option: String) async throws {
    // More than fits into a pipe, so that writing fails once `head` has ended.
    let long = String(repeating: "word ", count: 2000)
    let page = Answers.page((1...40).map { Answers.status("\($0)", "<p>\(long)</p>") })
    try await withTimeline(page) { server in
      try await Program.inNewHome { program in
        let script = #"set -euo pipefail; "$0" timeline public --limit 40 --server "$1" $2 | head -c 100"#
        let outcome = try await ChildProcess.run(
          ["/usr/bin/env", "bash", "-c", script, Program.path, server.url, option], environment: program.environment,
          directory: program.home)
        #expect(outcome.status == 0 && outcome.errors == "" && outcome.output.count == 100, "\(outcome.errors)")
      }
    }
  }

  @Test func `a full disk is an error`() async throws {
    try await Program.inNewHome { program in
      let script = #""$0" timeline public > /dev/full"#
      let outcome = try await ChildProcess.run(
        ["/bin/sh", "-c", script, Program.path], environment: program.environment, directory: program.home)
      #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains("Cannot write the output"))
    }
  }

  @Test(arguments: [[], ["--json"]]) func `hostile text loses its control characters`(options: [String]) async throws {
    try await withTimeline(Self.hostile) { server in
      try await Program.inNewHome { program in
        let outcome = try await ChildProcess.run(
          [Program.path, "timeline", "public", "--server", server.url] + options, environment: program.environment,
          directory: program.home)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("before") && outcome.text.contains("and end"))
        #expect(controls(in: outcome.output).isEmpty, "\(controls(in: outcome.output))")
      }
    }
  }

  @Test(.needsTmux) func `hostile text has no effect on a terminal`() async throws {
    try await withTimeline(Self.hostile) { server in
      try await Program.inNewHome { program in
        try await program.onTerminal("--server", server.url) { terminal in
          let screen = try await terminal.wait(for: "and end")
          #expect(screen.contains("before") && screen.contains("Mallory") && screen.contains("▌"))
          #expect(screen.rows.first?.contains("Public") == true)
          #expect(screen.title != "owned")
          try await terminal.press("Enter")
          try await terminal.press("C-l")
          let opened = try await terminal.wait(for: "after")
          #expect(opened.title != "owned" && opened.title == screen.title)
          #expect(try await terminal.clipboard() == nil)
        }
      }
    }
  }

  @Test func `a server's error message is printed without control characters`() async throws {
    let body = Array(#"{"error":"\u001b]0;owned\u0007\u001b[2Jno"}"#.utf8)
    try await withTimeline(.json(body, status: 422)) { server in
      try await Program.inNewHome { program in
        let outcome = try await program.run("timeline", "public", "--server", server.url)
        #expect(outcome.status == 1 && outcome.errorLines.count == 1)
        #expect(controls(in: Array(outcome.errors.utf8)).isEmpty)
      }
    }
  }
}
