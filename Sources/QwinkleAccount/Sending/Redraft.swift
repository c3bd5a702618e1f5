import FoundationEssentials
public import QwinkleModel
public import QwinkleService
public import QwinkleStore

/// A qwink that the user deleted to write it again.
public struct Redraft: Sendable {
  public var purpose: EntryPurpose
  /// The saved draft. No composer has it open.
  public var draft: OutgoingEntry
}

/// A part of a qwink that can't be posted again.
public enum RedraftLoss: Hashable, Sendable {
  /// The quote. If `hasLink` is true, a link replaces it.
  case quote(hasLink: Bool)
  /// The parent, which no longer exists.
  case parent
  /// A field of the API, by name, that this version can't post.
  case field(String)

  /// The loss as part of a sentence.
  public var words: String {
    switch self {
    case .quote(true): "its quote (a link replaces it)"
    case .quote(false): "its quote"
    case .parent: "its place in the thread (its parent is no longer available)"
    case .field(let name): Self.fields[name] ?? "a setting that Qwinkle doesn't know (\(name))"
    }
  }

  /// Descriptions of fields, by name.
  private static let fields = [
    "content_type": "its formatting",
    "interaction_policy": "its limits on who may reply or boost",
    "quote_approval": "its limits on who may quote it",
    "pleroma": "its expiry",
    "visibility": "its visibility",
  ]
}

/// An error that prevented deleting a qwink for rewriting.
public enum RedraftError: Error, Hashable, Sendable {
  /// Parts of the qwink can't be posted again, and the caller didn't allow their loss.
  case loses([RedraftLoss])
  /// The text could not be fetched.
  case notFetched(DownloadError)
  /// The text could not be saved, so the qwink was not deleted. The error is nil if saving isn't possible at all.
  case notSaved(StoreError?)
  case notDeleted(DownloadError)
  /// The qwink may have been deleted. The draft remains.
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
  /// The losses as part of a sentence.
  public var sentencePart: String { map(\.words).listed() }
}

/// Deletes a qwink of the user and makes a draft of it, as Mastodon's web client does. The text is saved as a draft
/// before the deletion. The attached files can be reused only after the deletion.
extension Account {

