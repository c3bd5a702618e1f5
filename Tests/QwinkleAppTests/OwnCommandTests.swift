import Foundation
import QwinkleConfig
import QwinkleModel
import QwinkleScreens
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// The user's own commands and hooks. The content of a qwink is never executed as code.
@MainActor
@Suite(.bounded) struct OwnCommandTests {
  init() {
    // As in the program: a command need not read its input.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Returns texts that create the file `canary` if a shell executes them.
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
    let result: Result<String, CommandFailure> = try await callbackValue(of: "the end of “\(line)”") { done in
      center.run(
        line, input: PipedQwink.input(input, of: qwink), environment: PipedQwink.environment(of: qwink)
      ) { [center] result in
        _ = center
        done(result)
      }
    }
    return try result.get()
  }

  @Test func `no part of a qwink is executed as shell code`() async throws {
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
    // An id that would be an option.
    #expect(PipedQwink.environment(of: .sample(id: "-rf", text: "x"))["QWINKLE_ID"] == nil)
    #expect(PipedQwink.environment(of: .sample(id: "17", text: "x"))["QWINKLE_ID"] == "17")
  }

  @Test func `a command receives complete input and the id in its environment`() async throws {
    var qwink = Qwink.sample(id: "17", text: String(repeating: "å line\n", count: 30_000))
    qwink.url = "https://example.org/@alice/17"
    let home = FileManager.default.temporaryDirectory.path
    #expect(try await run("wc -c", on: qwink, .text, home: home).contains("\(qwink.text.plainText.utf8.count + 1)"))
    // `cat` prints everything that it reads, which fills both pipes.
    #expect(try await run("cat", on: qwink, .text, home: home).utf8.count == qwink.text.plainText.utf8.count + 1)
    #expect(try await run("cat", on: qwink, .json, home: home).contains("\"17\""))
    qwink.attachments = ["https://example.org/a.png", "javascript:alert(1)", "https://example.org/b c.png"].map {
      Attachment(id: .init($0), kind: .image, url: $0)
    }
    let pictures = try await run("cat", on: qwink, .picture, home: home)
    #expect(pictures.hasPrefix("https://example.org/a.png\n") && !pictures.contains("javascript"))
    #expect(!pictures.contains(" "))
    #expect(try await run("cat", on: qwink, .url, home: home) == "https://example.org/@alice/17\n")
    #expect(
      try await run("echo $QWINKLE_ID $QWINKLE_URL", on: qwink, .text, home: home)
        == "17 https://example.org/@alice/17\n")
    await #expect(throws: CommandFailure.self) { try await run("exit 3", on: qwink, .text, home: home) }
  }

  // MARK: Hooks

  private func notification(_ qwink: Qwink, _ kind: AccountNotification.Kind = .mention) -> AccountNotification {
    AccountNotification(
      id: .init(qwink.id.rawValue), kind: kind, createdAt: qwink.createdAt, qwinker: qwink.author, qwink: qwink)
  }

  /// Runs the hooks of the configuration `text` for `news` and waits for them. Returns the files in the folder by name.
  private func hooked(_ text: String, _ news: [AccountNotification]) async throws -> [String: String] {
    let home = FileManager.default.temporaryDirectory.path + "/qwinkle-hooks-\(UUID().uuidString)"
    let config = "\(home)/.config/qwinkle"
    try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }
    try text.replacing("HOME", with: home).write(toFile: "\(config)/config.toml", atomically: true, encoding: .utf8)
    let center = ConfigCenter(Paths(environment: ["HOME": home]))
    let ledger = ActivityLedger()
    center.ledger = ledger
    center.runHooks(for: news)
    await ledger.settle()
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: home) where !name.hasPrefix(".") {
      files[name] = try String(contentsOfFile: "\(home)/\(name)", encoding: .utf8)
    }
    return files
  }

  @Test func `only messages and mentions start their hooks`() async throws {
    let hooks = "[hooks]\nmessage = 'cat > HOME/message'\nmention = 'cat > HOME/mention; echo $QWINKLE_ID > HOME/id'\n"
    var message = Qwink.sample(id: "1", text: "A message")
    message.visibility = .direct
    let mention = Qwink.sample(id: "2", text: "A mention")
    #expect(try await hooked("", [notification(message), notification(mention)]).isEmpty)
    #expect(try await hooked("[hooks]\n", [notification(message)]).isEmpty)
    #expect(try await hooked(hooks, []).isEmpty)
    #expect(try await hooked(hooks, [notification(mention, .favourite), notification(mention, .boost)]).isEmpty)
    let onlyMessage = try await hooked(hooks, [notification(message)])
    #expect(Array(onlyMessage.keys) == ["message"] && onlyMessage["message"]?.contains("A message") == true)
    let both = try await hooked(hooks, [notification(message), notification(mention)])
    #expect(both.keys.sorted() == ["id", "mention", "message"] && both["id"] == "2\n")
    #expect(both["mention"]?.contains("A mention") == true)
  }

  @Test func `no part of a qwink is executed as shell code by a hook`() async throws {
    let canary = FileManager.default.temporaryDirectory.path + "/qwinkle-canary-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: canary) }
    let hooks = "[hooks]\nmention = 'cat >> HOME/all; eval \"echo $QWINKLE_URL $QWINKLE_AUTHOR $QWINKLE_ID\"'\n"
    for text in hostile(canary) {
      var qwink = Qwink.sample(text: text)
      qwink.author.handle = text
      qwink.author.displayName = text
      qwink.url = "https://example.org/\(text.filter { !$0.isWhitespace && $0 != "\0" })"
      qwink.contentWarning = text
      #expect(try await hooked(hooks, [notification(qwink)])["all"]?.isEmpty == false)
      #expect(!FileManager.default.fileExists(atPath: canary), "\(text)")
    }
  }

  @Test func `a flood of mentions starts a limited number of hooks`() async throws {
    let news = (1...100).map { notification(.sample(id: Qwink.ID("\($0)"), text: "Flood")) }
    let files = try await hooked("[hooks]\nmention = 'cat > HOME/$QWINKLE_ID'\n", news)
    #expect(files.count == 20)
  }

  @Test func `commands and hooks are read from the configuration and faults reported`() {
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
