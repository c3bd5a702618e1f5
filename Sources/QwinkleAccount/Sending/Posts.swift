public import QwinkleModel
public import QwinkleService
public import QwinkleStore
import Timekeeping

/// The result of sending an entry, for a writer who waits for it.
public enum PostOutcome: Sendable {
  /// The entry was posted, by this attempt or an earlier one.
  case posted(Qwink)
  /// The entry is in the outbox and will be sent automatically. The error is the reason for the delay, or nil if other
  /// items must be sent first.
  case queued(OutboxItem, DownloadError?)
  /// The entry was not posted. It is a draft.
  case failed(DownloadError)
  /// The entry may have arrived before and can't be searched for, so it was not sent again.
  case notLookedFor(DownloadError?)
  /// An earlier text of the entry had reached the server, although its attempt seemed to fail. The current text was not
  /// sent.
  case arrivedBefore(Qwink)
}

/// The result of a command's single attempt to send an entry.
public struct SingleAttempt: Sendable {
  public var outcome: PostOutcome
  /// The entry, updated with the result of the attempt.
  public var entry: OutgoingEntry
  /// Whether the entry was saved before it was sent.
  public var isSaved: Bool
}

/// Posting, editing and deleting qwinks through the outbox.
@MainActor
public final class Posts {
  let connection: AccountConnection
  private let timelines: Timelines
  let outbox: Outbox
  let held: PendingActions
  let undoHistory: UndoHistory
  /// The parts of undoable threads, by the idempotency key of the whole text. Parts of discarded threads remain,
  /// because the user can restore them.
  var heldParts: [String: [Entry]] = [:]
  /// A command waiting for the result of its only attempt.
  private var single: CheckedContinuation<SingleAttempt, Never>?
  private var isSingleSaved = false

  init(
    _ connection: AccountConnection, timelines: Timelines, outbox: Outbox, held: PendingActions,
    undoHistory: UndoHistory
  ) {
    self.connection = connection
    self.timelines = timelines
    self.outbox = outbox
    self.held = held
    self.undoHistory = undoHistory
    outbox.setHandler(self, of: .post, .reply, .edit, .message, .delete)
  }

  // MARK: Posting

  /// Adds `outgoing` to the outbox, to be sent as `entry`. Observers are notified of the result of the first attempt.
  /// If the server rejects the entry, the entry becomes a draft again.
  public func send(_ outgoing: OutgoingEntry, as entry: Entry) {
    undoHistory.remember(.final(Self.name(of: outgoing, as: entry)))
    outbox.send(item(for: outgoing, as: entry), isAttended: true)
  }

  /// Adds the parts of a thread to the outbox, replacing the draft `outgoing`. The first part gets the draft's purpose.
  /// If the parts can't be saved, `saved` receives the error and none of them is sent.
  public func send(
    thread parts: [Entry], insteadOf outgoing: OutgoingEntry,
    saved: @escaping @MainActor @Sendable (StoreError?) -> Void
  ) {
    undoHistory.remember(.final(Self.name(of: outgoing, as: parts.first ?? outgoing.entry)))
    outbox.send(thread: items(for: parts, insteadOf: outgoing), insteadOf: outgoing.id, saved: saved)
  }

  /// Returns the name of the action that sends an entry, for ``Account/undo()``.
  private static func name(of outgoing: OutgoingEntry, as entry: Entry) -> String {
    if case .edit? = outgoing.kind { return "Editing" }
    return PendingActions.Kind.sending(entry).name
  }

  /// Returns the outbox items for the parts of a thread.
  public func items(for parts: [Entry], insteadOf outgoing: OutgoingEntry) -> [OutboxItem] {
    let now = connection.clock.now
    let entries = parts.enumerated().map { index, part in
      OutgoingEntry(
        purpose: index == 0 ? outgoing.purpose : EntryPurpose.new.key, entry: part,
        attempts: index == 0 ? outgoing.attempts : [], subject: index == 0 ? outgoing.subject : nil,
        files: part.attachmentIDs.isEmpty ? nil : outgoing.files, sent: part, writtenAt: now)
    }
    var items = OutboxItem.thread(of: entries)
    // If an earlier attempt may have arrived, it is searched for before the first part is sent.
    if let first = items.first?.entry { items[0] = item(for: first, as: first.entry) }
    return items
  }

  /// Returns the outbox item that sends `outgoing` as `entry`.
  public func item(for outgoing: OutgoingEntry, as entry: Entry) -> OutboxItem {
    OutboxItem(outgoing, sending: entry, at: connection.clock.now)
  }

  /// Tries once to send `outgoing`, for a command. If that fails, the entry is saved as a draft and isn't sent later.
  public func sendOnce(_ outgoing: OutgoingEntry, as entry: Entry) async -> SingleAttempt {
    await withCheckedContinuation { continuation in
      single = continuation
      outbox.sendOnce(item(for: outgoing, as: entry)) { [weak self] in self?.isSingleSaved = $0 == nil }
    }
  }

