import PaneKit
import QwinkleAccount
import QwinkleConfig
import QwinkleModel
import QwinkleService

extension PromptCommand {
  /// All commands, in the order in which completion and help list them.
  static let all = places + verbs + acts + filterActs + quotes + featuring

  /// Commands that open a screen or concern the program.
  private static let places: [PromptCommand] = [
    PromptCommand(
      name: "open", argument: Argument(kind: .url, word: "URL"),
      summary: "open an address, or a server's timeline: HOST/local",
      perform: { _, text in
        if let timeline = RemoteTimeline(word: text) { return .act { PromptActions.open(timeline, $0) } }
        guard let address = WebAddress(typed: text) else { return .refuse(PromptWords.badAddress(text)) }
        return .open(address)
      }),
    PromptCommand(
      name: "tag", argument: Argument(kind: .tag, word: "NAME"), summary: "posts with this hashtag, or any of several",
      perform: { _, text in
        let names = text.split { $0.isWhitespace || $0 == "+" }.map { $0.hasPrefix("#") ? $0.dropFirst() : $0 }
        guard !names.isEmpty, names.allSatisfy({ !$0.isEmpty && !$0.contains("#") && !$0.contains("/") }) else {
          return .refuse(PromptWords.badTag)
        }
        return .show(.timeline(.tag(names.joined(separator: "+"))))
      }),
    PromptCommand(
      name: "user", aliases: ["qwinker"], argument: Argument(kind: .qwinker, word: "NAME"),
      summary: "the profile of a user",
      perform: { situation, text in situation.withQwinker(text) { .show(.qwinker($0)) } }),
    PromptCommand(
      name: "search", argument: Argument(kind: .words, word: "WORDS"), summary: "posts, people and hashtags",
      perform: { _, text in .show(.search(text)) }),
    PromptCommand(
      name: "timeline", argument: Argument(kind: .timeline, word: "NAME"),
      summary: "public, local, home, bookmarks, favourites, trending or #tag",
      perform: { situation, text in situation.timeline(text) }),
    PromptCommand(
      name: "view", argument: Argument(kind: .view, word: "NAME"),
      summary: "one of your views, or a rule",
      perform: { situation, text in situation.view(text) }),
    PromptCommand(
      name: "layout", argument: Argument(kind: .layout, word: "NAME", isOptional: true),
      summary: "an arrangement of panes; save NAME writes one; alone, list all",
      perform: { _, text in
        let command = LayoutCommand(text)
        return .act { $0.navigator.perform(command) }
      }),
    PromptCommand(
      name: "catchup", aliases: ["catch-up"], argument: Argument(kind: .words, word: "TIME", isOptional: true),
      summary: "catch up with Home since you left, or over a TIME such as 12h",
      perform: { situation, text in
        guard !text.isEmpty else { return situation.ifSignedIn(.act { PromptActions.catchUp(.sinceRead, $0) }) }
        guard let hours = CatchUpHours.read(text) else { return .refuse(CatchUpWords.badHours(text)) }
        return situation.ifSignedIn(.act { PromptActions.catchUp(.hours(hours), $0) })
      }),
    PromptCommand(
      name: "drafts", summary: "your drafts",
      perform: { situation, _ in situation.ifSignedIn(.perform(.showDrafts, "drafts")) }),
    PromptCommand(
      name: "outbox", summary: "queued posts and actions",
      perform: { situation, _ in situation.ifSignedIn(.perform(.showOutbox, "outbox")) }),
    PromptCommand(
      name: "resources", summary: "cached pictures and downloads",
      perform: { _, _ in .show(.resources) }),
    PromptCommand(
      name: "profile", summary: "your profile",
      perform: { situation, _ in situation.withQwinker("") { .show(.qwinker($0)) } }),
    PromptCommand(
      name: "edit-profile", summary: "edit your profile and its settings",
      perform: { situation, _ in
        situation.ifSignedIn(.perform(.editProfile, "edit-profile"))
      }),
    PromptCommand(
      name: "followers", argument: Argument(kind: .qwinker, word: "NAME", isOptional: true),
      summary: "followers of a user; yours without a name",
      perform: { situation, text in situation.withQwinker(text) { .show(.qwinkers(.followers($0.id), of: $0)) } }),
    PromptCommand(
      name: "following", argument: Argument(kind: .qwinker, word: "NAME", isOptional: true),
      summary: "accounts a user follows; without a name, accounts you follow",
      perform: { situation, text in situation.withQwinker(text) { .show(.qwinkers(.following($0.id), of: $0)) } }),
    PromptCommand(
      name: "collections", argument: Argument(kind: .qwinker, word: "NAME", isOptional: true),
      summary: "collections of accounts that a user recommends; yours without a name", ability: .collections,
      perform: { situation, text in situation.withQwinker(text) { .show(.collections(of: $0)) } }),
    PromptCommand(
      name: "featured-in", argument: Argument(kind: .qwinker, word: "NAME", isOptional: true),
      summary: "collections that feature a user; you without a name", ability: .collections,
      perform: { situation, text in situation.withQwinker(text) { .show(.collections(of: $0, isFeatured: true)) } }),
    PromptCommand(
      name: "boosted-by", aliases: ["boosters"], summary: "who boosted the selected post",
      perform: { situation, _ in situation.withQwink { .qwinkers(.boosters($0.originalID)) } }),
    PromptCommand(
      name: "favourited-by", aliases: ["favouriters"], summary: "who favourited the selected post",
      perform: { situation, _ in situation.withQwink { .qwinkers(.favouriters($0.originalID)) } }),
    PromptCommand(
      name: "quotes", aliases: ["quoted-by"], summary: "posts that quote the selected post",
      ability: .quotes, perform: { situation, _ in situation.withQwink { .timeline(.quotes(of: $0.originalID)) } }),
    PromptCommand(
      name: "history", aliases: ["versions"], summary: "edit history of the selected post",
      ability: .editHistory, perform: { situation, _ in situation.withQwink { .versions($0) } }),
    PromptCommand(
      name: "translate", argument: Argument(kind: .words, word: "LANGUAGE", isOptional: true),
      summary: "translate the selected post", action: .translate, ability: .translation,
      perform: { situation, text in
        guard let qwink = situation.selectedQwink else { return .refuse(PromptWords.noQwink) }
        guard !text.isEmpty else { return .perform(.translate, "translate") }
        guard LanguageCode.isCode(text) else { return .refuse(TranslationWords.badLanguage) }
        return situation.ifSignedIn(.act { QwinkCommand.translate(qwink, into: text, $0) })
      }),
    PromptCommand(
      name: "account", argument: Argument(kind: .account, word: "NAME", isOptional: true),
      summary: "switch account; without a name, list accounts",
      perform: { _, text in text.isEmpty ? .perform(.accounts, "account") : .showAccount(text) }),
    PromptCommand(
      name: "set", argument: Argument(kind: .setting, word: "KEY VALUE", isOptional: true),
      summary: "change a setting; without a value, show it; alone, list all",
      perform: { _, text in
        let name = text.split(separator: " ").joined(separator: " ")
        return name.isEmpty || ConfigKey(name: name) != nil
          ? .describe(ConfigKey(name: name)) : setting(text) { .set($0) }
      }),
    PromptCommand(
      name: "set!", argument: Argument(kind: .setting, word: "KEY VALUE"),
      summary: "change a setting and write it to config.toml",
      perform: { _, text in setting(text) { .write($0) } }),
    PromptCommand(
      name: "pipe", argument: Argument(kind: .words, word: "COMMAND"),
      summary: "pipe the selected post's text to a shell command",
      perform: { situation, text in
        guard situation.selectedQwink != nil else { return .refuse(PromptWords.noQwink) }
        return .pipe(OwnCommand(name: "pipe", run: text))
      }),
    PromptCommand(name: "reload", summary: "read config.toml again", perform: { _, _ in .reload }),
    PromptCommand(
      name: "help", aliases: ["h"], summary: "keys and commands", perform: { _, _ in .perform(.help, "help") }),
    PromptCommand(name: "quit", aliases: ["q"], summary: "quit Qwinkle", perform: { _, _ in .perform(.quit, "quit") }),
  ]

