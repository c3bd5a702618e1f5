import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore

/// Saves the texts given to commands as drafts. Needs neither the server nor the account's token.
@MainActor
struct CommandDrafts {
  let store: OutgoingStore

  /// Saves a text as a draft. If an earlier identical command left a draft, claims that draft (reserves it for this
  /// process) and returns it instead.
  func begin(_ given: GivenEntry) async throws(AppError) -> Writer.Draft {
    let draft: Writer.Draft
    if let former = await former(of: given) {
      draft = Writer.Draft(outgoing: former, isSaved: true, isFormer: true)
    } else {
      draft = await save(Writer.Draft(outgoing: OutgoingEntry(given, idempotencyKey: UUID().uuidString)))
    }
    // Reject a direct qwink that mentions no user. Only a new qwink with an explicit visibility can be checked without
    // data from the server.
    if case .new = given.target, given.visibility == .direct,
      EntryRules(.new, me: nil).namesNobody(draft.outgoing.entry)
    {
      throw draft.error("Not posted. \(EntryProblem.namesNobody.sentence)", isUsage: true)
    }
    return draft
  }

  func save(_ draft: Writer.Draft) async -> Writer.Draft {
    let outgoing = draft.outgoing
    store.holdOnce(outgoing.id)
    let result = await withCheckedContinuation { continuation in
      store.keep(outgoing) { continuation.resume(returning: $0) }
    }
    var saved = draft
    saved.outgoing.id = (try? result.get()) ?? outgoing.id
    saved.isSaved = (try? result.get()) != nil
    return saved
  }

  /// Deletes a draft that is no longer needed, because the server has scheduled its text.
  func forget(_ draft: Writer.Draft) async {
    await withCheckedContinuation { continuation in store.forget(draft.outgoing.id) { _ in continuation.resume() } }
  }

  // MARK: Queueing

  /// Saves a text to the outbox with `date` as the time of writing. The next Qwinkle that runs on the account fetches
  /// any missing data and sends the text.
  func queue(_ draft: Writer.Draft, at date: Date) async throws(AppError) {
    do throws(AppError) {
      try await queue(OutboxItem(draft.outgoing, sending: draft.outgoing.entry, at: date))
    } catch {
      throw draft.isSaved ? draft.error(error.sentence) : error
    }
  }

  func queue(_ item: OutboxItem) async throws(AppError) {
    let result = await withCheckedContinuation { continuation in
      store.keep(item) { continuation.resume(returning: $0) }
    }
    if case .failure(let error) = result { throw .failed("Not queued. \(error.sentence)") }
    StandardOutput.target.note(done: "Queued")
  }

  // MARK: Claiming

  /// Claims a draft again if a failed attempt to send it has released it. Returns false if the draft is open elsewhere
  /// or no longer exists.
  func takeAgain(_ draft: inout Writer.Draft) async -> Bool {
    guard draft.isReleased, draft.isSaved, let given = draft.outgoing.given else { return true }
    guard let outgoing = await former(of: given) else { return false }
    draft.outgoing = outgoing
    draft.isReleased = false
    return true
  }

  /// Claims and returns a draft with the same content and purpose as `outgoing`, if any. The purpose is, for example, a
  /// reply to a certain qwink.
  func equal(to outgoing: OutgoingEntry) async -> OutgoingEntry? {
    await withCheckedContinuation { continuation in
      store.takeEqual(to: outgoing) { continuation.resume(returning: $0) }
    }
  }

  /// Claims and returns the draft of an earlier identical command, if any.
  private func former(of given: GivenEntry) async -> OutgoingEntry? {
    guard store.exists else { return nil }
    return await withCheckedContinuation { continuation in
      store.takeDraft(of: given) { continuation.resume(returning: $0) }
    }
  }
}
