import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// Options of commands that can post a long text as a thread.
struct ThreadOptions: ParsableArguments {
  @Flag(help: "Post a text that is too long as a thread, split between sentences; --json prints an array then.")
  var thread = false

  @Flag(help: "With --thread, end each part with its number: (2/5).")
  var numbered = false

  func validate() throws {
    if numbered, !thread { throw ValidationError("--numbered numbers the parts of a thread: add --thread.") }
  }

  /// The parts that `entry` is posted as, by what the server takes; nil if it is posted as it is. If it is to be
  /// queued, a server that can't be asked is taken to be like most.
  @MainActor
  func parts(
    of entry: Entry, by rules: EntryRules, toBeQueued isQueued: Bool, with writer: Writer
  ) async throws(AppError) -> [Entry]? {
    guard thread else { return nil }
    if rules.namesNobody(entry) { throw .usage("Not posted. \(EntryProblem.namesNobody.sentence)") }
    var limits = ServerInfo.Limits()
    do throws(DownloadError) {
      limits = try await writer.connection.answer(to: .serverInfo).limits
    } catch {
      guard isQueued else {
        throw .failed("Not posted. \(error.sentence) \(await writer.keepDraft(entry, for: rules.purpose))")
      }
    }
    guard let parts = rules.thread(of: entry, numbered: numbered, limits: limits) else {
      throw .usage("Not posted: the text can't be split into at most \(ThreadSplitter.mostParts) qwinks.")
    }
    return parts.count > 1 ? parts : nil
  }
}
