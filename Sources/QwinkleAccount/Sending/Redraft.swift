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

/// Something of a qwink that can't be posted again.
public enum RedraftLoss: Hashable, Sendable {
  /// The quote. If `hasLink`, a link takes its place.
  case quote(hasLink: Bool)
  /// The qwink that it replies to, which no longer exists.
  case parent
  /// A field of the API that this version can't post, by its name.
  case field(String)

  /// The loss as part of a sentence.
  public var words: String {
    switch self {
    case .quote(true): "its quote (a link takes its place)"
    case .quote(false): "its quote"
    case .parent: "its place in the thread (its parent is no longer available)"
    case .field(let name): Self.fields[name] ?? "a setting that Qwinkle doesn't know (\(name))"
    }
  }

  /// Words for fields, by their names.
  private static let fields = [
    "content_type": "its formatting",
    "interaction_policy": "its limits on who may reply or boost",
    "quote_approval": "its limits on who may quote it",
    "pleroma": "its expiry",
    "visibility": "its visibility",
  ]
}

/// Why a qwink was not deleted to be written again.
public enum RedraftError: Error, Hashable, Sendable {
  /// Parts of it can't be posted again, and the caller didn't allow their loss.
  case loses([RedraftLoss])
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
    case .loses(let losses): "\(outcome) Posting it again loses \(losses.sentencePart)."
    case .notFetched(let error), .notDeleted(let error): "\(outcome) \(error.sentence)"
    case .notSaved(let error): error.map { "\(outcome) \($0.sentence)" } ?? outcome
    case .doubtful(let error): "\(error.summary) \(outcome)"
    }
  }

  /// The outcome without its reason.
  var outcome: String {
    switch self {
    case .loses: "Not deleted."
    case .notFetched: "Not deleted: its text could not be fetched."
    case .notSaved: "Not deleted: its text could not be saved as a draft."
    case .notDeleted: "Not deleted."
    case .doubtful: "It may have been deleted; its text is a draft."
    }
  }
}

extension [RedraftLoss] {
  /// All of them, as part of a sentence.
  public var sentencePart: String { map(\.words).listed }
}

/// Deleting one's own qwink to write it again, as Mastodon's web client does: its files can be used again only when it
/// is gone. Its text is a draft on disk before the server is told to delete it.
extension Account {
  /// How long a poll is open if its qwink doesn't tell.
  private static let usualPollSeconds = 86_400

  /// Deletes the user's `qwink` and saves its whole content as a draft. If it can't be deleted, there is no draft.
  /// Nothing is deleted if something would be lost that is not among `losses`. `done` is called once.
  public func redraft(
    _ qwink: Qwink, losing losses: Set<RedraftLoss> = [],
    done: @escaping @MainActor @Sendable (Result<Redraft, RedraftError>) -> Void
  ) {
    let id = timelines.currentID(of: qwink)
    connection.ask(.source(id)) { [weak self] result in
      switch result {
      case .success(let source):
        // Lists may have an older state of it.
        self?.connection.ask(.written(id).unshared) { [weak self] result in
          switch result {
          case .success(let written): self?.redraft(written, source, losing: losses, done)
          case .failure(let error): done(.failure(.notFetched(error)))
          }
        }
      case .failure(let error): done(.failure(.notFetched(error)))
      }
    }
  }

  /// Finds the purpose of the draft and all that would be lost, and stops if that was not allowed.
  private func redraft(
    _ written: WrittenQwink, _ source: QwinkSource, losing allowed: Set<RedraftLoss>,
    _ done: @escaping @MainActor @Sendable (Result<Redraft, RedraftError>) -> Void
  ) {
    let qwink = written.qwink.original
    let losses = Self.losses(of: written, source)
    let goOn: @MainActor (EntryPurpose, [RedraftLoss]) -> Void = { [weak self] purpose, losses in
      guard allowed.isSuperset(of: losses) else { return done(.failure(.loses(losses))) }
      self?.redraft(qwink, source, for: purpose, done)
    }
    guard let parent = qwink.inReplyTo else { return goOn(.new, losses) }
    connection.ask(.qwink(parent)) { [weak self] result in
      switch result {
      case .success(let found): goOn(.reply(to: self?.inbox.message(from: found) ?? found.original), losses)
      case .failure(.notFound): goOn(.new, losses + [.parent])
      case .failure(let error): done(.failure(.notFetched(error)))
      }
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

  /// Returns the parts of a qwink that can't be posted again, apart from its parent.
  private static func losses(of written: WrittenQwink, _ source: QwinkSource) -> [RedraftLoss] {
    var losses = written.unsupported.map { RedraftLoss.field($0) }
    let contentType = RedraftLoss.field("content_type")
    if !["", "text/plain"].contains(source.contentType), !losses.contains(contentType) { losses.append(contentType) }
    if let quote = written.qwink.quote { losses.append(.quote(hasLink: quote.url != nil)) }
    return losses
  }

  /// Deletes a qwink now, without the outbox: whether it is gone decides what becomes of its draft.
  private func delete(_ qwink: Qwink, done: @escaping @MainActor @Sendable (RedraftError?) -> Void) {
    let mayBeDone: @MainActor (DownloadError) -> Bool = { $0.mayHaveArrived }
    let finish = undoHistory.begin("Deleting to write again", mayBeDone: mayBeDone) {
      [weak self] (result: Result<Void, DownloadError>) in
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
    connection.ask(.delete(qwink.originalID), as: .deletion, finish)
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
    var text = source.text
    if let link = qwink.quote?.url, !text.contains(link) { text += text.isEmpty ? link : "\n\n\(link)" }
    return Entry(
      text: text, visibility: qwink.visibility, contentWarning: source.contentWarning, language: qwink.language,
      inReplyTo: qwink.inReplyTo, attachmentIDs: qwink.attachments.map(\.id.rawValue), poll: poll,
      isSensitive: qwink.isCovered, idempotencyKey: UUID().uuidString)
  }
}
