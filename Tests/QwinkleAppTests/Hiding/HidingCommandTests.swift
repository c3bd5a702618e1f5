import ArgumentParser
import QwinkleModel
import QwinkleScreens
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// Hidden content stays hidden in command output. Each command is checked with each rule.
@MainActor
@Suite(.bounded) struct HidingCommandTests {
  /// Returns the command's output, for one rule if each rule needs a separate run.
  private func output(of command: HidingCommand, for rule: HidingRule?, asJSON: Bool) async throws -> String {
    let clock = VirtualClock()
    let harness = CommandHarness(transport: { [now = clock.now] in command.transport(at: now) })
    harness.hasOthers = command == .remote
    let common = rule.map { command.arguments(for: $0) } ?? command.listArguments ?? []
    let arguments = asJSON ? common + ["--json"] : common
    if case .stream = command {
      // The first rule has the newest qwink, which is printed last.
      let last = HidingCommand.rules[0].secret
      return try await harness.run(arguments) { $0.contains(last) }
    }
    let outcome = try await harness.run(arguments)
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    return outcome.output
  }

  private func expect(_ rule: HidingRule, in text: String, of command: HidingCommand) {
    let outcome = rule.outcome(in: command.traits)
    let cell = "\(command), \(rule): \(outcome)"
    switch outcome {
    case .missing:
      #expect(!rule.words.contains { text.contains($0) }, "\(cell)\n\(text)")
    case .covered(let words):
      #expect(!text.contains(rule.secret) && text.contains(words), "\(cell)\n\(text)")
    case .withheld(let state):
      let isShown = text.contains(QuoteWords.withheld(state)) && text.contains(rule.quotingWord)
      #expect(!text.contains(rule.secret) && isShown, "\(cell)\n\(text)")
    case .marked(let description):
      #expect(text.contains("\(AttachmentWords.sensitive): \(description)"), "\(cell)\n\(text)")
    case .open:
      #expect(text.contains(rule.secret), "\(cell)\n\(text)")
    }
  }

  /// JSON is for programs: it contains covered texts and the reasons for covering them.
  private func expectJSON(_ rule: HidingRule, in json: String, of command: HidingCommand) {
    let outcome = rule.outcome(in: command.traits)
    let cell = "\(command) --json, \(rule): \(outcome)"
    switch outcome {
    case .missing:
      #expect(!rule.words.contains { json.contains($0) }, "\(cell)\n\(json)")
    case .covered:
      #expect(json.contains(rule.title) || json.contains(rule.contentWarning), "\(cell)\n\(json)")
    case .withheld(let state):
      let isShown = json.contains("\"state\":\"\(state.rawValue)\"") && json.contains(rule.quotingWord)
      #expect(!json.contains(rule.secret) && isShown, "\(cell)\n\(json)")
    case .marked:
      #expect(json.contains("\"sensitive\":true") && json.contains(rule.secret), "\(cell)\n\(json)")
    case .open:
      #expect(json.contains(rule.secret), "\(cell)\n\(json)")
    }
  }

  @Test(arguments: HidingCommand.all)
  func `no command prints hidden content`(command: HidingCommand) async throws {
    let isList = command.listArguments != nil
    let whole = isList ? try await output(of: command, for: nil, asJSON: false) : ""
    let wholeJSON = isList && command.hasJSON ? try await output(of: command, for: nil, asJSON: true) : ""
    for rule in HidingCommand.rules {
      let text = isList ? whole : try await output(of: command, for: rule, asJSON: false)
      expect(rule, in: text, of: command)
      guard command.hasJSON else { continue }
      let json = isList ? wholeJSON : try await output(of: command, for: rule, asJSON: true)
      expectJSON(rule, in: json, of: command)
    }
  }

  /// Commands that print accounts, the user's own texts, settings, or nothing by other users.
  private static let otherNames: Set<String> = [
    "screen", "open", "trends", "announcements", "server", "post", "reply", "quote", "message", "edit", "delete",
    "redraft",
    "drafts", "outbox", "scheduled", "boost", "favourite", "bookmark", "vote", "pin", "mute-thread", "profile",
    "follow", "accept", "refuse", "followers", "following", "boosted-by", "favourited-by", "requests",
    "remove-follower", "mute", "muted", "block", "blocked", "block-server", "report", "note", "lists", "list", "tags",
    "follow-tag", "feature-tag", "collections", "collection", "notification-policy", "revoke-quote", "quote-policy",
    "filters", "filter", "mute-tag", "filter-post",
    // Prints what the user's filter matches, without this filter's cover.
    "filter-matches",
    "login", "logout", "accounts", "whoami", "token", "serve",
    // Print numbers, and addresses from the user's own lists.
    "export", "import",
    "resources", "replay", "record", "config",
    "doctor", "manual",
  ]

  @Test func `every command is in the table or prints nothing by other users`() {
    let names = Set(RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName })
    #expect(names == HidingCommand.names.union(Self.otherNames))
    let cells = HidingCommand.all.reduce(0) { $0 + HidingCommand.rules.count * ($1.hasJSON ? 2 : 1) }
    let count = HidingCommand.all.count
    print("Hiding in commands: \(count) commands × \(HidingCommand.rules.count) rules, \(cells) cells with --json.")
  }
}