  /// Deletes the user's `qwink` and saves its whole content as a draft. If the deletion fails, the draft is removed,
  /// unless the qwink may have been deleted anyway. Deletes nothing if the draft would lose a part that isn't in
  /// `losses`. `done` is called once.
  public func redraft(
    _ qwink: Qwink, losing losses: Set<RedraftLoss> = [],
    done: @escaping @MainActor @Sendable (Result<Redraft, RedraftError>) -> Void
  ) {
    let id = timelines.currentID(of: qwink)
    connection.ask(.source(id)) { [weak self] result in
      switch result {
      case .success(let source):
        // Fetch the current version, because the version in lists may be outdated.
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

  /// Determines the purpose of the draft and all losses. Stops if a loss wasn't allowed.
  private func redraft(
    _ written: WrittenQwink, _ source: QwinkSource, losing allowed: Set<RedraftLoss>,
    _ done: @escaping @MainActor @Sendable (Result<Redraft, RedraftError>) -> Void
  ) {
    let qwink = written.qwink.original
    let losses = Self.losses(of: written, source)
    findQuoted(by: qwink) { [weak self] result in
      switch result {
      case .failure(let error): done(.failure(.notFetched(error)))
      case .success(let quoted):
        let loss = quoted == nil ? qwink.quote.map { RedraftLoss.quote(hasLink: $0.url != nil) } : nil
        let losses = losses + [loss].compactMap(\.self)
        self?.redraft(qwink, quoting: quoted, source, losses, losing: allowed, done)
      }
    }
  }

  /// Passes the qwink that `qwink` quotes to `done`, or nil if it quotes none that can be quoted again.
  private func findQuoted(by qwink: Qwink, done: @escaping @MainActor (Result<Qwink?, DownloadError>) -> Void) {
    guard let quote = qwink.quote, quote.state == .accepted, let id = quote.id else { return done(.success(nil)) }
    connection.ask(.qwink(id)) { [weak self] result in
      switch result {
      case .success(let found): done(.success(self?.quoteRefusal(of: found) == nil ? found.original : nil))
      case .failure(.notFound): done(.success(nil))
      case .failure(let error): done(.failure(error))
      }
    }
  }

  private func redraft(
    _ qwink: Qwink, quoting quoted: Qwink?, _ source: QwinkSource, _ losses: [RedraftLoss],
    losing allowed: Set<RedraftLoss>, _ done: @escaping @MainActor @Sendable (Result<Redraft, RedraftError>) -> Void
  ) {
    let goOn: @MainActor (EntryPurpose, [RedraftLoss]) -> Void = { [weak self] purpose, losses in
      guard allowed.isSuperset(of: losses) else { return done(.failure(.loses(losses))) }
      self?.redraft(qwink, quoting: quoted, source, for: purpose, done)
    }
    let purpose = quoted.map { EntryPurpose.quote(of: $0) } ?? .new
    guard let parent = qwink.inReplyTo else { return goOn(purpose, losses) }
    connection.ask(.qwink(parent)) { [weak self] result in
      switch result {
      case .success(let found): goOn(.reply(to: self?.inbox.message(from: found) ?? found.original), losses)
      case .failure(.notFound): goOn(purpose, losses + [.parent])
      case .failure(let error): done(.failure(.notFetched(error)))
      }
    }
  }

  private func redraft(
    _ qwink: Qwink, quoting quoted: Qwink?, _ source: QwinkSource, for purpose: EntryPurpose,
    _ done: @escaping @MainActor @Sendable (Result<Redraft, RedraftError>) -> Void
  ) {
    guard let outgoing else { return done(.failure(.notSaved(nil))) }
    let draft = OutgoingEntry(
      purpose: purpose.key, entry: Self.entry(of: qwink, quoting: quoted, source), subject: purpose.subject,
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
    return losses
  }

  /// Deletes a qwink now, without the outbox, because the draft is removed if this fails.
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
          // The qwink was deleted elsewhere in the meantime, which counts as a success.
          self?.posts.didDelete(qwink.originalID)
          done(nil)
        }
      }
    }
    connection.ask(.delete(qwink.originalID), as: .deletion, finish)
  }

  /// Returns the content of `qwink` as an entry to be sent again.
  private static func entry(of qwink: Qwink, quoting quoted: Qwink?, _ source: QwinkSource) -> Entry {
    let poll = qwink.poll.map { poll in
      let seconds = poll.expiresAt.map { $0.timeIntervalSince(qwink.createdAt) } ?? 0
      let minutes = (seconds / 60).rounded()
      return EntryPoll(
        options: poll.options.map(\.title),
        seconds: minutes >= 1 && minutes < 1e6 ? Int(minutes) * 60 : EntryPoll.usualSeconds,
        allowsSeveral: poll.allowsSeveral,
        hidesTotals: !poll.isExpired && poll.options.allSatisfy { $0.votesCount == nil })
    }
    var text = source.text
    if quoted == nil, let link = qwink.quote?.url, !text.contains(link) { text += text.isEmpty ? link : "\n\n\(link)" }
    var entry = Entry(
      text: text, visibility: qwink.visibility, contentWarning: source.contentWarning, language: qwink.language,
      inReplyTo: qwink.inReplyTo, attachmentIDs: qwink.attachments.map(\.id.rawValue), poll: poll,
      isSensitive: qwink.isCovered, idempotencyKey: UUID().uuidString)
    entry.quotedID = quoted?.originalID.rawValue
    entry.quotePolicy = qwink.visibility.hasQuotePolicy ? qwink.quoteApproval?.policy : nil
    return entry
  }
}
