import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// How commands write: each text is a draft on disk before it is sent, and one when it wasn't sent. Nothing is sent
/// after the command, unless it is to be queued.
@MainActor
struct Writer {
  let account: Account
  let store: OutgoingStore

  var connection: AccountConnection { account.connection }

  /// Posts `entry`, or edits with it. What an equal command has left behind is looked for first if it may have arrived.
  ///
  /// - Throws: ``AppError`` that says what failed, whether it may have arrived, and that the text is a draft.
  func send(_ entry: Entry, for purpose: EntryPurpose) async throws(AppError) -> Qwink {
    var outgoing = OutgoingEntry(purpose: purpose.key, entry: entry, subject: purpose.subject)
    if let former = await equal(to: outgoing) { outgoing = former }
    if outgoing.isDoubtful, !purpose.isEdit, account.identity.me == nil {
      do throws(DownloadError) {
        account.identity.setMe(try await connection.answer(to: .ownAccount).qwinker)
      } catch {
        store.release(outgoing.id)
        throw .failed("Not posted: it may be posted already, and that could not be checked. \(error.sentence)")
      }
    }
    let (outcome, isSaved) = await account.posts.sendOnce(outgoing, as: outgoing.entry)
    switch outcome {
    case .posted(let qwink): return qwink
    case .failed(let error), .queued(_, let error?): throw .failed(Self.words(error, purpose, isSaved: isSaved))
    case .notLookedFor(let error):
      throw .failed(
        "\(error?.summary ?? "") It may be posted already, and that could not be checked, so it was not sent again.")
    case .arrivedBefore: throw .failed("An earlier text was posted after all; this one was not sent.")
    case .queued(_, nil): throw .failed("Not posted: another Qwinkle is sending it.")
    }
  }

  /// Gives `entry` to the outbox, from where the next Qwinkle on the account sends it.
  func queue(_ entry: Entry, for purpose: EntryPurpose) async throws(AppError) {
    try await queue(
      OutboxItem(
        OutgoingEntry(
          purpose: purpose.key, entry: entry, subject: purpose.subject, sent: entry, writtenAt: account.clock.now)))
  }

  func queue(_ item: OutboxItem) async throws(AppError) {
    let result = await withCheckedContinuation { continuation in
      store.keep(item) { continuation.resume(returning: $0) }
    }
    if case .failure(let error) = result { throw .failed("Not queued. \(error.sentence)") }
  }

  /// Keeps a text whose files could not be uploaded. Returns a sentence that says where it is.
  func keepDraft(_ entry: Entry, for purpose: EntryPurpose) async -> String {
    let outgoing = OutgoingEntry(purpose: purpose.key, entry: entry, subject: purpose.subject)
    if let former = await equal(to: outgoing) {
      store.release(former.id)
      return Self.way(to: purpose)
    }
    let result = await withCheckedContinuation { continuation in
      store.hold(outgoing.id)
      store.keep(outgoing) { continuation.resume(returning: $0) }
    }
    store.release((try? result.get()) ?? outgoing.id)
    if case .failure = result { return "The text could not be saved as a draft." }
    return Self.way(to: purpose)
  }

  /// The number of a draft in the list of drafts; nil if it is not on disk.
  func number(of draft: OutgoingEntry) async -> Int? {
    await withCheckedContinuation { continuation in
      store.list { saved, _ in
        let number = saved.first { $0.id == draft.id }?.number
        continuation.resume(returning: number.flatMap { $0 > 0 ? $0 : nil })
      }
    }
  }

  /// Forgets what ``keepDraft(_:for:)`` has kept.
  func forgetDraft(_ entry: Entry, for purpose: EntryPurpose) async {
    let outgoing = OutgoingEntry(purpose: purpose.key, entry: entry, subject: purpose.subject)
    guard let former = await equal(to: outgoing) else { return }
    await withCheckedContinuation { continuation in store.forget(former.id) { _ in continuation.resume() } }
  }

  /// The draft that an equal command has left behind, held from now on; nil if there is none.
  private func equal(to entry: OutgoingEntry) async -> OutgoingEntry? {
    guard store.exists else { return nil }
    return await withCheckedContinuation { continuation in
      store.takeEqual(to: entry) { continuation.resume(returning: $0) }
    }
  }

  private static func words(_ error: DownloadError, _ purpose: EntryPurpose, isSaved: Bool) -> String {
    let failed = purpose.isEdit ? "Not saved." : "Not posted."
    let doubt = purpose.isEdit ? "It may have been saved." : "It may have been posted."
    let what = error.mayHaveArrived ? "\(error.summary) \(doubt)" : "\(failed) \(error.sentence)"
    guard isSaved else { return "\(what) The text could not be saved as a draft." }
    let again =
      error.mayHaveArrived && !purpose.isEdit
      ? "The same command checks before it sends it again." : "The same command tries again."
    return "\(what) \(way(to: purpose)) \(again)"
  }

  /// Where the draft is found.
  private static func way(to purpose: EntryPurpose) -> String {
    let key =
      switch purpose {
      case .new: "c"
      case .reply: "r on the original qwink"
      case .edit: "e on the qwink"
      case .message: "p on the recipient"
      case .conversation: "the chat"
      }
    return "The text is a draft: in qwinkle, \(key) opens it."
  }
}
