import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle filters`
struct FiltersCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters", abstract: "Print your filters, which hide or warn of posts with certain words.")

  @Flag(help: "Print API entities, as JSON.")
  var json = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Using filters") { server, clock in
      let filters = try await server.answer(to: Request<[ContentFilter]>.filters.sourced)
      if json { return StandardOutput.print(json: filters.json) }
      for filter in filters.answer { StandardOutput.print(PlainFilter.text(filter, PlainStyle(clock))) }
      if filters.answer.isEmpty { StandardOutput.remark(onEmptyList: "No filters.") }
    }
  }
}

/// `qwinkle filter TITLE`
struct FilterCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter", abstract: "Print one of your filters, create it, or change it.",
    discussion: "--word creates the filter if it doesn't exist.")

  @Argument(help: "The filter: its title or its id.")
  var title: String

  @Option(help: ArgumentHelp("Add a word or a phrase; can be repeated.", valueName: "words"))
  var word: [String] = []

  @Option(help: ArgumentHelp("Remove a word or a phrase; can be repeated.", valueName: "words"))
  var removeWord: [String] = []

  @Flag(help: "Match parts of words, too.")
  var partial = false

  @Flag(inversion: .prefixedNo, help: "Hide matching posts instead of showing a warning.")
  var hide: Bool?

  @Option(
    help: ArgumentHelp(
      "Context: \(ContentFilter.Context.allCases.map(\.rawValue).joined(separator: ", ")); can be repeated.",
      valueName: "context"))
  var context: [String] = []

  @Option(name: .customLong("for"), help: ArgumentHelp("Duration: 8h, 7d; permanent by default.", valueName: "time"))
  var duration: String?

  @Flag(help: "Delete the filter.")
  var delete = false

  @Flag(help: "Print the filter as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  func validate() throws {
    if let wrong = context.first(where: { ContentFilter.Context(rawValue: $0) == nil }) {
      throw ValidationError("Unknown filter context: “\(wrong)”. See qwinkle filter --help")
    }
    _ = try duration.map { try AgeOption.seconds($0, of: "--for") }
  }

  private var isChange: Bool {
    !word.isEmpty || !removeWord.isEmpty || hide != nil || !context.isEmpty || duration != nil
  }

  func start() throws {
    let seconds = try duration.map { try AgeOption.seconds($0, of: "--for") }
    CommandRunner.run(options.choice, needingAccountFor: "Using filters") { server, clock in
      let filters = try await server.answer(to: Request<[ContentFilter]>.filters.sourced).entries
      let known = filters.first { $0.item.title == title } ?? filters.first { $0.item.id.rawValue == title }
      if delete {
        guard let known else { throw Self.missing(title) }
        try await server.answer(to: .deleteFilter(known.item.id))
        return StandardOutput.print("Deleted: \(known.item.title)")
      }
      guard known != nil || !word.isEmpty else { throw Self.missing(title) }
      var filter: SentItem<ContentFilter> = known ?? (item: ContentFilter(title: title), source: [])
      if isChange {
        let saved = try await save(filter.item, seconds, on: server)
        filter = (saved.answer, saved.json)
      }
      if json { return StandardOutput.print(json: SentJSON.object(filter, encoding: WireEncoder.filter)) }
      StandardOutput.print(PlainFilter.text(filter.item, PlainStyle(clock)))
    }
  }

  @MainActor
  private func save(
    _ filter: ContentFilter, _ seconds: Int?, on server: AccountConnection
  ) async throws -> Sourced<ContentFilter> {
    var filter = filter
    let removed = filter.keywords.filter { removeWord.contains($0.text) }.map(\.id)
    filter.keywords.removeAll { removed.contains($0.id) && !$0.id.isEmpty }
    filter.keywords += word.map { ContentFilter.Keyword(text: $0, isWhole: !partial) }
    if let hide { filter.hides = hide }
    if !context.isEmpty { filter.contexts = context.compactMap(ContentFilter.Context.init) }
    let isNew = filter.id.rawValue.isEmpty
    let request: Request<ContentFilter> =
      isNew ? .createFilter(filter, seconds: seconds) : .changeFilter(filter, seconds: seconds, removing: removed)
    return try await server.answer(to: request.sourced)
  }

  private static func missing(_ title: String) -> AppError {
    .failed("No filter “\(title)”. --word WORDS creates it; qwinkle filters prints yours.")
  }
}

/// Formats filters as plain text.
enum PlainFilter {
  static func text(_ filter: ContentFilter, _ style: PlainStyle) -> String {
    let end = filter.expiresAt.map { "  until \(style.fullTime($0))" } ?? ""
    let words = filter.keywords.map { $0.isWhole ? $0.text : "\($0.text)…" }.joined(separator: ", ")
    let places = filter.contexts.map(\.rawValue).joined(separator: ", ")
    return "\(filter.title)  \(filter.hides ? "hides" : "warns")\(end)  \(filter.id)\n  \(words)\n  in \(places)\n"
  }
}
