public import QwinkleModel
public import QwinkleService
public import QwinkleStore
import Timekeeping

/// How giving an entry to the outbox ended, as far as its writer waits for that.
public enum PostOutcome: Sendable {
  /// It was posted, now or before.
  case posted(Qwink)
  /// It waits in the outbox and is sent by itself. `error` is why it wasn't at once; nil: others go first.
  case queued(OutboxItem, DownloadError?)
  /// It was not posted. It is a draft.
  case failed(DownloadError)
  /// It may have arrived before and can't be looked for, so it was not sent again.
  case notLookedFor(DownloadError?)
  /// An earlier text of it, thought lost, had arrived. This one was not sent.
  case arrivedBefore(Qwink)
}

/// The result of a command's single attempt to send an entry.
public struct SingleAttempt: Sendable {
  public var outcome: PostOutcome
  /// The entry, updated with the result of the attempt.
  public var entry: OutgoingEntry
  /// Whether it was on disk before it was sent.
  public var isSaved: Bool
}

/// Posting, editing and deleting, through the outbox.
@MainActor
public final class Posts {
  let connection: AccountConnection
  private let timelines: Timelines
  let outbox: Outbox
  let held: HeldActs
  let undoHistory: UndoHistory
  /// The parts of held threads, by the key of the whole. Discarded ones stay, as they can be put back.
  var heldParts: [String: [Entry]] = [:]
  /// A command that waits for the outcome.
  private var single: CheckedContinuation<SingleAttempt, Never>?
  private var isSingleSaved = false

  init(
    _ connection: AccountConnection, timelines: Timelines, outbox: Outbox, held: HeldActs, undoHistory: UndoHistory
  ) {
    self.connection = connection
    self.timelines = timelines
    self.outbox = outbox
    self.held = held
    self.undoHistory = undoHistory
    outbox.setHandler(self, of: .post, .reply, .edit, .message, .delete)
  }

  // MARK: Posting

  /// Gives `outgoing` to the outbox, with `entry` as what the server gets. Observers hear how the first attempt ends;
  /// if the server refuses it, it is a draft again.
  public func send(_ outgoing: OutgoingEntry, as entry: Entry) {
    undoHistory.remember(.final(Self.name(of: outgoing, as: entry)))
    outbox.send(item(for: outgoing, as: entry), isAttended: true)
  }

  /// Gives the parts of a thread to the outbox, in place of the draft `outgoing`, whose purpose the first part has.
  /// `saved` gets the error if they can't be saved: then none of them is sent.
  public func send(
    thread parts: [Entry], insteadOf outgoing: OutgoingEntry,
    saved: @escaping @MainActor @Sendable (StoreError?) -> Void
  ) {
    undoHistory.remember(.final(Self.name(of: outgoing, as: parts.first ?? outgoing.entry)))
    outbox.send(thread: items(for: parts, insteadOf: outgoing), insteadOf: outgoing.id, saved: saved)
  }

  /// The name of sending an entry, for ``Account/undo()``.
  private static func name(of outgoing: OutgoingEntry, as entry: Entry) -> String {
    if EntryPurpose.qwinkEdited(byKey: outgoing.purpose) != nil { return "Editing" }
    return HeldActs.Kind.sending(entry).name
  }

  /// The items for the parts of a thread.
  public func items(for parts: [Entry], insteadOf outgoing: OutgoingEntry) -> [OutboxItem] {
    let now = connection.clock.now
    let entries = parts.enumerated().map { index, part in
      OutgoingEntry(
        purpose: index == 0 ? outgoing.purpose : EntryPurpose.new.key, entry: part,
        attempts: index == 0 ? outgoing.attempts : [], subject: index == 0 ? outgoing.subject : nil,
        files: part.attachmentIDs.isEmpty ? nil : outgoing.files, sent: part, writtenAt: now)
    }
    var items = OutboxItem.thread(of: entries)
    // What may have arrived is looked for before the first is sent.
    if let first = items.first?.entry { items[0] = item(for: first, as: first.entry) }
    return items
  }

  /// The item for `outgoing`, with `entry` as what the server gets.
  public func item(for outgoing: OutgoingEntry, as entry: Entry) -> OutboxItem {
    OutboxItem(outgoing, sending: entry, at: connection.clock.now)
  }

  /// Tries once to send `outgoing`, for a command. An entry that was not sent is a draft, and nothing sends it later.
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

  /// Deletes one's own qwink.
  public func delete(_ qwink: Qwink) {
    let change = OutgoingChange(.delete, of: timelines.currentID(of: qwink).rawValue, title: qwink.outboxTitle)
    guard !outbox.items.contains(where: { $0.purpose == change.key && $0.state != .failed }) else { return }
    outbox.send(OutboxItem(change))
  }

  /// Asks whether the qwink is still there: a server that can't delete answers as if it weren't.
  private func didFailToDelete(_ id: Qwink.ID, with refusal: DownloadError) {
    guard refusal.mayMeanUndeletable else { return tellNotDeleted(refusal) }
    connection.ask(.qwink(id), as: .deletion) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success:
        // "Not found" may be about this qwink alone.
        if case .notFound = refusal {} else { connection.abilities.note(.deletion, false) }
        connection.observers.forEach { $0.posts(self, cannotDelete: id, because: refusal) }
      // Deleted by this request, or by an earlier one whose answer was lost.
      case .failure(.notFound): didDelete(id)
      case .failure(let error): tellNotDeleted(error)
      }
    }
  }

  /// Takes a qwink that the server has deleted out of all lists, and its edits out of the outbox.
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
      if let id = EntryPurpose.qwinkEdited(byKey: entry.purpose) {
        timelines.takeInEdited(qwink, insteadOf: id)
      } else {
        timelines.takeInOwn(qwink)
      }
      connection.observers.forEach { $0.posts(self, didPost: qwink, from: entry.sent ?? entry.entry) }
      tell(.posted(qwink), of: entry)
      connection.tell(entry.differences(in: qwink))
    case (.change(let change), _): didDelete(Qwink.ID(change.target))
    default: break
    }
  }

  func outbox(_ outbox: Outbox, didNotSend item: OutboxItem, _ ending: OutboxEnding, isAttended: Bool) {
    guard let entry = item.entry else {
      guard let change = item.change, case .refused(let error) = ending else { return }
      return didFailToDelete(Qwink.ID(change.target), with: error)
    }
    guard case .refused(let error) = ending, let id = EntryPurpose.qwinkEdited(byKey: entry.purpose) else {
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
  /// The beginning of its text, for lists.
  var outboxTitle: String { String(original.text.plainText.prefix(80)) }
}

extension DownloadError {
  /// Whether the server may not know the call for deleting.
  fileprivate var mayMeanUndeletable: Bool {
    switch self {
    case .notFound: true
    case .unexpectedStatus(_, let status): status == 405
    case .serverFailed(_, let status): status == 501
    default: false
    }
  }
}
