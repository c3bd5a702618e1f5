import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle timeline [NAME]`: prints a timeline.
struct TimelineCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Print a timeline: public, home, #hashtag, a list, a user's posts, or another server's.",
    discussion: """
      Without a name it prints home if you are signed in, else public. Quote a hashtag, as # begins a comment in the \
      shell: qwinkle timeline '#garden'. tilde.example/local is the local timeline of another server, read without \
      signing in there; tilde.example/public and 'tilde.example/#garden' work too. Its posts are printed with their \
      address as id, which other commands accept. Bookmarks and favourites are in the order in which you added them; \
      --since and --until apply to the time of posting.
      """)

  /// The timeline to print.
  enum Choice: Hashable {
    case named(TimelineName)
    /// The posts of the qwinker with this handle.
    case qwinker(handle: String)
    /// The user's list with this title or id.
    case list(String)
    /// A timeline of another server.
    case remote(RemoteTimeline)

    init?(_ word: String) {
      if word.hasPrefix("@") {
        guard let handle = Handle.reading(word) else { return nil }
        self = .qwinker(handle: handle)
      } else if word.hasPrefix("list/"), word.utf8.count > 5 {
        self = .list(String(word.dropFirst(5)))
      } else if let timeline = RemoteTimeline(word: word) {
        self = .remote(timeline)
      } else {
        guard let name = TimelineName(word: word) else { return nil }
        self = .named(name)
      }
    }

    /// Subject of the error sentence if the timeline needs an account, otherwise nil.
    var accountWords: String? {
      if case .list = self { return "Reading a list" }
      guard case .named(let name) = self, name.needsAccount else { return nil }
      return switch name {
      case .bookmarks: "Reading bookmarks"
      case .favourites: "Reading favourites"
      case .list: "Reading a list"
      default: "The home timeline"
      }
    }
  }

  @Argument(
    help: """
      \(TimelineName.words.joined(separator: ", ")), #hashtag, list/NAME, @name or SERVER/local; by default home, or \
      public if signed out.
      """,
    completion: KnownCompletions.timelines)
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Read another server, without signing in: its local timeline, or the one in NAME.", valueName: "server"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "With @name: only \(QwinkerPart.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "part"),
    completion: .list(QwinkerPart.allCases.map(\.rawValue)))
  var only: String?

  @Option(
    help: ArgumentHelp(
      "Hide \(HiddenKind.ofQwinks.map(\.rawValue).joined(separator: " or ")), except your own; can be repeated.",
      valueName: "kind"),
    completion: .list(HiddenKind.ofQwinks.map(\.rawValue)))
  var hide: [String] = []

  @Flag(help: "Show posts that your rules in [hide-rules] hide.")
  var showHidden = false

  @OptionGroup var list: ListOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var reveal: RevealOption
  @OptionGroup var translate: TranslateOption
  @OptionGroup var options: ServerOptions

  func validate() throws {
    let choice = try choice()
    if let wrong = hide.first(where: { word in !HiddenKind.ofQwinks.contains { $0.rawValue == word } }) {
      throw ValidationError("--hide must be boosts or replies, not “\(wrong)”.")
    }
    if case .remote = choice, translate.translate != nil {
      throw ValidationError("--translate works on your own server only.")
    }
    guard let only else { return }
    guard QwinkerPart(rawValue: only) != nil else {
      throw ValidationError("--only must be \(QwinkerPart.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    guard case .qwinker = choice else { throw ValidationError("--only needs a user: qwinkle timeline @name.") }
  }

  func start() throws {
    let choice = try choice()
    let rules = showHidden ? [] : UserConfig.hideRules
    let hidden = HiddenQwinks(kinds: Set(hide.compactMap(HiddenKind.init)), rules: rules)
    CommandRunner.run(options.choice, needingAccountFor: choice?.accountWords, isPaged: true) {
      session, server, clock in
      var choice = choice ?? .named(server.isSignedIn ? .home : .public)
      if case .remote(let timeline) = choice {
        guard await server.isOwn(timeline) else {
          let others = session.otherServers(clock: clock, ledger: ActivityLedger())
          return try await RemoteTimelineOutput(timeline, hidden: hidden, others).print(
            list, range: try times.range(clock), for: server, PlainStyle(clock, reveals: reveal.reveal))
        }
        choice = .named(timeline.name)
      }
      try await Self.print(
        choice, part: only.flatMap { QwinkerPart(rawValue: $0) }, without: hidden, list,
        translate, range: try times.range(clock), server, PlainStyle(clock, reveals: reveal.reveal))
    }
  }

  @MainActor
  static func print(
    _ choice: Choice, part: QwinkerPart? = nil, without hidden: HiddenQwinks = HiddenQwinks(), _ list: ListOptions,
    _ translate: TranslateOption, range: TimeRange = TimeRange(), _ server: AccountConnection,
    _ style: PlainStyle
  ) async throws {
    let name: TimelineName
    switch choice {
    case .named(let named):
      name = named
    case .qwinker(let handle):
      let id = try await server.answer(to: .lookup(handle: handle)).id
      name = part.map { .part($0, of: id) } ?? .qwinker(id)
    case .remote(let timeline):
      name = timeline.name
    case .list(let title):
      let list = try await PersonalList.named(title, on: server)
      name = .list(list.id, title: list.title)
    }
    var hidden = hidden
    if !name.hidesByOption { hidden.rules = [] }
    let me = hidden.isEmpty || !server.isSignedIn ? nil : try? await server.answer(to: .ownAccount).qwinker.id
    let qwinks = PagedList<Qwink>(
      first: { .timeline(name, limit: $0) }, page: { .timelinePage(name, $0) }, id: { $0.rowID },
      time: { $0.listedAt }, range: range,
      isOrderedByTime: ![.bookmarks, .favourites, .trending].contains(name) && part != .pinned,
      isShown: { [hidden] qwink in
        !Disclosure(of: qwink, in: name.filterPlace, at: style.now).isHidden
          && !hidden.contains(qwink, me: me)
      })
    try await list.print(qwinks, from: server, translating: translate, none: "No posts.") { qwink, translations in
      translations.text(qwink, in: name.filterPlace, style)
    }
  }

  /// Parses the timeline's name, if given.
  private func choice() throws -> Choice? {
    if let from {
      guard let timeline = RemoteTimeline(word: "\(ServerAddress.name(in: from) ?? from)/\(name ?? "local")") else {
        throw ValidationError(
          "--from needs a server such as tilde.example, and the timeline public, local or #hashtag there.")
      }
      return .remote(timeline)
    }
    guard let name else { return nil }
    guard let choice = Choice(name) else { throw ValidationError("No timeline “\(name)”. \(Self.advice(for: name))") }
    return choice
  }

  /// Returns advice for an unknown timeline name: the most similar name, or the hashtag or user that the user could
  /// have meant.
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
    let names = "Names: \(TimelineName.words.joined(separator: ", ")), #hashtag, @name, SERVER/local."
    return (guesses + [names]).joined(separator: " ")
  }
}
