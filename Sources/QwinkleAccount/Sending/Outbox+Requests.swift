import QwinkleModel
public import QwinkleService

/// The request for each kind of item.
extension Outbox {
  /// The purpose of a request.
  enum Download {
    /// Sends the item with this id.
    case sending(String)
    /// Fetches the qwink that the item with this id boosts.
    case boostCheck(String)
    /// Searches a place for the item with this id.
    case search(String, PostSearch.Place)
  }

  func start<Answer>(_ request: Request<Answer>, for purpose: Download, isKept: Bool = false) {
    downloads[connection.start(request, delegate: self, isKept: isKept)] = purpose
  }

  func request(_ item: OutboxItem) {
    didChange()
    let sending = Download.sending(item.id)
    switch item.content {
    case .entry(let entry):
      let sent = entry.sent ?? entry.entry
      let request: Request<Qwink> = if case .edit(let id)? = entry.kind { .edit(id, sent) } else { .post(sent) }
      start(request.sourced, for: sending)
    case .change(let change):
      let id = Qwink.ID(change.target)
      switch change.what {
      // GoToSocial adds a boost for every request, so check whether an earlier request already boosted the qwink.
      case .reaction(.boost) where change.isOn && item.attemptCount > 0:
        start(Request<Qwink>.qwink(id).unshared, for: .boostCheck(item.id))
      case .reaction(let reaction): start(.react(id, reaction, isOn: change.isOn), for: sending)
      case .follow:
        start(.follow(Qwinker.ID(change.target), isOn: change.isOn, options: change.options), for: sending)
      case .delete: start(.delete(id), for: sending)
      }
    }
  }

  private func boost(_ id: String) {
    guard let change = queue[id]?.change else { return }
    start(.react(Qwink.ID(change.target), .boost, isOn: true), for: .sending(id))
  }

  private func didSend(_ id: String, _ answer: some Sendable) {
    switch answer {
    case let sourced as Sourced<Qwink>:
      connection.observers.forEach { $0.account(didReceive: sourced.json, of: sourced.answer.id.rawValue) }
      didSend(id, as: .qwink(sourced.answer))
    case let qwink as Qwink: didSend(id, as: .qwink(qwink))
    case let relationship as Relationship: didSend(id, as: .relationship(relationship))
    default: didSend(id, as: .none)
    }
  }

  private func didSend(_ id: String, as answer: OutboxAnswer) {
    if let item = queue[id] { didSend(item, as: answer) }
  }

  private func didFail(_ download: Download, with error: DownloadError) {
    switch download {
    case .sending(let id): if let item = queue[id] { didFail(item, with: error) }
    case .boostCheck(let id): boost(id)
    case .search(let id, let place): didFailSearch(for: id, in: place, with: error)
    }
  }
}

extension Outbox: DownloadServiceDelegate {
  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    switch (downloads.removeValue(forKey: identifier), answer) {
    case (.sending(let id), _): didSend(id, answer)
    case (.boostCheck(let id), let qwink as Qwink):
      if qwink.isBoosted { didSend(id, as: .qwink(qwink.original)) } else { boost(id) }
    case (.search(let id, let place), _): didSearch(place, for: id, answer)
    default: break
    }
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    if let download = downloads.removeValue(forKey: identifier) { didFail(download, with: error) }
  }

  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    guard let download = downloads.removeValue(forKey: identifier) else { return }
    // A cancelled write may still reach the server. The item stays recorded as being sent.
    if case .sending = download { return }
    didFail(download, with: .cancelled)
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
    case .reaction: change?.reaction.map { .reaction($0) } ?? .change
    }
  }
}

extension OutgoingEntry {
  /// Records that the attempt with the idempotency key `key` failed. Removes the attempt if it certainly didn't reach
  /// the server, unless an earlier request with the same key may have reached it.
  mutating func noteFailure(_ error: DownloadError, ofKey key: String) {
    guard let index = attempts.firstIndex(where: { $0.entry.idempotencyKey == key }) else { return }
    if error.mayHaveArrived {
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
