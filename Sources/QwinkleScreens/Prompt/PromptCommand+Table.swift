import PaneKit
import QwinkleModel
import QwinkleService

extension PromptCommand {
  /// All commands, in the order of the help. Completion and help use this table.
  static let all: [PromptCommand] = [
    PromptCommand(
      name: "open", argument: Argument(kind: .url, word: "URL"),
      summary: "a qwink or qwinker by address; else the browser",
      perform: { _, text in
        guard let address = WebAddress(typed: text) else {
          return .refuse("“\(text)” is no address. Write it like https://example.org/page.")
        }
        return .open(address)
      }),
    PromptCommand(
      name: "tag", argument: Argument(kind: .tag, word: "NAME"), summary: "what is filed under a tag",
      perform: { _, text in
        let name = text.hasPrefix("#") ? String(text.dropFirst()) : text
        guard !name.isEmpty, !name.contains(where: { $0.isWhitespace || $0 == "#" || $0 == "/" }) else {
          return .refuse("A tag is one word, such as :tag garden.")
        }
        return .show(.timeline(.tag(name)))
      }),
    PromptCommand(
      name: "qwinker", argument: Argument(kind: .qwinker, word: "NAME"), summary: "somebody's page",
      perform: { situation, text in situation.withQwinker(text) { .show(.qwinker($0)) } }),
    PromptCommand(
      name: "search", argument: Argument(kind: .words, word: "WORDS"),
      summary: "qwinks, qwinkers and tags with these words",
      perform: { _, text in .show(.search(text)) }),
    PromptCommand(
      name: "timeline", argument: Argument(kind: .timeline, word: "NAME"),
      summary: "public, local, home, marks, favourites or #tag",
      perform: { situation, text in situation.timeline(text) }),
    PromptCommand(
      name: "profile", summary: "your own page",
      perform: { situation, _ in situation.withQwinker("") { .show(.qwinker($0)) } }),
    PromptCommand(
      name: "edit-profile", summary: "change your name and what you say of yourself",
      perform: { situation, _ in situation.isSignedIn ? .perform(.editProfile) : .refuse(situation.signIn) }),
    PromptCommand(
      name: "followers", argument: Argument(kind: .qwinker, word: "NAME", isOptional: true),
      summary: "who follows somebody; without a name, you",
      perform: { situation, text in situation.withQwinker(text) { .show(.qwinkers(.followers($0.id), of: $0)) } }),
    PromptCommand(
      name: "following", argument: Argument(kind: .qwinker, word: "NAME", isOptional: true),
      summary: "whom somebody follows; without a name, you",
      perform: { situation, text in situation.withQwinker(text) { .show(.qwinkers(.following($0.id), of: $0)) } }),
    PromptCommand(
      name: "boosters", summary: "who boosted the selected qwink",
      perform: { situation, _ in situation.withQwink { .qwinkers(.boosters($0.originalID)) } }),
    PromptCommand(
      name: "favouriters", summary: "whose favourite the selected qwink is",
      perform: { situation, _ in situation.withQwink { .qwinkers(.favouriters($0.originalID)) } }),
    PromptCommand(
      name: "versions", summary: "what the selected qwink said at each time",
      perform: { situation, _ in situation.withQwink { .versions($0) } }),
    PromptCommand(
      name: "account", argument: Argument(kind: .account, word: "NAME"), summary: "how to be somebody else",
      perform: { _, text in .say("An account is chosen at the start: leave, then qwinkle --as \(text).") }),
    PromptCommand(
      name: "set", argument: Argument(kind: .setting, word: "KEY VALUE"),
      summary: "the mouse on or off; ambiguous-width narrow or wide",
      perform: { _, text in
        let words = text.split(separator: " ").joined(separator: " ")
        guard let setting = ScreenSetting(rawValue: words) else {
          let known = ScreenSetting.allCases.map { ":set \($0.rawValue)" }.joined(separator: ", ")
          return .refuse("There is no setting “\(words)”. There are \(known).")
        }
        return .set(setting)
      }),
    PromptCommand(
      name: "help", aliases: ["h"], summary: "the keys and these commands", perform: { _, _ in .perform(.help) }),
    PromptCommand(name: "quit", aliases: ["q"], summary: "leave Qwinkle", perform: { _, _ in .perform(.quit) }),
  ]

  /// The command with this name or alias.
  static func named(_ name: String) -> PromptCommand? {
    all.first { $0.name == name || $0.aliases.contains(name) }
  }
}

extension PromptSituation {
  /// The outcome of a typed line; nil if it is empty.
  @MainActor
  func outcome(of line: String) -> PromptOutcome? {
    let line = PromptLine(line)
    guard !line.name.isEmpty else { return nil }
    guard let command = PromptCommand.named(line.name) else {
      guard let nearest = NearestWord.find(line.name, among: PromptCommand.all.map(\.name)) else {
        return .refuse("There is no command “:\(line.name)”. Tab lists those there are.")
      }
      return .refuse("There is no command “:\(line.name)”. Did you mean :\(nearest)?")
    }
    if line.argument.isEmpty, let argument = command.argument, !argument.isOptional {
      return .refuse("Something is missing: \(command.usage) – \(command.summary).")
    }
    if !line.argument.isEmpty, command.argument == nil {
      return .refuse(":\(command.name) stands alone, without “\(line.argument)”.")
    }
    return command.perform(self, line.argument)
  }

  fileprivate func timeline(_ text: String) -> PromptOutcome {
    guard let name = TimelineName(word: text) else {
      return .refuse("There is no timeline “\(text)”: \(TimelineName.words.joined(separator: ", ")) or #tag.")
    }
    guard isSignedIn || !name.needsAccount else { return .refuse(signIn) }
    return .show(.timeline(name))
  }

  fileprivate func withQwink(_ place: (Qwink) -> Place) -> PromptOutcome {
    selectedQwink.map { .show(place($0)) } ?? .refuse("Select a qwink first: no qwink is selected here.")
  }

  /// Looks up a qwinker by name; without a name, the signed-in user.
  fileprivate func withQwinker(
    _ text: String, then: @escaping @MainActor (Qwinker) -> PromptOutcome
  ) -> PromptOutcome {
    guard let name = text.isEmpty ? me?.handle : Handle.reading(text) else {
      guard text.isEmpty else { return .refuse("“\(text)” is no name. Write it like alice or alice@example.org.") }
      return .refuse(isSignedIn ? "The server has not said yet who you are. Try again in a moment." : signIn)
    }
    return .ask(
      .lookup(handle: name), doing: "Looking for @\(name)…",
      then: then,
      otherwise: { error in
        if case .notFound = error { return "There is no qwinker “\(name)” on \(host)." }
        return error.sentence
      })
  }

  fileprivate var signIn: String { "That needs an account. Sign in: qwinkle login URL" }
}
