import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle timeline NAME`: prints a timeline.
struct TimelineCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Print a timeline: public, local, home, bookmarks, favourites, #hashtag or a user's posts.",
    discussion:
      "Bookmarks and favourites come in the order in which you made them; --since and --until go by when they were posted."
  )

  /// The timeline to print.
  enum Choice: Hashable {
    case named(TimelineName)
    /// A qwinker's posts, by handle.
    case qwinker(handle: String)

    init?(_ word: String) {
      if word.hasPrefix("@") {
        guard let handle = Handle.reading(word) else { return nil }
        self = .qwinker(handle: handle)
      } else {
        guard let name = TimelineName(word: word) else { return nil }
        self = .named(name)
      }
    }

    /// The timeline in words if it needs an account; nil if it needs none.
    var accountWords: String? {
      guard case .named(let name) = self, name.needsAccount else { return nil }
      return switch name {
      case .bookmarks: "Reading bookmarks"
      case .favourites: "Reading favourites"
      default: "The home timeline"
      }
    }
  }

  @Argument(
    help: "\(TimelineName.words.joined(separator: ", ")), #hashtag or @name.", completion: .list(TimelineName.words))
  var name: String

  @OptionGroup var list: ListOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  func validate() throws {
    _ = try choice()
  }

  @MainActor
  func start() throws {
    let choice = try choice()
    CommandRunner.run(options.choice, needingAccountFor: choice.accountWords) { server, clock in
      try await Self.print(
        choice, list, range: try times.range(clock), server, PlainStyle(clock, reveals: reveal.reveal))
    }
  }

  @MainActor
  static func print(
    _ choice: Choice, _ list: ListOptions, range: TimeRange = TimeRange(), _ server: AccountConnection,
    _ style: PlainStyle
  ) async throws {
    let name: TimelineName
    switch choice {
    case .named(let named):
      name = named
    case .qwinker(let handle):
      name = .qwinker(try await server.answer(to: .lookup(handle: handle)).id)
    }
    let qwinks = PagedList<Qwink>(
      first: { .timeline(name, limit: $0) }, page: { .timelinePage(name, $0) }, id: { $0.rowID },
      time: { $0.boostedAt ?? $0.createdAt }, range: range,
      isOrderedByTime: name != .bookmarks && name != .favourites, isShown: { !$0.isFilteredOut })
    try await list.print(qwinks, from: server, json: WireEncoder.qwinks) { PlainQwink.text($0, style) }
  }

  private func choice() throws -> Choice {
    guard let choice = Choice(name) else {
      throw ValidationError(
        "No timeline “\(name)”. Use \(TimelineName.words.joined(separator: ", ")), #hashtag or @name.")
    }
    return choice
  }
}