  private static func setting(_ text: String, then: (ScreenSetting) -> PromptOutcome) -> PromptOutcome {
    let words = text.split(separator: " ").joined(separator: " ")
    return ScreenSetting(words).map(then) ?? .refuse(ScreenSetting.refusal(of: words))
  }

  /// Returns the command with this name or alias. A command of the user has precedence over a verb, which also has a
  /// key.
  static func named(_ name: String, besides own: [OwnCommand]) -> PromptCommand? {
    let command = named(name)
    return command?.action != nil && own.contains { $0.name == name } ? nil : command
  }

  /// Returns the command with this name or alias.
  static func named(_ name: String) -> PromptCommand? {
    all.first { $0.name == name || $0.aliases.contains(name) }
  }
}

extension PromptSituation {
  /// Returns the outcome of a typed line, or nil if the line is empty.
  @MainActor
  func outcome(of line: String) -> PromptOutcome? {
    let line = PromptLine(line)
    guard !line.name.isEmpty else { return nil }
    guard let command = PromptCommand.named(line.name, besides: ownCommands) else {
      if let own = ownCommands.first(where: { $0.name == line.name }) {
        return selectedQwink == nil ? .refuse(PromptWords.noQwink) : .pipe(own)
      }
      let nearest = NearestWord.find(line.name, among: PromptCommand.all.map(\.name) + ownCommands.map(\.name))
      return .refuse(PromptWords.noCommand(line.name, nearest: nearest))
    }
    if line.argument.isEmpty, let argument = command.argument, !argument.isOptional {
      let choices =
        switch argument.kind {
        case .setting: ScreenSetting.names.joined(separator: ", ")
        case .report: PromptWords.reportChoices
        default: command.summary
        }
      return .refuse(PromptWords.usage(command.usage, choices))
    }
    if !line.argument.isEmpty, command.argument == nil {
      return .refuse(PromptWords.noArgument(command.name))
    }
    return command.perform(self, line.argument)
  }

