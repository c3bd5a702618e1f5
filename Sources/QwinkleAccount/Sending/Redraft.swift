import FoundationEssentials
public import QwinkleModel
public import QwinkleService
public import QwinkleStore

/// One's own qwink that was deleted to be written again.
public struct Redraft: Sendable {
  /// What the draft is for.
  public var purpose: EntryPurpose
  /// The draft, saved and held by nobody.
  public var draft: OutgoingEntry
}

/// Why a qwink was not deleted to be written again.
public enum RedraftError: Error, Hashable, Sendable {
  /// Its text could not be fetched.
  case notFetched(DownloadError)
  /// Its text could not be saved, so it was not deleted. Nil: nothing can be saved here.
  case notSaved(StoreError?)
  case notDeleted(DownloadError)
  /// It may be deleted. The draft stays.
  case doubtful(DownloadError)

  /// The outcome and its reason, as shown to the user.
  public var sentence: String {
    switch self {
    case .notFetched(let error), .notDeleted(let error): "\(outcome) \(error.sentence)"
    case .notSaved(let error): error.map { "\(outcome) \($0.sentence)" } ?? outcome
    case .doubtful(let error): "\(error.summary) \(outcome)"
    }
  }

  /// The outcome without its reason.
  var outcome: String {
    switch self {
    case .notFetched: "Not deleted: its text could not be fetched."
    case .notSaved: "Not deleted: its text could not be saved as a draft."
    case .notDeleted: "Not deleted."
    case .doubtful: "It may have been deleted; its text is a draft."
    }
  }
}

/// Deleting one's own qwink to write it again, as Mastodon's web client does: its files can be used again only when it
/// is gone. Its text is a draft on disk before the server is told to delete it.
extension Account {
  /// How long a poll is open if its qwink doesn't tell.
  private static let usualPollSeconds = 86_400

  /// Deletes `qwink`, which is one's own, and keeps all that it says as a draft. If it can't be deleted, there is no
  /// draft. `done` is called once.
  public func redraft(
    _ qwink: Qwink, done: @escaping @MainActor @Sendable (Result<Redraft, RedraftError>) -> Void
  ) {
    let qwink = qwink.original
    connection.ask(.source(qwink.originalID)) { [weak self] result in
      switch result {
      case .success(let source):
        self?.findPurpose(toWriteAgain: qwink) { purpose in self?.redraft(qwink, source, for: purpose, done) }
      case .failure(let error): done(.failure(.notFetched(error)))
      }
    }
  }

  /// Finds what `qwink` is a reply to. If that is gone, it becomes a new qwink.
  private func findPurpose(toWriteAgain qwink: Qwink, _ done: @escaping @MainActor (EntryPurpose) -> Void) {
    guard let parent = qwink.inReplyTo else { return done(.new) }
    connection.ask(.qwink(parent)) { [weak self] result in
      guard let self, case .success(let found) = result else { return done(.new) }
      done(.reply(to: inbox.message(from: found) ?? found.original))
    }
  }

  private func redraft(
    _ qwink: Qwink, _ source: QwinkSource, for purpose: EntryPurpose,
    _ done: @escaping @MainActor @Sendable (Result<Redraft, RedraftError>) -> Void
  ) {
    guard let outgoing else { return done(.failure(.notSaved(nil))) }
    let draft = OutgoingEntry(
      purpose: purpose.key, entry: Self.entry(of: qwink, source), subject: purpose.subject,
      files: qwink.attachments.isEmpty ? nil : qwink.attachments.map { OutgoingFile($0) })
    outgoing.restore(draft) { [weak self] error in
      if let error {
        outgoing.discard(draft.id) { _ in }
        return done(.failure(.notSaved(error)))
      }
      self?.delete(qwink) { error in
        guard let error else { return done(.success(Redraft(purpose: purpose, draft: draft))) }
        if case .doubtful = error { return done(.failure(error)) }
        outgoing.discard(draft.id) { _ in done(.failure(error)) }
      }
    }
  }

  /// Deletes a qwink now, without the outbox: whether it is gone decides what becomes of its draft.
  private func delete(_ qwink: Qwink, done: @escaping @MainActor @Sendable (RedraftError?) -> Void) {
    connection.ask(.delete(qwink.originalID), as: .deletion) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success:
        posts.didDelete(qwink.originalID)
        done(nil)
      case .failure(let error) where error.mayHaveArrived: done(.doubtful(error))
      case .failure(let error):
        connection.explain(error, by: AbilityNeed(.deletion, of: qwink)) { [weak self] error in
          guard case .notFound = error else { return done(.notDeleted(error)) }
          // Somebody else has deleted it meanwhile.
          self?.posts.didDelete(qwink.originalID)
          done(nil)
        }
      }
    }
  }

  /// What `qwink` says, as an entry to be sent again.
  private static func entry(of qwink: Qwink, _ source: QwinkSource) -> Entry {
    let poll = qwink.poll.map { poll in
      let seconds = poll.expiresAt.map { $0.timeIntervalSince(qwink.createdAt) } ?? 0
      let minutes = (seconds / 60).rounded()
      return EntryPoll(
        options: poll.options.map(\.title),
        seconds: minutes >= 1 && minutes < 1e6 ? Int(minutes) * 60 : usualPollSeconds,
        allowsSeveral: poll.allowsSeveral,
        hidesTotals: !poll.isExpired && poll.options.allSatisfy { $0.votesCount == nil })
    }
    return Entry(
      text: source.text, visibility: qwink.visibility, contentWarning: source.contentWarning, language: qwink.language,
      inReplyTo: qwink.inReplyTo, attachmentIDs: qwink.attachments.map(\.id.rawValue), poll: poll,
      isSensitive: qwink.isSensitive, idempotencyKey: UUID().uuidString)
  }
}
