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

  private static var manualLines: [String] {
    ManualWords.examples.flatMap { $0.split(separator: "\n").map(String.init) }
  }

  /// Commands that need a terminal. Another test runs them.
  private static let onTerminal = ["qwinkle record ", "qwinkle replay "]

  // MARK: Tapes and options

  @Test func `the manual's tape passes`() async throws {
    try await Program.inNewHome { program in
      try program.write(ManualWords.tape.utf8, to: "example.tape")
      let outcome = try await program.run("replay", "example.tape")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test func `the manual's config, view, command, key and theme examples are valid`() async throws {
    let snippets = [
      (ManualWords.configExample, ManualWords.configExample),
      (ManualWords.hideRules, #"results = "'football' and not from:@anna""#),
      (ManualWords.views, #"trains = "has:media lang:sv 'train'""#), (ManualWords.ownCommands, #"words = "wc -w""#),
      (ManualWords.layouts, #"garden = "home*60 | (messages / #garden)*40""#), (ManualWords.theme, #"theme = "own""#),
    ]
    let tables = [
      ManualWords.views: "[views]\n", ManualWords.hideRules: "[hide-rules]\n", ManualWords.ownCommands: "[commands]\n",
      ManualWords.layouts: "[layouts]\n",
    ]
    try await Program.inNewHome { program in
      try program.write(ManualWords.ownKeysExample.utf8, to: ".config/qwinkle/keys.txt")
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

  @Test func `each command line in the README, the guide and the manual succeeds`() async throws {
    let lines = Self.manualLines + (try Self.shellLines())
    #expect(Self.manualLines.count > 3 && lines.count > 10)
    try await Program.inNewHome { program in
      let token = try await program.makeUser("anna")
      try program.write(token.utf8, to: "token")
      try await program.serving { url in
        let host = url.replacing("http://", with: "")
        let shell = try shell(for: program, at: url)
        for line in lines where !Self.onTerminal.contains(where: { line.hasPrefix($0) }) {
          if line.hasPrefix("make ") {
            try expectTarget(of: line)
            continue
          }
          let command = line.replacing(/\bNAME\b/, with: "anna@\(host)")
          let outcome = try await ChildProcess.run(
            ["/usr/bin/env", "bash", "-o", "pipefail", "-c", command], environment: shell.environment,
            directory: program.home)
          #expect(outcome.status == 0, "\(line): \(outcome.text)\(outcome.errors)")
          if line.contains("jq") { #expect(outcome.text.contains("http"), "\(line): \(outcome.text)") }
        }
      }
    }
  }

  /// Returns a program whose PATH has a `qwinkle` wrapper. The wrapper signs in at `url` by token instead of by
  /// browser, and ends a stream after two seconds.
  private func shell(for program: Program, at url: String) throws -> Program {
    let script = """
      #!/bin/sh
      case "$1" in
        login) exec \(Program.path) login \(url) --token-stdin <\(program.home)/token ;;
        stream)
          timeout 2 \(Program.path) "$@"
          [ $? = 124 ] ;;
        *) exec \(Program.path) "$@" ;;
      esac
      """
    try program.write(script.utf8, to: "bin/qwinkle")
    let jq = "#!/bin/sh\nexec python3 -c 'import json, sys; [print(row[\"url\"]) for row in json.load(sys.stdin)]'\n"
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

  @Test(.needsTmux) func `the guide's record and replay commands work`() async throws {
    let lines = try Self.shellLines().filter { line in Self.onTerminal.contains { line.hasPrefix($0) } }
    #expect(lines.count == 2)
    let (record, replay) = (try #require(lines.first), try #require(lines.last))
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
