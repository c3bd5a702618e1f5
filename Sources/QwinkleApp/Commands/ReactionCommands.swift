import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle boost ID`
struct BoostCommand: ReactionCommand {
  static let reaction = Reaction.boost
  static let configuration = CommandConfiguration(
    commandName: "boost", abstract: "Boost a post: show it to your followers.")

  @OptionGroup var given: GivenReaction
}

/// `qwinkle favourite ID`
struct FavouriteCommand: ReactionCommand {
  static let reaction = Reaction.favourite
  static let configuration = CommandConfiguration(
    commandName: "favourite", abstract: "Favourite a post; its author is notified.")

  @OptionGroup var given: GivenReaction
}

/// `qwinkle bookmark ID`
struct BookmarkCommand: ReactionCommand {
  static let reaction = Reaction.bookmark
  static let configuration = CommandConfiguration(
    commandName: "bookmark", abstract: "Bookmark a post; only you see that.")

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

  @Flag(help: "Print the post as an API entity.")
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
    let reaction = Self.reaction
    // Bookmarks are the only reaction that some servers don't support.
    let ability: Ability? = reaction == .bookmark ? .bookmarks : nil
    let done = reaction.sentence(isOn: !given.undo.undo)
    given.run(reaction.activity, needing: ability, done: done, state: { $0.has(reaction) }) {
      .react($0, reaction, isOn: $1)
    }
  }
}

extension GivenReaction {
  /// Sends `request` with the qwink's id and the wanted state, and prints `done` with the qwink's address. `state`
  /// returns the qwink's current state. Doesn't send a request to turn on a state that is already on: GoToSocial would
  /// record a second boost, and undoing would remove only one of the two. If `ability` is given, a “not found” response
  /// means that the server lacks this ability. Pass nil if the response can also mean that the user isn't the author.
  @MainActor
  func run(
    _ activity: String, needing ability: Ability? = nil, done: String,
    state isAlreadyOn: @escaping @MainActor (Qwink) -> Bool,
    _ request: @escaping @MainActor (Qwink.ID, Bool) -> Request<Qwink>
  ) {
    let isOn = !undo.undo
    CommandRunner.run(options.choice, needingAccountFor: activity) { server, _ in
      var found = try await subject.findSourced(on: server)
      let qwink = found.answer
      let isDone = isOn && isAlreadyOn(qwink)
      if !isDone {
        found = try await server.answer(
          to: request(qwink.originalID, isOn).sourced, needing: ability.map { AbilityNeed($0, of: qwink) })
      }
      if json { return StandardOutput.print(json: SentJSON.original(of: found.json)) }
      let changed = found.answer.original
      let word = isDone ? "Already \(done.lowercased())" : done
      StandardOutput.print("\(word): \(changed.url ?? changed.id.rawValue)")
    }
  }
}
