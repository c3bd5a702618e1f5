import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle catchup`: prints the posts of the home timeline that the user has missed.
struct CatchUpCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "catchup",
    abstract: "Print the posts of your home timeline that you missed.",
    discussion: """
      It prints all posts since your read position, oldest first; without a read position, the posts of the last \
      \(CatchUp.usualHours) hours. A post and its boosts are printed once. --view authors and --view threads group the \
      posts, --view links prints each linked page once. Nothing is marked as read without --mark-read.

      --format prints each post by a template, such as '{author}\\t{text}'. Fields: \
      \(PlainCatchUp.postFields.map { "{\($0)}" }.joined(separator: ", ")); with --view links: \
      \(PlainCatchUp.linkFields.map { "{\($0)}" }.joined(separator: ", ")). Write {{ for a brace, \\t for a tab, \
      \\n for a line break.
      """)

  @Option(help: ArgumentHelp("The posts of the last hours, instead of those since your read position.", valueName: "n"))
  var hours: Int?

  @Option(
    help: ArgumentHelp(
      "Posts to print, and their groups: \(CatchUpView.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "view"),
    completion: .list(CatchUpView.allCases.map(\.rawValue)))
  var view = CatchUpView.time.rawValue

  @Option(
    help: ArgumentHelp(
      "Order: \(CatchUpSort.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "order"),
    completion: .list(CatchUpSort.allCases.map(\.rawValue)))
  var sort = CatchUpSort.time.rawValue

  @Option(help: ArgumentHelp("Only posts that contain these words, also in names and links.", valueName: "text"))
  var match: String?

  @Option(help: ArgumentHelp("Maximum number of posts or links to print.", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("Print each post or link by a template.", valueName: "template"))
  var format: String?

  @Flag(help: "Print API entities, as JSON. With --view links, print objects with url, title, accounts and statuses.")
  var json = false

  @Flag(help: "Move your read position up to the newest printed post.")
  var markRead = false

  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  func validate() throws {
    if let hours, hours < 1 { throw ValidationError("--hours must be 1 or more, not \(hours).") }
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more, not \(limit).") }
    guard let view = CatchUpView(rawValue: view) else {
      throw Self.unknown("--view", view, CatchUpView.allCases.map(\.rawValue))
    }
    guard CatchUpSort(rawValue: sort) != nil else {
      throw Self.unknown("--sort", sort, CatchUpSort.allCases.map(\.rawValue))
    }
    if json, format != nil { throw ValidationError("Use --json or --format, not both.") }
    _ = try template(view)
  }

  private static func unknown(_ option: String, _ word: String, _ words: [String]) -> ValidationError {
    ValidationError("\(option) must be \(words.joined(separator: ", ")), not “\(word)”.")
  }

  private func template(_ view: CatchUpView) throws -> OutputTemplate? {
    do {
      return try format.map { try OutputTemplate($0, fields: PlainCatchUp.fields(of: view)) }
    } catch let problem as OutputTemplate.Problem {
      throw ValidationError(problem.sentence)
    }
  }

  func start() throws {
    let view = CatchUpView(rawValue: view) ?? .time
    let sort = CatchUpSort(rawValue: sort) ?? .time
    let template = try template(view)
    CommandRunner.run(options.choice, needingAccountFor: "Catching up", isPaged: true) { session, _, clock in
      let missed = MissedPosts(session, clock: clock)
      defer { missed.close() }
      let error = await missed.load(hours.map { .hours($0) } ?? .sinceRead)
      if let error, missed.catchUp.items.isEmpty { throw error }
      let rows = shown(missed.catchUp.rows(view, sort: sort, matching: match ?? ""))
      print(rows, of: missed, by: template, PlainStyle(clock, reveals: reveal.reveal))
      remark(on: missed.catchUp, isEmpty: rows.isEmpty)
      if let error { throw error }
      guard markRead else { return }
      // Posts below the limit were never printed, so they must stay unread.
      if missed.catchUp.state == .finished(.limit) {
        throw AppError.failed("The read position stays, because older posts are missing. Try a smaller --hours.")
      }
      try await missed.markRead(rows.flatMap(\.printedRowIDs))
    }
  }

  /// Returns the rows up to the limit, which doesn't count headings.
  private func shown(_ rows: [CatchUpRow]) -> [CatchUpRow] {
    guard let limit else { return rows }
    var shown: [CatchUpRow] = []
    var left = limit
    for row in rows {
      guard left > 0 else { break }
      if row.rowID != nil { left -= 1 }
      shown.append(row)
    }
    return shown
  }

  @MainActor
  private func print(
    _ rows: [CatchUpRow], of missed: MissedPosts, by template: OutputTemplate?, _ style: PlainStyle
  ) {
    if json {
      let links = rows.compactMap { if case .link(let link) = $0 { link } else { nil } }
      if view == CatchUpView.links.rawValue { return StandardOutput.print(json: PlainCatchUp.json(links)) }
      let posts = rows.compactMap { if case .qwink(let post) = $0 { post } else { nil } }
      return StandardOutput.print(json: SentJSON.array(missed.entries(posts), encoding: WireEncoder.qwinks))
    }
    for row in rows {
      switch row {
      case .heading(let heading): if template == nil { StandardOutput.print(PlainCatchUp.text(heading)) }
      case .link(let link):
        if let template {
          StandardOutput.print(tabbed: PlainCatchUp.text(link, by: template))
        } else {
          StandardOutput.print(PlainCatchUp.text(link))
        }
      case .qwink(let post):
        // Nil for a post that was deleted in the meantime.
        guard let qwink = missed.catchUp.qwink(for: post.rowID) else { continue }
        if let template {
          StandardOutput.print(tabbed: PlainCatchUp.text(post, qwink, by: template, style))
        } else {
          StandardOutput.print(PlainCatchUp.text(post, qwink, style))
        }
      }
    }
  }

  @MainActor
  private func remark(on catchUp: CatchUp, isEmpty: Bool) {
    switch catchUp.state {
    case .finished(.limit):
      StandardOutput.remark(
        "These are the newest \(Counted.words(catchUp.progress.posts, "post")) only. Older posts are missing.")
    case .finished(.incomplete):
      StandardOutput.remark("Some posts are missing, because the server doesn't return them.")
    default: if isEmpty { StandardOutput.remark(onEmptyList: "No missed posts.") }
    }
  }
}

extension CatchUpRow {
  fileprivate var printedRowIDs: [Qwink.RowID] {
    switch self {
    case .heading: []
    case .qwink(let post): [post.rowID]
    case .link(let link): link.rowIDs
    }
  }
}
