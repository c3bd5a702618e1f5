import QwinkleModel
import QwinkleService

/// The request for each kind of item, and the interpretation of failures.
extension Outbox {
  func ask(for item: OutboxItem, done: @escaping @MainActor (Result<OutboxAnswer, DownloadError>) -> Void) {
    switch item.content {
    case .entry(let entry):
      let sent = entry.sent ?? entry.entry
      let edited = EntryPurpose.qwinkEdited(byKey: entry.purpose)
      let request: Request<Qwink> = edited.map { .edit($0, sent) } ?? .post(sent)
      connection.ask(request.sourced) { [connection] result in
        if case .success(let sourced) = result {
          connection.observers.forEach { $0.account(didReceive: sourced.json, of: sourced.answer.id.rawValue) }
        }
        done(result.map { .qwink($0.answer) })
      }
    case .change(let change):
      switch change.what {
      case .boost where change.isOn && item.attemptCount > 0: boostAgain(Qwink.ID(change.target), done)
      case .boost, .favourite, .bookmark:
        let reaction = change.reaction ?? .bookmark
        connection.ask(.react(Qwink.ID(change.target), reaction, isOn: change.isOn)) { done($0.map { .qwink($0) }) }
      case .follow:
        connection.ask(.follow(Qwinker.ID(change.target), isOn: change.isOn)) { done($0.map { .relationship($0) }) }
      case .delete:
        connection.ask(.delete(Qwink.ID(change.target))) { done($0.map { .none }) }
      }
    }
  }

  /// Boosts a qwink unless an earlier request already did. GoToSocial adds a boost for every request.
  private func boostAgain(_ id: Qwink.ID, _ done: @escaping @MainActor (Result<OutboxAnswer, DownloadError>) -> Void) {
    connection.ask(.qwink(id).unshared) { [connection] result in
      if case .success(let qwink) = result, qwink.isBoosted { return done(.success(.qwink(qwink.original))) }
      connection.ask(.react(id, .boost, isOn: true)) { done($0.map { .qwink($0) }) }
    }
  }
}

extension OutboxItem {
  var writeKind: WriteKind {
    switch kind {
    case .post, .reply: .post
    case .edit: .edit
    case .message: .message
    case .delete: .deletion
    case .follow: .follow
    case .reaction:
      switch change?.what {
      case .boost: .boost
      case .favourite: .favourite
      default: .bookmark
      }
    }
  }
}

extension OutgoingEntry {
  /// Records that the attempt with the idempotency key `key` failed. Removes the attempt if it certainly didn't reach
  /// the server, unless an earlier request with the same key may have reached it.
  mutating func noteFailure(_ error: DownloadError, ofKey key: String) {
    guard let index = attempts.firstIndex(where: { $0.entry.idempotencyKey == key }) else { return }
    if error.mayHaveArrived || error.isCancelled {
      attempts[index].reason = error.summary
    } else if attempts[index].reason == nil {
      attempts.remove(at: index)
    }
  }
}

extension OutboxEnding {
  static func of(_ error: DownloadError) -> OutboxEnding {
    if case .refused = error.outboxFailure(isRepeatable: false) { .refused(error) } else { .waits(error) }
  }
}

extension DownloadError {
  /// Returns the effect of a failed request on its item. `isRepeatable` is true if sending the item twice does no harm.
  func outboxFailure(isRepeatable: Bool) -> OutboxQueue.Failure {
    switch self {
    case .rateLimited(_, let wait): .later(reason: summary, wait: wait ?? .seconds(30))
    case .serverFailed(_, 503): .later(reason: summary, wait: .zero)
    case _ where wasNotSent: .later(reason: summary, wait: nil)
    case _ where mayHaveArrived: isRepeatable ? .later(reason: summary, wait: nil) : .doubtful(reason: summary)
    default: .refused(reason: summary)
    }
  }
}
