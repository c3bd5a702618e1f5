import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// Options of commands that can post a long text as a thread.
struct ThreadOptions: ParsableArguments {
  @Flag(help: "Post a text that is too long as a thread, split between sentences; --json prints an array then.")
  var thread = false

  @Flag(help: "With --thread, end each part with its number: (2/5).")
  var numbered = false

  func validate() throws {
    if numbered, !thread { throw ValidationError("--numbered numbers the parts of a thread: add --thread.") }
  }

  /// These options as text. They are saved with the draft, so that an identical command can be recognized later.
  var given: [String] { thread ? ["--thread"] + (numbered ? ["--numbered"] : []) : [] }

  /// Splits a draft into the parts of a thread, according to the server's limits. Returns nil if no thread was
  /// requested, if the text fits into a single qwink, or if the outbox will split it later. If the limits can't be
  /// fetched, uses the usual limits if `isQueued` is true, and throws otherwise.
  @MainActor
  func parts(
    of draft: Writer.Draft, toBeQueued isQueued: Bool, with writer: Writer
  ) async throws(AppError) -> [Entry]? {
    // An open draft lacks its mentions and its content warning, which count toward the length. The outbox splits it
    // later.
    guard thread, !draft.outgoing.isOpen else { return nil }
    var limits = ServerInfo.Limits()
    do throws(DownloadError) {
      limits = try await writer.connection.answer(to: .serverInfo).limits
    } catch {
      guard isQueued else {
        throw draft.error("Not posted. \(error.sentence)", next: Writer.again)
      }
    }
    let rules = draft.rules ?? EntryRules(.new, me: nil)
    guard let parts = rules.thread(of: draft.outgoing.entry, numbered: numbered, limits: limits) else {
      throw draft.error(
        "Not posted: the text can't be split into at most \(ThreadSplitter.mostParts) posts.", isUsage: true)
    }
    return parts.count > 1 ? parts : nil
  }
}
