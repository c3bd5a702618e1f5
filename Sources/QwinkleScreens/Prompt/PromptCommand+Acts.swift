import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService

extension PromptCommand {
  /// Commands that act on the server, commands for the lists that it stores for the user, and commands that hide rows.
  static let acts: [PromptCommand] = [
    PromptCommand(
      name: "vote", argument: Argument(kind: .words, word: "NUMBERS", isOptional: true),
      summary: "vote in the selected poll; without a number, show its results",
      ability: .polls, perform: { situation, text in situation.vote(text) }),
    PromptCommand(
      name: "mute", argument: Argument(kind: .qwinker, word: "NAME [TIME]", isOptional: true),
      summary: "mute a user or the selected one, for 8h, 7d or always",
      ability: .mutes,
      perform: { situation, text in text.isEmpty ? .perform(.mute, "mute") : situation.mute(text) }),
    PromptCommand(
      name: "unmute", argument: Argument(kind: .qwinker, word: "NAME"), summary: "unmute a user",
      ability: .mutes,
      perform: { situation, text in
        situation.withOther(text) { qwinker in
          .act { QwinkerCommand.setMute(of: qwinker, isOn: false, seconds: 0, $0) }
        }
      }),
    PromptCommand(
      name: "block", argument: Argument(kind: .qwinker, word: "NAME", isOptional: true),
      summary: "block or unblock a user, or the selected one",
      ability: .blocks,
      perform: { situation, text in
        guard !text.isEmpty else { return .perform(.block, "block") }
        return situation.withOther(text) { qwinker in .act { QwinkerCommand.block.perform(qwinker, $0) } }
      }),
    PromptCommand(
      name: "block-server", argument: Argument(kind: .words, word: "HOST"), summary: "block a whole server",
      ability: .serverBlocks, perform: { situation, text in situation.withServer(text, PromptActions.blockServer) }),
    PromptCommand(
      name: "unblock-server", argument: Argument(kind: .words, word: "HOST"), summary: "unblock a server",
      ability: .serverBlocks, perform: { situation, text in situation.withServer(text, PromptActions.unblockServer) }),
    PromptCommand(
      name: "avatar", argument: Argument(kind: .picture, word: "PATH"),
      summary: "replace your avatar with a picture; none removes it",
      perform: { situation, text in situation.setPicture(.avatar, text) }),
    PromptCommand(
      name: "header", argument: Argument(kind: .picture, word: "PATH"),
      summary: "replace the header of your profile; none removes it",
      perform: { situation, text in situation.setPicture(.header, text) }),
    PromptCommand(
      name: "note", argument: Argument(kind: .words, word: "TEXT", isOptional: true),
      summary: "write a private note about the selected user",
      ability: .notes,
      perform: { situation, text in
        situation.withAuthor { qwinker, context in
          context.account.note(text, about: qwinker) { [weak navigator = context.navigator] in
            navigator?.say(text.isEmpty ? PromptActions.noteRemoved : PromptActions.noteSaved, .new)
          }
        }
      }),
    PromptCommand(
      name: "report", argument: Argument(kind: .report, word: "[WHY] TEXT"),
      summary: "report a post or user to the moderators",
      ability: .reports,
      perform: { situation, text in
        let typed = TypedReport(text)
        if typed.isUnclear { return .refuse(PromptWords.unclearRule) }
        if !typed.ruleNumbers.isEmpty, situation.rules == nil { return .refuse(PromptWords.rulesUnknown) }
        let rules: [ServerRule.ID]
        do throws(MissingRule) {
          rules = try (situation.rules ?? []).ids(numbered: typed.ruleNumbers)
        } catch {
          return .refuse(PromptWords.noRule(error))
        }
        return situation.withAuthor { qwinker, context in
          let qwink = situation.selectedQwink.flatMap { $0.author.id == qwinker.id ? $0.originalID : nil }
          let report = Report(
            qwinker: qwinker.id, qwinks: qwink.map { [$0] } ?? [], comment: typed.comment, category: typed.category,
            rules: rules)
          context.account.report(report, of: qwinker) { [weak navigator = context.navigator] in
            navigator?.say(PromptActions.reported(qwinker), .new)
          }
        }
      }),
    PromptCommand(
      name: "list", argument: Argument(kind: .words, word: "NAME", isOptional: true),
      summary: "one of your lists; without a name, their names",
      ability: .lists,
      perform: { situation, text in
        situation.ifSignedIn(.act { PromptActions.showList(text, $0) })
      }),
    PromptCommand(
      name: "follow-tag", argument: Argument(kind: .tag, word: "NAME"), summary: "follow a hashtag, or unfollow it",
      ability: .followedTags,
      perform: { situation, text in
        let name = text.hasPrefix("#") ? String(text.dropFirst()) : text
        guard TimelineName(word: "#\(name)") != nil else { return .refuse(PromptWords.badTag) }
        return situation.ifSignedIn(.act { PromptActions.followTag(name, $0) })
      }),
    PromptCommand(
      name: "media", aliases: ["pictures"], argument: Argument(kind: .qwinker, word: "NAME", isOptional: true),
      summary: "pictures and videos of a user; yours without a name",
      perform: { situation, text in situation.part(.media, text) }),
    PromptCommand(
      name: "posts", argument: Argument(kind: .qwinker, word: "NAME", isOptional: true),
      summary: "posts of a user, without replies; yours without a name",
      perform: { situation, text in situation.part(.withoutReplies, text) }),
    PromptCommand(
      name: "hide", argument: Argument(kind: .hidden, word: "KIND|RULE"),
      summary: "hide boosts, replies, read posts or what a rule matches",
      perform: { _, text in hidden(text, "hide", rule: true) { .hide($0) } }),
    PromptCommand(
      name: "show", argument: Argument(kind: .hidden, word: "KIND", isOptional: true),
      summary: "show boosts, replies or read posts again; alone: everything",
      perform: { _, text in text.isEmpty ? .choose(.showAll) : hidden(text, "show") { .show($0) } }),
    PromptCommand(
      name: "only", argument: Argument(kind: .notifications, word: "TYPES", isOptional: true),
      summary: "notifications of some types, such as mentions; alone: all",
      perform: { _, text in
        let words = text.split { $0 == " " || $0 == "," }.map(String.init)
        let types = words.compactMap(NotificationType.init)
        guard types.count == words.count else {
          return .refuse(PromptWords.usage(":only TYPES", NotificationType.list(Set(NotificationType.allCases), "or")))
        }
        return .choose(.only(Set(types)))
      }),
    PromptCommand(
      name: "clear-notifications", summary: "remove all your notifications", ability: .clearing,
      perform: { situation, _ in
        situation.ifSignedIn(.act(PromptActions.clearNotifications))
      }),
    records(
      "filtered-notifications", .filtered, "senders whose notifications were filtered", .filteredNotifications),
    PromptCommand(
      name: "notification-policy", summary: "which notifications to accept, filter or drop",
      ability: .filteredNotifications,
      perform: { situation, _ in situation.ifSignedIn(.perform(.notificationPolicy, "notification-policy")) }),
    records("scheduled", .scheduled, "your scheduled posts", .scheduledPosts),
    records("lists", .lists, "your lists and their members", .lists),
    records("filters", .filters, "your filters: words that hide a post or add a warning", .filters),
    records("followed-tags", .tags, "the hashtags you follow", .followedTags),
    records("announcements", .announcements, "server announcements", .announcements),
    PromptCommand(
      name: "server", summary: "about the server, and its rules",
      perform: { _, _ in .show(.records(.server)) }),
    PromptCommand(
      name: "trends", summary: "trending posts, hashtags and links", ability: .trends,
      perform: { _, _ in .show(.records(.trends)) }),
    PromptCommand(
      name: "requests", summary: "your follow requests",
      ability: .followRequests, perform: { situation, _ in situation.people(.requesters) }),
    PromptCommand(
      name: "muted", summary: "the people you have muted", ability: .mutedList,
      perform: { situation, _ in situation.people(.muted) }),
    PromptCommand(
      name: "blocked", summary: "the people you have blocked", ability: .blockedList,
      perform: { situation, _ in situation.people(.blocked) }),
  ]
}

