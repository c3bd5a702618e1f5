import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle timeline [NAME]`: prints a timeline.
struct TimelineCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Print a timeline: public, local, home, bookmarks, favourites, #hashtag or a user's posts.",
    discussion: """
      Without a name it prints home if you are signed in, else public. Quote a hashtag, as # begins a comment in the \
      shell: qwinkle timeline '#garden'. Bookmarks and favourites come in the order in which you made them; --since and \
      --until go by when they were posted.
      """)

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
    help: "\(TimelineName.words.joined(separator: ", ")), #hashtag or @name; home if left out, public if signed out.",
    completion: .list(TimelineName.words))
  var name: String?

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
    CommandRunner.run(options.choice, needingAccountFor: choice?.accountWords) { server, clock in
      let choice = choice ?? .named(server.isSignedIn ? .home : .public)
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
    try await list.print(qwinks, from: server, none: "No qwinks.", json: WireEncoder.qwinks) {
      PlainQwink.text($0, style)
    }
  }

  /// The timeline that the name means; nil without a name.
  private func choice() throws -> Choice? {
    guard let name else { return nil }
    guard let choice = Choice(name) else { throw ValidationError("No timeline “\(name)”. \(Self.advice(for: name))") }
    return choice
  }

  /// What was probably meant by `name`, which names no timeline.
  private static func advice(for name: String) -> String {
    if let nearest = NearestWord.find(name, among: TimelineName.words) {
      return "Did you mean qwinkle timeline \(nearest)?"
    }
    let hashtag = TimelineName(word: "#\(name)").map { _ in "qwinkle timeline '#\(name)'" }
    let profile = Handle.reading(name).map { "qwinkle timeline @\($0) or qwinkle profile \($0)" }
    let guesses = [
      hashtag.flatMap { name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? "The hashtag: \($0)." : nil },
      profile.flatMap { name.hasPrefix("#") ? nil : "The user: \($0)." },
    ].compactMap(\.self)
    let names = "Names: \(TimelineName.words.joined(separator: ", ")), #hashtag, @name."
    return (guesses + [names]).joined(separator: " ")
  }
}
