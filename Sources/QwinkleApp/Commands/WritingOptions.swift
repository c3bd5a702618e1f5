import ArgumentParser
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// The option for a new qwink's content warning.
struct WarningOption: ParsableArguments {
  @Option(help: ArgumentHelp("Add a content warning.", valueName: "text"))
  var warning: String?

  /// The content warning on one line, without control characters.
  var line: String? { warning.map { OwnText.withoutControls($0, keepsNewlines: false) } }
}

/// Options of commands that post or edit.
struct WritingOptions: ParsableArguments {
  @Flag(help: "Print the post as an API entity.")
  var json = false

  @Flag(help: "Queue it; the next Qwinkle that runs on the account sends it.")
  var queue = false

  @Option(
    help: ArgumentHelp(
      "If the server can't be reached or its answer is lost, check whether the post has arrived and resend it, for "
        + "this long.", valueName: "seconds"))
  var retry: Int?

  /// Section of a command's help that explains what happens to a text that can't be sent.
  static let discussion = """
    The text is saved as a draft before anything is sent, and the draft is deleted once the server has the text. A \
    text that was not sent stays a draft, and Qwinkle does not send it by itself. If it may have been posted anyway, \
    the same command checks before it sends it again; with --retry it does so by itself. With --queue the next Qwinkle \
    that runs sends it; that works without a network or a token. If the text was posted and only the output can't be \
    written, the exit status is 0.
    """

  /// Message printed when a text has been queued.
  static let queued = "Queued: the next Qwinkle that runs on the account sends it."

  func validate() throws {
    if queue, json { throw ValidationError("--json prints the new post: leave it out with --queue.") }
    if queue, retry != nil { throw ValidationError("--queue sends it later: leave out --retry.") }
    if let retry, retry < 1 { throw ValidationError("--retry needs a number of seconds, 1 or more.") }
  }

  /// Posts, saves or queues a draft. Then prints `done` with the addresses of the qwinks, or that the draft was queued.
  @MainActor
  func write(
    _ begun: Writer.Draft, extras: ExtrasOptions? = nil, as thread: ThreadOptions? = nil, with writer: Writer,
    done: String = "Posted"
  ) async throws(AppError) {
    var draft = begun
    do throws(Writer.Failure) {
      if queue || thread?.thread == true { try await writer.complete(&draft, with: extras) }
    } catch {
      guard queue, error.mayQueue, extras?.attach.isEmpty ?? true else { throw error.error }
      if let sentence = error.signInSentence { StandardOutput.complain(sentence) }
    }
    if let parts = try await thread?.parts(of: draft, toBeQueued: queue, with: writer) {
      return try await write(parts, of: draft, with: writer, done: done)
    }
    if queue {
      try await writer.drafts.queue(draft, at: writer.account.clock.now)
      return StandardOutput.print(Self.queued)
    }
    let qwink = try await writer.send(draft, with: extras, patience: retry.map { Duration.seconds($0) })
    StandardOutput.target.note(done: done)
    await tell(done, [qwink], isThread: thread?.thread == true, with: writer)
  }

  /// Posts or queues the parts of a thread.
  @MainActor
  private func write(
    _ parts: [Entry], of draft: Writer.Draft, with writer: Writer, done: String
  ) async throws(AppError) {
    let thread = ThreadWriter(writer)
    if queue {
      try await thread.queue(parts, of: draft)
      return StandardOutput.print("Queued: the next Qwinkle that runs on the account sends its \(parts.count) parts.")
    }
    let qwinks = try await thread.post(parts, of: draft)
    StandardOutput.target.note(done: done)
    await tell(done, qwinks, isThread: true, with: writer)
  }

  /// Prints the resulting qwinks. As JSON, prints a single status, or an array if the text was to be posted as a
  /// thread.
  @MainActor
  private func tell(_ done: String, _ qwinks: [Qwink], isThread: Bool, with writer: Writer) async {
    guard json else {
      for qwink in qwinks { StandardOutput.print("\(done): \(qwink.url ?? qwink.id.rawValue)") }
      return
    }
    var entries: [SentItem<Qwink>] = []
    for qwink in qwinks {
      let source = await writer.answers.source(of: qwink, from: writer.connection)
      entries.append((item: qwink, source: source))
    }
    if isThread { return StandardOutput.print(json: SentJSON.array(entries, encoding: WireEncoder.qwinks)) }
    for entry in entries { StandardOutput.print(json: SentJSON.object(entry, encoding: WireEncoder.qwink)) }
  }
}

/// The option for the visibility of a post.
struct AudienceOption: ParsableArguments {
  /// Names of the visibilities on the command line. `followers` replaces the API's `private`, which users could mistake
  /// for a direct message.
  private static let words: KeyValuePairs<String, Visibility> = [
    "public": .public, "unlisted": .unlisted, "followers": .private, "direct": .direct,
  ]

  @Option(
    help: ArgumentHelp(
      "Visibility: public, unlisted, followers (your followers) or direct (users it mentions); by default as set in "
        + "your account.", valueName: "who"), completion: .list(words.map(\.key)))
  var visibility: String?

  func validate() throws {
    guard let visibility, chosen == nil else { return }
    if visibility == "private" {
      throw ValidationError(
        "--visibility private has two meanings: write followers (your followers can see it) or direct (only those "
          + "mentioned can).")
    }
    throw ValidationError("--visibility must be public, unlisted, followers or direct, not “\(visibility)”.")
  }

  /// The chosen visibility, or nil for the account's default.
  var chosen: Visibility? { visibility.flatMap { word in Self.words.first { $0.key == word }?.value } }
}
