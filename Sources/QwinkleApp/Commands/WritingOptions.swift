import ArgumentParser
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// The option for a new qwink's content warning.
struct WarningOption: ParsableArguments {
  @Option(help: ArgumentHelp("Add a content warning.", valueName: "text"))
  var warning: String?
}

/// Options of commands that post or edit.
struct WritingOptions: ParsableArguments {
  @Flag(help: "Print the qwink as an API entity.")
  var json = false

  @Flag(help: "Queue it; the next Qwinkle that runs on the account sends it.")
  var queue = false

  /// What becomes of a text that isn't sent.
  static let discussion = """
    A text that is not sent is kept as a draft, and is not sent later unless you say so. If it may have been posted \
    all the same, the same command checks before it sends it again. With --queue it is sent later, when a Qwinkle runs.
    """

  func validate() throws {
    if queue, json { throw ValidationError("--json prints what was posted: leave it out with --queue.") }
  }

  /// Posts or queues `entry`, which follows `rules`, with `warning` if there is one, and prints the result after the
  /// word `done`.
  @MainActor
  func post(
    _ entry: Entry, warning: String?, by rules: EntryRules, as thread: ThreadOptions? = nil, with writer: Writer,
    done: String = "Posted"
  ) async throws(AppError) {
    let entry = warned(entry, by: warning)
    if let parts = try await thread?.parts(of: entry, by: rules, toBeQueued: queue, with: writer) {
      return try await post(parts, of: entry, for: rules.purpose, with: writer, done: done)
    }
    if rules.namesNobody(entry) { throw .usage("Not posted. \(EntryProblem.namesNobody.sentence)") }
    try await send(entry, for: rules.purpose, with: writer, done: done, isList: thread?.thread ?? false)
  }

  /// Posts or queues the parts of a thread.
  @MainActor
  private func post(
    _ parts: [Entry], of entry: Entry, for purpose: EntryPurpose, with writer: Writer, done: String
  ) async throws(AppError) {
    let thread = ThreadWriter(writer)
    if queue {
      try await thread.queue(parts, for: purpose)
      return StandardOutput.print("Queued: the next Qwinkle that runs on the account sends its \(parts.count) parts.")
    }
    let qwinks = try await thread.post(parts, of: entry, for: purpose)
    if json { return StandardOutput.print(json: WireEncoder.qwinks(qwinks)) }
    for qwink in qwinks { tell(done, qwink) }
  }

  /// Replaces what `qwink` says by `entry`, which follows `rules`, and prints the result. `warning` replaces the
  /// content warning, an empty one removes it.
  @MainActor
  func edit(
    _ qwink: Qwink, _ entry: Entry, warning: String?, by rules: EntryRules, with writer: Writer
  ) async throws(AppError) {
    let entry = warned(entry, by: warning)
    if rules.namesNobody(entry) { throw .usage("Not edited. \(EntryProblem.namesNobody.sentence)") }
    try await send(entry, for: rules.purpose, with: writer, done: "Edited")
  }

  @MainActor
  private func send(
    _ entry: Entry, for purpose: EntryPurpose, with writer: Writer, done: String, isList: Bool = false
  ) async throws(AppError) {
    guard queue else {
      let qwink = try await writer.send(entry, for: purpose)
      if json, isList { return StandardOutput.print(json: WireEncoder.qwinks([qwink])) }
      return tell(done, qwink)
    }
    try await writer.queue(entry, for: purpose)
    StandardOutput.print("Queued: the next Qwinkle that runs on the account sends it.")
  }

  /// `entry` with `warning`, if that is not nil.
  private func warned(_ entry: Entry, by warning: String?) -> Entry {
    var entry = entry
    if let warning { entry.contentWarning = OwnText.withoutControls(warning, keepsNewlines: false) }
    return entry
  }

  private func tell(_ done: String, _ qwink: Qwink) {
    if json {
      StandardOutput.print(json: WireEncoder.qwink(qwink))
    } else {
      StandardOutput.print("\(done): \(qwink.url ?? qwink.id.rawValue)")
    }
  }
}

/// The option that says who may see a post.
struct AudienceOption: ParsableArguments {
  /// The words that people use: a wire's `private` could be taken for a direct message.
  private static let words: KeyValuePairs<String, Visibility> = [
    "public": .public, "unlisted": .unlisted, "followers": .private, "direct": .direct,
  ]

  @Option(
    help: ArgumentHelp(
      "Who can see it: public, unlisted, followers (your followers) or direct (those it mentions); by default as set in "
        + "your account.", valueName: "who"), completion: .list(words.map(\.key)))
  var visibility: String?

  var isChosen: Bool { visibility != nil }

  func validate() throws {
    guard let visibility, chosen == nil else { return }
    if visibility == "private" {
      throw ValidationError(
        "--visibility private has two meanings: write followers (your followers can see it) or direct (only those "
          + "mentioned can).")
    }
    throw ValidationError("--visibility must be public, unlisted, followers or direct, not “\(visibility)”.")
  }

  private var chosen: Visibility? { visibility.flatMap { word in Self.words.first { $0.key == word }?.value } }

  /// The chosen visibility, or the default of `account`. If that is nil because the server didn't return it, throws
  /// rather than show the post to more people than intended.
  func visibility(for account: OwnAccount?) throws(AppError) -> Visibility {
    if let chosen { return chosen }
    guard let account else {
      throw .failed(
        "Not posted: the server did not return your default visibility. Choose one: --visibility public, unlisted, "
          + "followers or direct.")
    }
    return account.usualVisibility ?? .public
  }
}
