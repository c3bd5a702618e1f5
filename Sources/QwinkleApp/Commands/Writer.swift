import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore

/// How commands write: a text is a draft on disk before the first request, and stays one unless it was sent or queued.
/// Nothing is sent after the command, unless it is to be queued.
@MainActor
struct Writer {
  /// A text of a command.
  struct Draft {
    var outgoing: OutgoingEntry
    /// The rules that the entry follows; nil until the server has answered.
    var rules: EntryRules?
    var isSaved = false
    /// Whether an equal command has left it.
    var isFormer = false
    /// Whether poll and files were checked and uploaded.
    var hasExtras = false
    /// Whether others can take it now.
    var isReleased = false
  }

  /// A failed attempt to send a text.
  struct Failure: Error {
    /// The failure, whether the text may have arrived, and where the draft is.
    var error: AppError
    /// Whether the same may succeed later by itself.
    var mayPass = false
    /// Whether the entry can be queued unchanged.
    var mayQueue = false
    /// The wait that the server asks for.
    var retryAfter: Duration?
  }

  let account: Account
  let store: OutgoingStore

  var connection: AccountConnection { account.connection }

  // MARK: Saving

  /// Saves a text, or adopts the draft that an equal command has left behind. Sends no requests.
  func begin(_ given: GivenEntry) async throws(AppError) -> Draft {
    let draft: Draft
    if let former = await former(of: given) {
      draft = Draft(outgoing: former, isSaved: true, isFormer: true)
    } else {
      draft = await save(Draft(outgoing: OutgoingEntry(given, idempotencyKey: UUID().uuidString)))
    }
    // Any other visibility depends on the server's answers.
    if case .new = given.target, given.visibility == .direct,
      EntryRules(.new, me: nil).namesNobody(draft.outgoing.entry)
    {
      throw error("Not posted. \(EntryProblem.namesNobody.sentence)", of: draft, isUsage: true)
    }
    return draft
  }

  func save(_ draft: Draft) async -> Draft {
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

  /// Deletes a draft whose text was sent in another way.
  func forget(_ draft: Draft) async {
    await withCheckedContinuation { continuation in store.forget(draft.outgoing.id) { _ in continuation.resume() } }
  }

  /// Claims a draft again after an attempt to send it. Returns false if it is open elsewhere or no longer exists.
  func takeAgain(_ draft: inout Draft) async -> Bool {
    guard draft.isReleased, draft.isSaved, let given = draft.outgoing.given else { return true }
    guard let outgoing = await former(of: given) else { return false }
    draft.outgoing = outgoing
    draft.isReleased = false
    return true
  }

  /// The draft that an equal command has left behind, if any. It is held from now on.
  private func former(of given: GivenEntry) async -> OutgoingEntry? {
    guard store.exists else { return nil }
    return await withCheckedContinuation { continuation in
      store.takeDraft(of: given) { continuation.resume(returning: $0) }
    }
  }

  /// A draft with the same words for the same purpose, if any. It is held from now on.
  private func equal(to outgoing: OutgoingEntry) async -> OutgoingEntry? {
    await withCheckedContinuation { continuation in
      store.takeEqual(to: outgoing) { continuation.resume(returning: $0) }
    }
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

  // MARK: Completing

  /// Completes the draft with the server's answers, and uploads its files.
  func complete(_ draft: inout Draft, with extras: ExtrasOptions?) async throws(Failure) {
    if draft.rules == nil { try await resolve(&draft) }
    guard let extras, extras.needServer, !draft.hasExtras else { return }
    let limits = (try? await connection.answer(to: .serverInfo).limits) ?? ServerInfo.Limits()
    if let poll = draft.outgoing.entry.poll, let refusal = limits.polls.refusal(of: poll) {
      throw Failure(error: error("Not posted. \(refusal)", of: draft, isUsage: true))
    }
    guard extras.attach.count <= limits.attachments else {
      let what = "Not posted: the server takes \(limits.attachments) files, not \(extras.attach.count)."
      throw Failure(error: error(what, of: draft, isUsage: true))
    }
    if draft.outgoing.entry.attachmentIDs.isEmpty {
      do throws(AttachmentError) {
        draft.outgoing.entry.attachmentIDs = try await extras.upload(by: connection, limits: limits.uploads)
      } catch {
        var failure = Failure(error: self.error("Not posted: \(error.sentence)", of: draft))
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
    // An entry that may have arrived stays unchanged, so that it can be found on the server.
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
    guard !draft.isFormer, let equal = await equal(to: draft.outgoing) else { return }
    // An earlier version, or a person, has left it.
    store.forget(draft.outgoing.id)
    let command = draft.outgoing.given
    draft.outgoing = equal
    draft.outgoing.given = command
    draft.isSaved = true
    draft.isFormer = true
  }

  private func failure(_ error: ResolvingError, of draft: Draft) -> Failure {
    var what = "\(draft.isEdit ? "Not saved." : "Not posted.") \(error.sentence)"
    if case .noAudience = error { what += " Add --visibility public, unlisted, followers or direct." }
    switch error {
    case .namesNobody, .notFound(.noAddress): return Failure(error: self.error(what, of: draft, isUsage: true))
    default: break
    }
    guard let download = error.download, download.mayPass else { return Failure(error: self.error(what, of: draft)) }
    return Failure(
      error: self.error(what, of: draft, next: Self.again), mayPass: !download.needsSignIn, mayQueue: true,
      retryAfter: download.retryAfter)
  }

  // MARK: Queueing

  /// Saves a text to the outbox. The next Qwinkle on the account sends it. If the server doesn't answer now, that
  /// Qwinkle also requests the missing data.
  func queue(_ draft: Draft) async throws(AppError) {
    do throws(AppError) {
      try await queue(account.posts.item(for: draft.outgoing, as: draft.outgoing.entry))
    } catch {
      throw draft.isSaved ? self.error(error.sentence, of: draft) : error
    }
  }

  func queue(_ item: OutboxItem) async throws(AppError) {
    let result = await withCheckedContinuation { continuation in
      store.keep(item) { continuation.resume(returning: $0) }
    }
    if case .failure(let error) = result { throw .failed("Not queued. \(error.sentence)") }
    StandardOutput.target.note(done: "Queued")
  }

  // MARK: Words

  static let again = "The same command tries again."

  /// An error with the failure and the place of the text. `next` is the advice if the text is saved.
  func error(_ what: String, of draft: Draft, isUsage: Bool = false, next: String? = nil) -> AppError {
    let place = draft.isSaved ? Self.place(of: draft.outgoing) : "The text could not be saved as a draft."
    let sentence = [what, place, draft.isSaved ? next : nil].compactMap(\.self).joined(separator: " ")
    return isUsage ? .usage(sentence) : .failed(sentence)
  }

  /// A sentence with the place of a draft.
  private static func place(of outgoing: OutgoingEntry) -> String {
    let key: String? =
      switch EntryPurpose.Kind(key: outgoing.purpose) {
      // Its id is unknown.
      case .reply(let id) where id.rawValue.contains("://"): nil
      case .edit(let id) where id.rawValue.contains("://"): nil
      case .new: "c"
      case .reply: "r on the original qwink"
      case .edit: "e on the qwink"
      case .message: "p on the recipient"
      case .conversation: "the chat"
      case nil: nil
      }
    return "The text is a draft: in qwinkle, \(key.map { "\($0) opens it." } ?? "gd lists it.")"
  }
}

extension Writer.Draft {
  var isEdit: Bool { OutboxItem.Kind(ofPurpose: outgoing.purpose) == .edit }
}
