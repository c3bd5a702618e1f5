import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle boost ID`
struct BoostCommand: ReactionCommand {
  static let reaction = Reaction.boost
  static let configuration = CommandConfiguration(
    commandName: "boost", abstract: "Boost a qwink: show it to your followers.")

  @OptionGroup var given: GivenReaction
}

/// `qwinkle favourite ID`
struct FavouriteCommand: ReactionCommand {
  static let reaction = Reaction.favourite
  static let configuration = CommandConfiguration(
    commandName: "favourite", abstract: "Favourite a qwink; its author is notified.")

  @OptionGroup var given: GivenReaction
}

/// `qwinkle bookmark ID`
struct BookmarkCommand: ReactionCommand {
  static let reaction = Reaction.bookmark
  static let configuration = CommandConfiguration(
    commandName: "bookmark", abstract: "Bookmark a qwink; only you see that.")

  @OptionGroup var given: GivenReaction
}

protocol ReactionCommand: ProgramCommand {
  static var reaction: Reaction { get }
  var given: GivenReaction { get }
}

/// The arguments of a ``ReactionCommand``.
struct GivenReaction: ParsableArguments {
  @OptionGroup var subject: QwinkArgument
  @OptionGroup var undo: UndoOption

  @Flag(help: "Print the qwink as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions
}

/// An option that reverses a command.
struct UndoOption: ParsableArguments {
  @Flag(help: "Undo the action.")
  var undo = false
}

extension ReactionCommand {
  @MainActor
  func start() throws {
    let isOn = !given.undo.undo
    CommandRunner.run(given.options.choice, needingAccountFor: Self.reaction.activity) { server, _ in
      let found = try await given.subject.findSourced(on: server)
      let qwink = found.answer
      let done = Self.reaction.result(isOn: isOn)
      try await given.change(found, to: isOn, state: { $0.has(Self.reaction) }, done: done) {
        try await server.answer(
          to: Request<Qwink>.react(qwink.originalID, Self.reaction, isOn: isOn).sourced,
          needing: Self.reaction.need(of: qwink))
      }
    }
  }
}

extension GivenReaction {
  /// Changes a qwink with `send` and prints `done` with the qwink's address. Doesn't call `send` if the reaction is on
  /// already: GoToSocial would record a second boost, and undoing would remove only one of the two.
  @MainActor
  func change(
    _ found: Sourced<Qwink>, to isOn: Bool, state isAlreadyOn: @MainActor (Qwink) -> Bool, done: String,
    send: @MainActor () async throws -> Sourced<Qwink>
  ) async throws {
    let isDone = isOn && isAlreadyOn(found.answer)
    let answer = isDone ? found : try await send()
    if json { return StandardOutput.print(json: SentJSON.original(of: answer.json)) }
    let changed = answer.answer.original
    let word = isDone ? "Already \(done.lowercased())" : done
    StandardOutput.print("\(word): \(changed.url ?? changed.id.rawValue)")
  }
}

extension Reaction {
  /// The ability that the reaction needs, or nil if every server supports it.
  fileprivate func need(of qwink: Qwink) -> AbilityNeed? {
    self == .bookmark ? AbilityNeed(.bookmarks, of: qwink) : nil
  }

  fileprivate var activity: String {
    switch self {
    case .boost: "Boosting"
    case .favourite: "Favouriting"
    case .bookmark: "Bookmarking"
    }
  }

  fileprivate func result(isOn: Bool) -> String {
    switch (self, isOn) {
    case (.boost, true): "Boosted"
    case (.boost, false): "Boost undone"
    case (.favourite, true): "Favourited"
    case (.favourite, false): "Unfavourited"
    case (.bookmark, true): "Bookmarked"
    case (.bookmark, false): "Bookmark removed"
    }
  }
}