  @MainActor
  fileprivate func timeline(_ text: String) -> PromptOutcome {
    // Accepts `@NAME` and `list/NAME` too, like the shell command.
    if text.hasPrefix("@") { return withQwinker(text) { .show(.qwinker($0)) } }
    let list = "list/"
    if text.hasPrefix(list), text != list {
      guard isSignedIn else { return .refuse(PromptWords.signIn) }
      return .act { PromptActions.showList(String(text.dropFirst(list.count)), $0) }
    }
    if let timeline = RemoteTimeline(word: text) { return .act { PromptActions.open(timeline, $0) } }
    guard let name = TimelineName(word: text) else {
      return .refuse(PromptWords.noTimeline(text, known: TimelineName.words))
    }
    guard isSignedIn || !name.needsAccount else { return .refuse(PromptWords.signIn) }
    return .show(.timeline(name))
  }

  /// Opens one of the user's views by name. If no view has this name, opens a temporary view with `text` as its rule.
  fileprivate func view(_ text: String) -> PromptOutcome {
    if let view = views.first(where: { $0.name.lowercased() == text.lowercased() }) { return .show(.view(view)) }
    do throws(RuleProblem) {
      return .show(.view(try OwnView(name: SavedSearchWords.typed(text), text: text)))
    } catch {
      let isName = !text.contains { $0.isWhitespace || ":#()'\"".contains($0) }
      guard isName else { return .refuse(error.words) }
      return .refuse(SavedSearchWords.noView(text, nearest: NearestWord.find(text, among: views.map(\.name))))
    }
  }

  /// Returns `outcome`, or a refusal if the user is signed out.
  func ifSignedIn(_ outcome: PromptOutcome) -> PromptOutcome { isSignedIn ? outcome : .refuse(PromptWords.signIn) }

  fileprivate func withQwink(_ place: (Qwink) -> Place) -> PromptOutcome {
    selectedQwink.map { .show(place($0)) } ?? .refuse(PromptWords.noQwink)
  }

  /// Fetches a user by name, or the signed-in user if `text` is empty, and continues with `then`.
  func withQwinker(
    _ text: String, then: @escaping @MainActor (Qwinker) -> PromptOutcome
  ) -> PromptOutcome {
    guard let name = text.isEmpty ? me?.handle : Handle.reading(text) else {
      guard text.isEmpty else { return .refuse(PromptWords.badUser(text)) }
      return .refuse(isSignedIn ? PromptWords.accountLoading : PromptWords.signIn)
    }
    return .ask(
      .lookup(handle: name), doing: PromptWords.lookingUp(name),
      then: then,
      otherwise: { error in
        if case .notFound = error { return PromptWords.noUser(name, on: host) }
        return error.sentence
      })
  }
}