  private func tell(_ outcome: PostOutcome, of entry: OutgoingEntry) {
    single?.resume(returning: SingleAttempt(outcome: outcome, entry: entry.asDraft, isSaved: isSingleSaved))
    single = nil
    connection.observers.forEach { $0.posts(self, didSend: entry, outcome) }
  }

  // MARK: Deleting

  /// Deletes one of the user's qwinks.
  public func delete(_ qwink: Qwink) {
    let change = OutgoingChange(.delete, of: timelines.currentID(of: qwink).rawValue, title: qwink.outboxTitle)
    guard !outbox.items.contains(where: { $0.purpose == change.key && $0.state != .failed }) else { return }
    outbox.send(OutboxItem(change))
  }

  /// Handles a refused deletion. If the server may not support deletion, checks whether the qwink still exists, because
  /// such a server may respond as if it didn't.
  private func didFailToDelete(_ id: Qwink.ID, with refusal: DownloadError) {
    guard refusal.mayMeanUndeletable else { return tellNotDeleted(refusal) }
    connection.ask(.qwink(id), as: .deletion) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success:
        // "Not found" may apply to this qwink alone, so it doesn't show that the server lacks deletion.
        if case .notFound = refusal {} else { connection.abilities.note(.deletion, false) }
        connection.observers.forEach { $0.posts(self, cannotDelete: id, because: refusal) }
      // Deleted by this request, or by an earlier one whose response was lost.
      case .failure(.notFound): didDelete(id)
      case .failure(let error): tellNotDeleted(error)
      }
    }
  }

  /// Removes a qwink that the server has deleted from all lists, and turns its queued edits into drafts.
  func didDelete(_ id: Qwink.ID) {
    timelines.remove(id)
    outbox.makeDrafts(ofEditsOf: id)
    connection.observers.forEach { $0.posts(self, didDelete: id) }
  }

  private func tellNotDeleted(_ error: DownloadError) {
    guard !error.isCancelled else { return }
    connection.observers.forEach { $0.account(didFail: FeedFailure(FailureWords.deleting, error)) }
  }
}

extension Posts: OutboxHandler {
  func outbox(_ outbox: Outbox, didSend item: OutboxItem, as answer: OutboxAnswer) {
    switch (item.content, answer) {
    case (.entry(let entry), .qwink(let qwink)):
      if case .edit(let id)? = entry.kind {
        timelines.mergeEdit(qwink, insteadOf: id)
      } else {
        timelines.insertOwn(qwink)
      }
      connection.observers.forEach { $0.posts(self, didPost: qwink, from: entry.sent ?? entry.entry) }
      noteQuoteSupport(in: qwink, from: entry.sent ?? entry.entry)
      tell(.posted(qwink), of: entry)
      connection.tell(entry.differences(in: qwink))
    case (.change(let change), _): didDelete(Qwink.ID(change.target))
    default: break
    }
  }

  /// Records whether the server stored the quote of an entry. Servers without quotes ignore it.
  private func noteQuoteSupport(in qwink: Qwink, from entry: Entry) {
    if entry.quotedID != nil { connection.abilities.note(.quotes, qwink.quote != nil) }
  }

  func outbox(_ outbox: Outbox, didNotSend item: OutboxItem, _ ending: OutboxEnding, isAttended: Bool) {
    guard let entry = item.entry else {
      guard let change = item.change, case .refused(let error) = ending else { return }
      return didFailToDelete(Qwink.ID(change.target), with: error)
    }
    guard case .refused(let error) = ending, case .edit(let id)? = entry.kind else {
      return tellNotSent(item, entry, ending, isAttended: isAttended)
    }
    connection.explain(error, by: AbilityNeed(.edits, of: id)) { [weak self] in
      self?.tellNotSent(item, entry, .refused($0), isAttended: isAttended)
    }
  }

  private func tellNotSent(
    _ item: OutboxItem, _ entry: OutgoingEntry, _ ending: OutboxEnding, isAttended: Bool
  ) {
    if case .refused(let error) = ending {
      connection.observers.forEach { $0.posts(self, didFailToPost: entry.sent ?? entry.entry, with: error) }
    }
    guard isAttended else { return }
    switch ending {
    case .waits(let error): tell(.queued(item, error), of: entry)
    case .refused(let error): tell(.failed(error), of: entry)
    case .notLookedFor(let error): tell(.notLookedFor(error), of: entry)
    case .arrivedBefore(let qwink): tell(.arrivedBefore(qwink), of: entry)
    }
  }
}

extension Qwink {
  /// The beginning of the text, for lists.
  var outboxTitle: String { String(original.text.plainText.prefix(80)) }
}

extension DownloadError {
  /// Whether the server may not support deletion.
  fileprivate var mayMeanUndeletable: Bool {
    switch self {
    case .notFound: true
    case .unexpectedStatus(_, let status): status == 405
    case .serverFailed(_, let status): status == 501
    default: false
    }
  }
}
