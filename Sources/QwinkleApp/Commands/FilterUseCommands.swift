import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleWire
import Timekeeping

/// `qwinkle mute-tag NAME`
struct MuteTagCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute-tag", abstract: "Mute a hashtag with a filter on the server.")

  @Argument(help: "The hashtag, with or without #.", completion: KnownCompletions.hashtags)
  var name: String

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Duration: 8h, 7d; permanent by default.", valueName: "time"))
  var duration: String?

  @OptionGroup var undo: UndoOption
  @OptionGroup var options: ServerOptions

  func validate() throws {
    guard TimelineName(word: "#\(bare)") != nil else { throw ValidationError("“\(name)” is not a hashtag.") }
    _ = try duration.map { try AgeOption.seconds($0, of: "--for") }
  }

  private var bare: String { name.hasPrefix("#") ? String(name.dropFirst()) : name }

  func start() throws {
    let seconds = try duration.map { try AgeOption.seconds($0, of: "--for") }
    CommandRunner.run(options.choice, needingAccountFor: "Using filters") { server, clock in
      let filters = try await server.answer(to: Request<[ContentFilter]>.filters)
      let mutes = filters.filter { $0.isMute(ofTag: bare, at: clock.now) }
      if undo.undo {
        for mute in mutes { try await server.answer(to: .deleteFilter(mute.id)) }
        return StandardOutput.print("Unmuted #\(bare)")
      }
      if let mute = mutes.first {
        if seconds != nil { _ = try await server.answer(to: .changeFilter(mute, seconds: seconds, removing: [])) }
      } else {
        _ = try await server.answer(to: .createFilter(.muting(tag: bare), seconds: seconds))
      }
      StandardOutput.print("Muted #\(bare)")
    }
  }
}

/// `qwinkle filter-post ID`
struct FilterPostCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter-post", abstract: "Add a single post to one of your filters.",
    discussion: """
      Without --filter, the filter is “\(ContentFilter.hiddenPostsTitle)”, which hides its posts; it is created if \
      it doesn't exist.
      """)

  @OptionGroup var qwink: QwinkArgument

  @Option(help: ArgumentHelp("The filter: its title or its id.", valueName: "filter"))
  var filter: String?

  @OptionGroup var undo: UndoOption
  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Using filters") { server, _ in
      let qwink = try await qwink.find(on: server)
      let filters = try await server.answer(to: Request<[ContentFilter]>.filters)
      let known = filters.titled(filter ?? ContentFilter.hiddenPostsTitle)
      if let filter, known == nil { throw FilterUse.missing(filter) }
      if undo.undo {
        let entries = try await known.entries(on: server).filter { $0.qwink == qwink.originalID }
        for entry in entries { try await server.answer(to: .removeFromFilter(entry)) }
        return StandardOutput.print("No longer filtered: \(qwink.originalID)")
      }
      let new = ContentFilter(title: ContentFilter.hiddenPostsTitle, hides: true)
      let target: ContentFilter
      if let known {
        target = known
      } else {
        target = try await server.answer(to: .createFilter(new, seconds: nil))
      }
      _ = try await server.answer(to: .addToFilter(target.id, qwink.originalID))
      StandardOutput.print("Filtered: \(target.title)")
    }
  }
}

/// `qwinkle filter-matches TITLE`
struct FilterMatchesCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter-matches", abstract: "Print the posts that match one of your filters.",
    discussion: """
      Searches the posts that the screen has cached on this machine. The filter doesn't cover them; your other \
      filters, mutes and blocks apply.
      """)

  @Argument(help: "The filter: its title or its id.")
  var title: String

  @OptionGroup var list: ListOptions
  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Using filters", isPaged: true) { session, server, clock in
      let filters = try await server.answer(to: Request<[ContentFilter]>.filters)
      guard let filter = filters.titled(title) else { throw FilterUse.missing(title) }
      let me = try await server.answer(to: .ownAccount).qwinker.id
      let paths = CommandStage.current?.paths ?? Paths()
      let folder = "\(paths.cache)/\(session.accountFolder)"
      guard TimelineCache.exists(in: folder) else {
        throw AppError.failed(
          "Nothing from \(session.words) is cached on this machine. The screen caches what it shows.")
      }
      let rules = try await server.hiddenRules()
      let cache = try TimelineCache(directory: folder, ledger: ActivityLedger())
      defer { cache.close() }
      let now = clock.now
      let qwinks = await SearchCache(of: cache).findInAll(.filter(filter), limit: list.limit) { qwink in
        guard qwink.author.id != me,
          let shown = rules.applied(toCached: qwink, at: now)?.unfiltered(by: filter),
          !Disclosure(of: shown, in: .home, at: now).isHidden
        else { return nil }
        return shown
      }
      if list.json { return StandardOutput.print(json: WireEncoder.qwinks(qwinks)) }
      let style = PlainStyle(clock, reveals: reveal.reveal)
      for qwink in qwinks { StandardOutput.print(PlainQwink.text(qwink, in: .home, style)) }
      if qwinks.isEmpty { StandardOutput.remark(onEmptyList: "No cached post matches “\(filter.title)”.") }
    }
  }
}

private enum FilterUse {
  static func missing(_ title: String) -> AppError {
    .failed("No filter “\(title)”. qwinkle filters prints yours.")
  }
}

extension Optional where Wrapped == ContentFilter {
  /// Returns the single posts of a filter. Empty without a filter.
  @MainActor
  fileprivate func entries(on server: AccountConnection) async throws -> [FilteredQwink] {
    guard let self else { return [] }
    return try await server.answer(to: .filteredQwinks(of: self.id))
  }
}