extension PromptCommand {
  /// Returns a command that opens a list stored on the server.
  private static func records(
    _ name: String, _ kind: ManagedListKind, _ summary: String, _ ability: Ability
  ) -> PromptCommand {
    PromptCommand(
      name: name, summary: summary, ability: ability,
      perform: { situation, _ in
        situation.ifSignedIn(.show(.records(kind)))
      })
  }

  /// Parses kinds of qwinks, such as `boosts replies`, or a rule, if `rule` is true.
  fileprivate static func hidden(
    _ text: String, _ name: String, rule: Bool = false, _ choice: (Set<HiddenKind>) -> PaneChoice
  ) -> PromptOutcome {
    let words = text.split { $0 == " " || $0 == "," }.map(String.init)
    let kinds = words.compactMap(HiddenKind.init)
    if kinds.count == words.count { return .choose(choice(Set(kinds))) }
    let usage = PromptWords.usage(":\(name) boosts|replies|read", rule ? "or a rule" : "one of them or several")
    guard rule else { return .refuse(usage) }
    do throws(RuleProblem) {
      return .choose(.hideMatching(try ViewRule(text), text: text))
    } catch {
      // A single word is rather a misspelled kind than a rule.
      return .refuse(words.count == 1 && !text.contains(":") ? usage : error.words)
    }
  }
}

