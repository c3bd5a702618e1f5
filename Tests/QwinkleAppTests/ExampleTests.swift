import ArgumentParser
import Foundation
import PaneKit
import TerminalTesting
import Testing

@testable import QwinkleApp

/// The examples of the README, the guide, the manual and the help work as printed.
@Suite(.bounded) struct ExampleTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The README and the guide.
  private static func documents() throws -> String {
    try ["README.md", "docs/guide.md"].map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }
      .joined()
  }

  /// Lines of the documents' shell examples, without comments.
  private static func shellLines() throws -> [String] {
    var isInside = false
    var lines: [String] = []
    for line in try documents().split(separator: "\n") {
      if line.hasPrefix("```") {
        isInside = line == "```sh"
      } else if isInside, let command = line.split(separator: "    #").first {
        lines.append(command.trimmingCharacters(in: .whitespaces))
      }
    }
    return lines
  }

  /// The test that checks an example block of the manual.
  private enum Check: Hashable {
    /// The shell runs the whole block, on a server.
    case shell
    /// A terminal runs the first line, and the shell the second one.
    case recording
    case tape, config, keys
  }

  /// The check of each example block of the manual.
  private static var checks: [String: Check] {
    let others: [String: Check] = [
      ManualWords.bugReport: .recording, ManualWords.tape: .tape, ManualWords.configExample: .config,
      ManualWords.shortConfig: .config, ManualWords.ownKeysExample: .keys,
    ]
    return ManualExamples.all.reduce(into: others) { $0[$1.lines] = .shell }
  }

  private static func blocks(_ check: Check) -> [String] {
    checks.filter { $0.value == check }.map(\.key).sorted()
  }

  @Test func `each example block of the manual has a check, and each check has a block`() throws {
    var found: Set<String> = []
    for page in try Manual.pages() {
      for case .example(let lines) in page.blocks {
        #expect(Self.checks[lines] != nil, "\(page.file) has an example that no test runs:\n\(lines)")
        found.insert(lines)
      }
    }
    #expect(found == Set(Self.checks.keys))
    #expect(ManualExamples.groups.flatMap(\.examples).count >= 12)
    for example in ManualExamples.all { #expect(example.about.hasSuffix(":"), "\(example.about)") }
  }

  /// Commands that need a terminal. Another test runs them.
  private static let onTerminal = ["qwinkle record ", "qwinkle replay "]

  // MARK: Tapes and options

  @Test func `the manual's tape passes`() async throws {
    try await Program.inNewHome { program in
      for tape in Self.blocks(.tape) {
        try program.write(tape.utf8, to: "example.tape")
        let outcome = try await program.run("replay", "example.tape")
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
    }
  }

  @Test func `the manual's config, view, command, key and theme examples are valid`() async throws {
    let snippets =
      Self.blocks(.config).map { ($0, $0) } + [
        (ManualWords.hideRules, #"results = "'football' and not from:@anna""#),
        (ManualWords.views, #"trains = "has:media lang:sv 'train'""#), (ManualWords.ownCommands, #"words = "wc -w""#),
        (ManualWords.layouts, #"garden = "home*60 | (messages / #garden)*40""#), (ManualWords.theme, #"theme = "own""#),
      ]
    let tables = [
      ManualWords.views: "[views]\n", ManualWords.hideRules: "[hide-rules]\n", ManualWords.ownCommands: "[commands]\n",
      ManualWords.layouts: "[layouts]\n",
    ]
    try await Program.inNewHome { program in
      // All blocks of keys are in one file. `config --check` reports its errors.
      try program.write(Self.blocks(.keys).joined(separator: "\n").utf8, to: ".config/qwinkle/keys.txt")
      let theme = try await program.run("config", "--theme", "night")
      #expect(theme.status == 0)
      try program.write(theme.output, to: ".config/qwinkle/theme.txt")
      for (words, snippet) in snippets {
        #expect(words.contains(snippet))
        try program.write("\(tables[words] ?? "")\(snippet)\n".utf8, to: ".config/qwinkle/config.toml")
        let outcome = try await program.run("config", "--check")
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(snippet): \(outcome.text)\(outcome.errors)")
      }
    }
    #expect(ManualWords.ownKeys.contains("global  compose  ^N"))
    #expect(try Keymap.standard.get().overlaid(by: "global  compose  ^N").problems.isEmpty)
  }

  // MARK: Commands

  @Test func `each command line in the README and the guide succeeds`() async throws {
    let lines = try Self.shellLines()
    #expect(lines.count > 5)
    try await withShell { program, url, shell in
      let host = url.replacing("http://", with: "")
      // One of the lines lists recent posts.
      try await expectSuccess("qwinkle login tilde.example\nqwinkle post 'Beans are in.'", shell)
      for line in lines where !Self.onTerminal.contains(where: { line.hasPrefix($0) }) {
        if line.hasPrefix("make ") {
          try expectTarget(of: line)
          continue
        }
        try await expectSuccess(line.replacing(/\bNAME\b/, with: "anna@\(host)"), shell)
      }
    }
  }

  @Test func `each shell example of the manual succeeds as a whole`() async throws {
    try await withShell { program, url, shell in
      try await expectSuccess("qwinkle login tilde.example", shell)
      // Folders that the examples need, and that a user has: the test moves /srv and /run below the home directory.
      for folder in ["srv", "run", "served", ".config/qwinkle"] { try program.write([], to: "\(folder)/.keep") }
      chmod("\(program.home)/.config/qwinkle", 0o700)
      for lines in ManualExamples.all.map(\.lines) {
        let block = lines.replacing("--server https://tilde.example", with: "--server \(url)")
          .replacing("/srv/", with: "\(program.home)/srv/").replacing("/run/qwinkle/", with: "\(program.home)/served/")
          .replacing("~/", with: "\(program.home)/")
        guard block.contains("--as shared") else {
          try await expectSuccess(block, shell)
          continue
        }
        let server = try await program.startServing(onSocket: "run/qwinkle.sock", data: "shared")
        try await expectSuccess(block, shell)
        _ = try await server.process.stop()
      }
    }
  }

  @Test func `an example that fails is reported`() async throws {
    try await withShell { _, _, shell in
      for block in ["qwinkle timeline nowhere", "qwinkle nothing | cat", "false\ntrue", "qwinkle serve --bind nowhere"]
      {
        let outcome = try await run(block, shell)
        #expect(outcome.status != 0, "\(block)")
      }
    }
  }

  /// Runs `body` with a program, the address of a server on which the user anna exists, and the program with ``shell``.
  private func withShell(_ body: (Program, _ url: String, _ shell: Program) async throws -> Void) async throws {
    try await Program.inNewHome { program in
      let token = try await program.makeUser("anna")
      try program.write(token.utf8, to: "token")
      try await program.serving { url in try await body(program, url, try shell(for: program, at: url)) }
    }
  }

  private func run(_ block: String, _ shell: Program) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      ["/usr/bin/env", "bash", "-e", "-o", "pipefail", "-c", block], environment: shell.environment,
      directory: shell.home)
  }

  private func expectSuccess(_ block: String, _ shell: Program) async throws {
    let outcome = try await run(block, shell)
    #expect(outcome.status == 0, "\(block): \(outcome.text)\(outcome.errors)")
    if block.contains("[].url") { #expect(outcome.text.contains("http"), "\(block): \(outcome.text)") }
  }

  /// Returns a program whose PATH has a `qwinkle` wrapper. The wrapper signs in at `url` by token instead of by
  /// browser, ends a stream or a server after two seconds, and lets the system choose a server's port.
  private func shell(for program: Program, at url: String) throws -> Program {
    let script = """
      #!/bin/bash
      case "$1 $2" in
        "login "*) exec \(Program.path) login \(url) --token-stdin <\(program.home)/token ;;
        "stream "* | "serve --"*)
          case " $* " in *" --bind "* | *" --socket "* | " stream "*) ;; *) set -- "$@" --bind 127.0.0.1:0 ;; esac
          timeout 2 \(Program.path) "${@/:8420/:0}"
          [ $? = 124 ] ;;
        *) exec \(Program.path) "$@" ;;
      esac
      """
    try program.write(script.utf8, to: "bin/qwinkle")
    let jq = """
      #!/bin/sh
      exec python3 -c 'import json, sys
      value = json.load(sys.stdin)
      if sys.argv[2] == ".[].url": [print(row["url"]) for row in value]
      else: print(value[sys.argv[2][1:]])' "$@"
      """
    try program.write(jq.utf8, to: "bin/jq")
    for name in ["qwinkle", "jq"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: "\(program.home)/bin/\(name)")
    }
    return program.with(["PATH": "\(program.home)/bin:\(program.environment["PATH"] ?? "")"])
  }

  private func expectTarget(of line: String) throws {
    let makefile = try String(contentsOf: Self.root.appending(path: "Makefile"), encoding: .utf8)
    let target = try #require(line.split(separator: " ").dropFirst().first)
    #expect(makefile.contains("\n\(target): "), "\(line)")
  }

  @Test(.needsTmux) func `the record and replay commands of the guide and the manual work`() async throws {
    let guide = try Self.shellLines().filter { line in Self.onTerminal.contains { line.hasPrefix($0) } }
    for lines in [guide] + Self.blocks(.recording).map({ $0.split(separator: "\n").map(String.init) }) {
      #expect(lines.count == 2)
      try await expectRecording(try #require(lines.first), replayedBy: try #require(lines.last))
    }
  }

  private func expectRecording(_ record: String, replayedBy replay: String) async throws {
    try await Program.inNewHome { program in
      let shell = try shell(for: program, at: "http://127.0.0.1:9")
      try await shell.onTerminal(command: ["/usr/bin/env", "bash", "-c", record]) { terminal in
        try await Program.waitForTimeline(terminal)
        try await terminal.press("q")
        try await terminal.wait(for: "Quit Qwinkle?")
        try await terminal.press("y")
        try await terminal.waitForEnd()
      }
      let outcome = try await ChildProcess.run(
        ["/usr/bin/env", "bash", "-c", replay], environment: shell.environment, directory: program.home)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  // MARK: Mentions

  /// A command line in a text, such as `qwinkle config --diff`.
  private struct Mention {
    /// Without punctuation.
    let words: [String]
    /// Whether the first word is a command name, not an option, a placeholder or the next sentence.
    let hasName: Bool

    init(_ words: [String]) {
      let edges = CharacterSet(charactersIn: "[],)(“”’'…")
      self.words = words.map { $0.trimmingCharacters(in: edges) }
      hasName = words.first?.first?.isLowercase == true
    }

    /// Returns the command preceded by its parents, or nil if the command doesn't exist.
    func path(from root: CommandDescription) -> [CommandDescription]? {
      var path = [root]
      for word in words {
        guard let next = (path.last?.subcommands ?? []).first(where: { $0.commandName == word }) else { break }
        path.append(next)
      }
      return hasName && path.count == 1 ? nil : path
    }

    var options: [String] { words.filter { $0.hasPrefix("--") } }
  }

  /// Returns the command lines in `text`. Each ends with its sentence.
  private func mentions(in text: String) -> [Mention] {
    let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return flat.matches(of: /(?:^|[ `(])qwinkle ([^.;:|`#]*)/).flatMap { match in
      // The lines of an example have no punctuation between them.
      match.output.1.split(separator: " ").map { String($0) }.split(separator: "qwinkle").map { Mention(Array($0)) }
    }
  }

  private func names(of commands: some Sequence<CommandDescription>) -> Set<String> {
    Set(
      commands.flatMap { $0.arguments ?? [] }.flatMap { $0.names ?? [] }.map(\.typed) + [
        "--as", "--server", "--token-stdin", "--help",
      ])
  }

  @Test func `commands and options named in the README, guide, manual and help exist`() throws {
    let root = try CommandDescription(of: RootCommand.self)
    let screen = try CommandDescription(of: ScreenCommand.self)
    var count = 0
    for text in [try Self.documents()] + (try Manual.pages().map(\.plainText)) {
      for mention in mentions(in: text) {
        guard let path = mention.path(from: root) else {
          Issue.record("there is no command: qwinkle \(mention.words.joined(separator: " "))")
          continue
        }
        let known = names(of: path + (path.last?.subcommands ?? []) + [screen])
        for option in mention.options {
          #expect(known.contains(option), "qwinkle \(mention.words.joined(separator: " "))")
        }
        count += 1
      }
    }
    #expect(count > 100)
  }
}
