import Foundation
import QwinkleConfig
import QwinkleModel
import QwinkleScreens
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Commands of the user's own: what a qwink says never becomes code.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct OwnCommandTests {
  init() {
    // As the program does: a command need not read what it is given.
    signal(SIGPIPE, SIG_IGN)
  }

  /// What would make a file if a shell read it.
  private func hostile(_ canary: String) -> [String] {
    [
      "$(touch \(canary))", "`touch \(canary)`", "'; touch \(canary); '", "\"; touch \(canary); \"",
      "\ntouch \(canary)\n",
      "| touch \(canary)", "&& touch \(canary) #", "\\'; touch \(canary)", "${IFS}touch${IFS}\(canary)",
      "() { :; }; touch \(canary)", "\u{0}; touch \(canary)", "-e touch \(canary)", "EOF\ntouch \(canary)\nEOF",
    ]
  }

  private func run(_ line: String, on qwink: Qwink, _ input: OwnCommand.Input, home: String) async throws -> String {
    let center = ConfigCenter(Paths(environment: ["HOME": home]))
    let result = await withCheckedContinuation { (done: CheckedContinuation<Result<String, CommandFailure>, Never>) in
      center.run(
        line, input: PipedQwink.input(input, of: qwink), environment: PipedQwink.environment(of: qwink)
      ) { [center] result in
        _ = center
        done.resume(returning: result)
      }
    }
    return try result.get()
  }

  @Test func `no byte of a qwink is read as shell code`() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/qwinkle-canary-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let canary = "\(folder)/canary"
    for text in hostile(canary) {
      var qwink = Qwink.sample(text: text)
      qwink.author.handle = text
      qwink.url = "https://example.org/\(text.filter { !$0.isWhitespace && $0 != "\0" })"
      qwink.contentWarning = text
      qwink.tags = [text]
      let environment = PipedQwink.environment(of: qwink)
      #expect(environment["QWINKLE_AUTHOR"] == nil)
      let printed = try await run(
        "cat; echo $QWINKLE_URL $QWINKLE_AUTHOR $QWINKLE_ID; eval \"echo $QWINKLE_URL\"", on: qwink, .text, home: folder
      )
      #expect(printed.hasPrefix(qwink.text.plainText.filter { $0 != "\0" }.prefix(5)) || text.contains("\0"))
      _ = try await run("cat", on: qwink, .json, home: folder)
      _ = try await run("xargs echo || true", on: qwink, .url, home: folder)
      #expect(!FileManager.default.fileExists(atPath: canary), "\(text)")
    }
  }

  @Test func `text, JSON and address arrive whole, and ids are in the environment`() async throws {
    var qwink = Qwink.sample(id: "17", text: String(repeating: "å line\n", count: 30_000))
    qwink.url = "https://example.org/@alice/17"
    let home = FileManager.default.temporaryDirectory.path
    #expect(try await run("wc -c", on: qwink, .text, home: home).contains("\(qwink.text.plainText.utf8.count + 1)"))
    // One that prints all that it reads fills both pipes.
    #expect(try await run("cat", on: qwink, .text, home: home).utf8.count == qwink.text.plainText.utf8.count + 1)
    #expect(try await run("cat", on: qwink, .json, home: home).contains("\"17\""))
    #expect(try await run("cat", on: qwink, .url, home: home) == "https://example.org/@alice/17\n")
    #expect(
      try await run("echo $QWINKLE_ID $QWINKLE_URL", on: qwink, .text, home: home)
        == "17 https://example.org/@alice/17\n")
    await #expect(throws: CommandFailure.self) { try await run("exit 3", on: qwink, .text, home: home) }
  }

  @Test func `commands and hooks are read from the configuration, and faults are named`() {
    let reader = ConfigReader(
      """
      [commands]
      words = "wc -w"
      quote = { run = "sed 's/^/> /'", output = "entry" }
      bad = { run = "x", output = "scren" }
      none = {}
      "a b" = "x"
      [commands.json]
      run = "jq ."
      input = "json"
      [hooks]
      message = "cat"
      mesage = "cat"
      """)
    #expect(
      reader.config.commands == [
        OwnCommand(name: "words", run: "wc -w"), OwnCommand(name: "quote", run: "sed 's/^/> /'", output: .entry),
        OwnCommand(name: "json", run: "jq .", input: .json),
      ])
    #expect(reader.config.hooks == [.message: "cat"])
    #expect(
      reader.problems.map { $0.words(in: "c") } == [
        "c:4:1: output must be \"show\", \"drop\" or \"entry\".", "c:5:1: none needs a command: none = \"wc -w\".",
        "c:6:1: A command's name has letters, digits, - and _.",
        "c:12:1: No event “mesage”: message, mention. Did you mean message?",
      ])
  }
}