extension PromptSituation {
  fileprivate func people(_ name: QwinkerListName) -> PromptOutcome {
    ifSignedIn(.show(.qwinkers(name)))
  }

  fileprivate func withServer(
    _ text: String, _ act: @escaping @MainActor (String, QwinkCommand.Context) -> Void
  ) -> PromptOutcome {
    guard isSignedIn else { return .refuse(PromptWords.signIn) }
    guard let host = PromptActions.server(text) else { return .refuse(PromptActions.refusal(ofServer: text)) }
    return .act { act(host, $0) }
  }

  fileprivate func setPicture(_ picture: OwnProfile.Picture, _ path: String) -> PromptOutcome {
    guard isSignedIn else { return .refuse(PromptWords.signIn) }
    guard path != OwnProfile.Picture.nothing else { return .act { PromptActions.removePicture(picture, $0) } }
    return .act { PromptActions.setPicture(picture, to: AttachedFile.expanded(path, home: home), $0) }
  }

  @MainActor
  fileprivate func part(_ part: QwinkerPart, _ text: String) -> PromptOutcome {
    withQwinker(text) { .show(.timeline(.part(part, of: $0.id, by: $0.handle))) }
  }

  /// Fetches a user by name and continues with `then`. Refuses the signed-in user's own name.
  @MainActor
  func withOther(
    _ text: String, then: @escaping @MainActor (Qwinker) -> PromptOutcome
  ) -> PromptOutcome {
    guard isSignedIn else { return .refuse(PromptWords.signIn) }
    let me = me?.id
    return withQwinker(text) { $0.id == me ? .refuse(QwinkerWords.notToYourself) : then($0) }
  }

  /// Passes the selected user to `act`, or else the author of the selected qwink.
  fileprivate func withAuthor(
    _ act: @escaping @MainActor (Qwinker, QwinkCommand.Context) -> Void
  ) -> PromptOutcome {
    guard isSignedIn else { return .refuse(PromptWords.signIn) }
    guard let author = selectedQwinker ?? selectedQwink?.author else { return .refuse(PromptWords.noAuthor) }
    return author.id == me?.id ? .refuse(QwinkerWords.notToYourself) : .act { act(author, $0) }
  }

  @MainActor
  fileprivate func mute(_ text: String) -> PromptOutcome {
    let words = text.split(separator: " ").map(String.init)
    guard (1...2).contains(words.count) else { return .refuse(PromptActions.muteUsage) }
    if words.count == 1, let seconds = PromptActions.seconds(words[0]) {
      return withAuthor { QwinkerCommand.setMute(of: $0, isOn: true, seconds: seconds, $1) }
    }
    let seconds = words.count == 2 ? PromptActions.seconds(words[1]) : 0
    guard let seconds else { return .refuse(PromptActions.muteUsage) }
    return withOther(words[0]) { qwinker in
      .act { QwinkerCommand.setMute(of: qwinker, isOn: true, seconds: seconds, $0) }
    }
  }

  fileprivate func vote(_ text: String) -> PromptOutcome {
    guard let qwink = selectedQwink else { return .refuse(PromptWords.noQwink) }
    guard let poll = qwink.poll else { return .refuse(ActionWords.noPoll) }
    let words = text.split { $0 == " " || $0 == "," }
    guard !words.isEmpty else {
      return .act { context in
        context.account.vote(in: qwink, for: []) { [weak navigator = context.navigator] in
          navigator?.say(PromptActions.results(of: $0), .text)
        }
      }
    }
    guard isSignedIn else { return .refuse(PromptWords.signIn) }
    if let reason = ActionWords.cannotVote(in: poll, isOwn: qwink.author.id == me?.id, at: now) {
      return .refuse(reason)
    }
    let choices = words.compactMap { Int($0) }.map { $0 - 1 }
    guard choices.count == words.count, choices.allSatisfy(poll.options.indices.contains),
      choices.count == 1 || poll.allowsSeveral
    else { return .refuse(ActionWords.invalidVote(in: poll)) }
    return .act { context in
      context.account.holdVote(in: qwink, for: choices) { [weak navigator = context.navigator] in
        navigator?.report(Notice(PromptActions.voted, .new, spokenText: PromptActions.spokenVoted($0)))
      }
    }
  }
}
