import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Output of commands on a terminal: wrapped lines, and messages for people.
@Suite(.bounded) struct WrappedTextTests {
  @Test func `lines wrap between words and preserve their indent`() {
    #expect(
      WrappedText.wrapped("The kiosk opens at nine.\n\n  See #garden there", columns: 14)
        == "The kiosk\nopens at nine.\n\n  See #garden\n  there")
    #expect(WrappedText.wrapped("as it was  ", columns: 14) == "as it was  ")
    #expect(WrappedText.wrapped("ここに長い文があります", columns: 10) == "ここに長い\n文がありま\nす")
    #expect(WrappedText.wrapped("exactly ten", columns: 11) == "exactly ten")
  }

  @Test(arguments: [
    ("• one two three four", "• one two\n  three four"), ("2. one two three", "2. one two\n   three"),
    ("› one two three four", "› one two\n› three four"), ("› › one two three", "› › one two\n› › three"),
    ("    let x = one two", "    let x =\n    one two"), ("I am no list item", "I am no list\nitem"),
  ])
  func `wrapped list items stay indented and wrapped quotes stay marked`(line: String, wrapped: String) {
    #expect(WrappedText.wrapped(line, columns: 12) == wrapped)
  }

  @Test func `an address is never broken`() {
    let address = "https://example.org/a/long/address"
    #expect(WrappedText.wrapped("see \(address) or not", columns: 20) == "see\n\(address)\nor not")
    #expect(WrappedText.wrapped("  → \(address)", columns: 20) == "  → \(address)")
    let other = "https://bücher.example/長い長い住所"
    #expect(WrappedText.wrapped("word \(other)", columns: 34) == "word\n\(other)")
  }

  /// Returns the lines that a command prints on a terminal.
  private static func lines(
    of program: Program, _ arguments: [String], columns: Int = 80, typing text: String = "", after prompt: String = ""
  ) async throws -> [String] {
    let command = [Program.path] + arguments
    let output = try await program.onPseudoTerminal(command: command, columns: columns) { terminal, spawned in
      if !text.isEmpty {
        try await terminal.wait(for: prompt)
        terminal.type(text)
      }
      try await spawned.waitForEnd()
      return terminal.output
    }
    let shown = String(decoding: output.filter { $0 != 0x0D }, as: UTF8.self)
    return shown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A command's output on a terminal and in a pipe.
  private struct Printed: Sendable {
    var shown: [String]
    var piped: ChildProcess.Outcome
  }

  private static func printed(
    _ arguments: [String], columns: Int = 80, typing text: String = "", after prompt: String = ""
  ) async throws -> Printed {
    try await Program.inNewHome { program in
      let shown = try await lines(of: program, arguments, columns: columns, typing: text, after: prompt)
      return Printed(shown: shown, piped: try await program.run(arguments))
    }
  }

  @Test(arguments: [40, 60, 200]) func `lines are wrapped on a terminal but not in a pipe`(columns: Int) async throws {
    let text = (1...40).map { "word\($0)" }.joined(separator: " ")
    let printed = try await withTimeline(Answers.page(Answers.status("1", "<p>\(text)</p>"))) { server in
      try await Self.printed(["timeline", "public", "--server", server.url], columns: columns)
    }
    let widest = printed.shown.map(\.count).max() ?? 0
    #expect(widest <= min(columns, 100))
    let body = printed.shown.filter { $0.hasPrefix("word") }
    #expect(body.count > 1 && body.joined(separator: " ") == text, "\(printed.shown)")
    #expect(printed.piped.text.contains("\n\(text)\n"))
  }

  @Test func `messages of the program are wrapped only on a terminal`() async throws {
    let printed = try await Self.printed(["timeline", "fog"], columns: 40)
    let widest = printed.shown.map(\.count).max() ?? 0
    #expect(printed.shown.count > 3 && widest <= 40, "\(printed.shown)")
    #expect(printed.piped.errors == printed.shown.dropLast().joined(separator: " ") + "\n")
  }

  @Test(arguments: [
    (["followers"], "No followers."), (["messages"], "No messages."),
    (["notifications"], "No notifications."), (["timeline", "#nothing"], "No posts."),
  ])
  func `an empty list prints a message on a terminal and nothing in a pipe`(arguments: [String], sentence: String)
    async throws
  {
    let printed = try await Self.printed(arguments)
    #expect(printed.shown == [sentence, ""])
    #expect(printed.piped.status == 0 && printed.piped.output.isEmpty && printed.piped.errors == "")
  }

  @Test func `a command prompts for text only on a terminal`() async throws {
    let printed = try await Self.printed(["post"], typing: "by hand\n\u{4}", after: "Type the text, then ^D.")
    #expect(printed.shown.contains { $0.hasPrefix("Posted: ") }, "\(printed.shown)")
    #expect(!printed.piped.errors.contains("Type the text"))
  }

  @Test func `a new token is printed on one line with instructions`() async throws {
    // Enter an empty password twice.
    let printed = try await Self.printed(
      ["serve", "add-user", "anna", "--data", "data"], columns: 30, typing: "\n\n",
      after: "(8–1000 characters, empty = none):")
    let text = printed.shown.joined(separator: " ")
    #expect(text.contains("Token of anna, shown only now."), "\(printed.shown)")
    #expect(text.contains("qwinkle login URL --token-stdin"), "\(printed.shown)")
    // The token isn't wrapped, even on a narrower terminal.
    #expect(printed.shown.contains { $0.count > 30 && !$0.contains(" ") }, "\(printed.shown)")
  }
}
