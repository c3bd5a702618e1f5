import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore

/// Sends the texts given to commands. A text is saved as a draft before the first request, and the draft remains until
/// the text is sent or queued. After the command has ended, other running Qwinkles send its text only if the text is
/// queued.
@MainActor
struct Writer {
  struct Draft {
    var outgoing: OutgoingEntry
    /// The rules for this entry (the post being written). Nil until the data they need has been fetched from the
    /// server.
    var rules: EntryRules?
    var isSaved = false
    /// Whether an earlier identical command left this draft.
    var isFormer = false
    /// Whether the poll has been checked and the files have been uploaded.
    var hasExtras = false
    /// Whether the claim on the draft was released, so that other processes can claim it.
    var isReleased = false
  }

  /// A failed attempt to send a text.
  struct Failure: Error {
    /// States the failure, whether the text may have arrived, and where the draft is.
    var error: AppError
    /// Whether a retry may succeed without any change.
    var mayPass = false
    /// Whether the text can be queued although the data from the server is missing.
    var mayQueue = false
    /// The failure and the advice, without the location of the draft. Set only if the user must sign in.
    var signInSentence: String?
    /// Delay that the server requested.
    var retryAfter: Duration?
  }

  let account: Account
  let drafts: CommandDrafts
  /// Collects the JSON of the server's responses, for `--json`.
  let answers = SentAnswers()

  var store: OutgoingStore { drafts.store }
  var connection: AccountConnection { account.connection }

  /// Returns the number of a draft in the list of drafts, or nil if it isn't saved.
  func number(of draft: OutgoingEntry) async -> Int? {
    await withCheckedContinuation { continuation in
      store.list { saved, _ in
        let number = saved.first { $0.id == draft.id }?.number
        continuation.resume(returning: number.flatMap { $0 > 0 ? $0 : nil })
      }
    }
  }

  // MARK: Completing

  /// Completes the draft with data from the server, checks its poll and uploads its files. Skips steps that are already
  /// done.
  func complete(_ draft: inout Draft, with extras: ExtrasOptions?) async throws(Failure) {
    if draft.rules == nil { try await resolve(&draft) }
    guard let extras, extras.needServer, !draft.hasExtras else { return }
    let limits = (try? await connection.answer(to: .serverInfo).limits) ?? ServerInfo.Limits()
    if let poll = draft.outgoing.entry.poll, let refusal = limits.polls.refusal(of: poll) {
      throw Failure(error: draft.error("Not posted. \(refusal)", isUsage: true))
    }
    guard extras.attach.count <= limits.attachments else {
      let what = "Not posted: the server takes \(limits.attachments) files, not \(extras.attach.count)."
      throw Failure(error: draft.error(what, isUsage: true))
    }
    if draft.outgoing.entry.attachmentIDs.isEmpty {
      do throws(AttachmentError) {
        draft.outgoing.entry.attachmentIDs = try await extras.upload(by: connection, limits: limits.uploads)
        if draft.outgoing.entry.visibility != .direct { extras.remindOfDescriptions() }
      } catch {
        var failure = Failure(error: draft.error("Not posted: \(error.sentence)"))
        if case .notSent(_, let download) = error {
          failure.mayPass = download.mayPass && !download.needsSignIn
          failure.retryAfter = download.retryAfter
        }
        throw failure
      }
    }
    draft.hasExtras = true
  }

  private func resolve(_ draft: inout Draft) async throws(Failure) {
    guard let given = draft.outgoing.given else { return }
    // If an earlier attempt may have arrived, don't change the entry: a check compares it with the user's qwinks to
    // find out whether it has.
    if draft.outgoing.isDoubtful, !given.isOpen, let purpose = EntryPurpose(of: draft.outgoing) {
      draft.rules = EntryRules(purpose, me: nil)
      draft.hasExtras = true
      return
    }
    do throws(ResolvingError) {
      let resolved = try await connection.resolve(given, idempotencyKey: draft.outgoing.entry.idempotencyKey)
      draft.rules = resolved.rules
      draft.outgoing = draft.outgoing.resolved(as: resolved)
    } catch {
      throw failure(error, of: draft)
    }
    guard !draft.isFormer, let equal = await drafts.equal(to: draft.outgoing) else { return }
    // Use the equal draft, which an earlier version of Qwinkle or the screen has saved, and delete the new one.
    store.forget(draft.outgoing.id)
    let command = draft.outgoing.given
    draft.outgoing = equal
    draft.outgoing.given = command
    draft.isSaved = true
    draft.isFormer = true
  }

  private func failure(_ error: ResolvingError, of draft: Draft) -> Failure {
    var what = "\(draft.notSent) \(error.sentence)"
    if case .noAudience = error { what += " Add --visibility public, unlisted, followers or direct." }
    switch error {
    case .namesNobody, .notFound(.noAddress): return Failure(error: draft.error(what, isUsage: true))
    default: break
    }
    guard let download = error.download, download.mayPass else { return Failure(error: draft.error(what)) }
    return Failure(
      error: draft.error(what, next: Self.again), mayPass: !download.needsSignIn, mayQueue: true,
      signInSentence: download.needsSignIn ? download.sentence : nil, retryAfter: download.retryAfter)
  }

  /// Advice after a failure that may be temporary.
  static let again = "The same command tries again."
}

extension Writer.Draft {
  var isEdit: Bool { OutboxItem.Kind(ofPurpose: outgoing.purpose) == .edit }

  /// Whether the outbox can do all remaining work. It doesn't upload files, and splits a thread only if the text still
  /// lacks data from the server.
  var mayQueueAsGiven: Bool {
    guard let given = outgoing.given else { return true }
    return given.files.isEmpty && (given.isOpen || !given.isThread)
  }

  /// First sentence of an error about a text that was not sent.
  var notSent: String { isEdit ? "Not saved." : "Not posted." }

  /// Returns an error that states the failure `what` and where the text is. Appends the advice `next` if the text is
  /// saved.
  func error(_ what: String, isUsage: Bool = false, next: String? = nil) -> AppError {
    let sentence = [what, isSaved ? Self.place : "The text could not be saved as a draft.", isSaved ? next : nil]
      .compactMap(\.self).joined(separator: " ")
    return isUsage ? .usage(sentence) : .failed(sentence)
  }

  /// A sentence that explains how to open the draft in the client.
  private static let place = "The text is a draft: in qwinkle, :drafts opens it."
}
