import FoundationEssentials
import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// Sending items, and handling the results.
extension Outbox {
  /// Starts sending, or searching for, all items whose turn it is.
  func go() {
    guard connection.isSignedIn else { return }
    for item in queue.ready(at: connection.clock.now) where !waitsForSignIn(item.id) {
      // Starting an item may change which other items are ready.
      guard queue.ready(at: connection.clock.now).contains(where: { $0.id == item.id }) else { continue }
      queue.begin(item.id)
      attempt(item.id)
    }
    schedule()
  }

  /// Whether an item isn't sent until the user signs in again. If the item's writer waits for the outcome, the item is
  /// sent anyway, so that the writer is notified of the failure at once.
  private func waitsForSignIn(_ id: String) -> Bool {
    connection.needsSignIn && !attended.contains(id) && !once.contains(id)
  }

  func schedule() {
    let now = connection.clock.now
    timer = queue.nextAttempt(after: now).map { date in
      let wait = Duration.milliseconds(Int64((date.timeIntervalSince(now) * 1000).rounded(.up)))
      return connection.clock.schedule(after: wait) { [weak self] in self?.go() }
    }
  }

  /// Saves an item as being sent, and then sends it. If the program crashes in between, the item counts as possibly
  /// sent. The item isn't sent now if another item must be sent first, if saving fails, or if another program has
  /// claimed the item. An item that couldn't be saved earlier is sent without being saved.
  func begin(_ id: String) {
    guard let queued = queue[id] else { return }
    searches[id] = nil
    var item = handler(of: queued)?.outbox(self, willSend: queued) ?? queued
    item.state = .sending
    if item.kind != .edit, var entry = item.entry, let sent = entry.sent {
      if !entry.attempts.contains(where: { $0.entry.idempotencyKey == sent.idempotencyKey }) {
        let now = connection.clock.now
        entry.attempts.append(
          .init(entry: sent, at: now, serverDate: connection.serverDate(at: now), known: timelines.ownIDs))
      }
      item.entry = entry
    }
    queue.put(item)
    guard let store, !unsaved.contains(id) else { return request(item) }
    if once.contains(id), let entry = item.entry {
      return store.keep(entry.asDraft) { [weak self] _ in self?.request(item) }
    }
    store.begin(item) { [weak self] result in
      guard let self, queue[id] != nil else { return }
      if case .success(.mayGo) = result { return request(item) }
      queue.put(queued)
      switch result {
      case .success(.mayGo): break
      case .success(.mustWait):
        let wait = queued.waitsFor == nil ? Self.turnInterval : Self.draftInterval
        queue.pause(id, until: connection.clock.now.addingTimeInterval(wait))
        reload()
      case .success(.isOrphan):
        queue.end(id, .refused(reason: Self.orphanReason), at: connection.clock.now, jitter: 0)
        save(id)
      case .success(.isElsewhere):
        drop(id)
        reload()
      case .failure(let error):
        queue.change(id) { $0.reason = error.sentence }
        queue.pause(id, until: connection.clock.now.addingTimeInterval(OutboxQueue.firstWait))
      }
      didChange()
      go()
    }
  }

  private static let orphanReason = "The post this replies to was discarded."

  /// Completes an item that has arrived. `isFound` is true if a search found its qwink among the user's qwinks. A found
  /// qwink may belong to another, equal item.
  func didSend(_ item: OutboxItem, as answer: OutboxAnswer, isFound: Bool = false) {
    guard case .qwink(let qwink) = answer, item.entry != nil, item.kind != .edit else {
      store?.forget(item.id)
      return finish(item, as: answer)
    }
    guard let store, !unsaved.contains(item.id) else {
      guard arrived.insert(qwink.id).inserted || sentAnew.contains(item.id) else {
        return sendAnew(item, isFound: isFound)
      }
      store?.forget(item.id)
      store?.noteArrived(qwink.id)
      return finish(item, as: answer)
    }
    store.remove(item.id, arrivedAs: qwink.id) { [weak self] result in
      guard let self else { return }
      arrived.insert(qwink.id)
      if case .success(false) = result {
        guard sentAnew.contains(item.id) else { return sendAnew(item, isFound: isFound) }
        store.forget(item.id)
      }
      finish(item, as: answer)
    }
  }

  func finish(_ item: OutboxItem, as answer: OutboxAnswer) {
    let waiting = items.filter { $0.waitsFor == item.id && !$0.isElsewhere }
    let handler = handler(of: item)
    drop(item.id)
    if item.change != nil { dropEarlierChanges(than: item) }
    if case .qwink(let qwink) = answer {
      for waiting in waiting {
        queue.change(waiting.id) {
          $0.reply(to: qwink.id)
          $0.nextAttempt = nil
        }
      }
    }
    handler?.outbox(self, didSend: item, as: answer)
    didChange()
    go()
  }

  /// Removes earlier changes to the same target that weren't sent, for example because they were on hold. Sending them
  /// now would undo `item`.
  private func dropEarlierChanges(than item: OutboxItem) {
    for other in items where other.purpose == item.purpose && other.position < item.position && mayChange(other.id) {
      drop(other.id)
      store?.forget(other.id)
    }
  }

  /// Tries an item again because the qwink that the server returned, or that a search found, belongs to another, equal
  /// item.
  ///
  /// If the server returned that qwink, the item is sent once more, with another idempotency key. If the server then
  /// returns the same qwink again, the response is accepted. If a search found the qwink, the item is searched for
  /// again.
  func sendAnew(_ item: OutboxItem, isFound: Bool) {
    if !isFound { sentAnew.insert(item.id) }
    queue.pause(item.id, until: nil)
    queue.change(item.id) { item in
      item.state = item.isDoubtful ? .uncertain : .queued
      guard !isFound else { return }
      item.state = .queued
      item.entry?.attempts = []
      item.entry?.sent?.idempotencyKey = UUID().uuidString
    }
    save(item.id)
    didChange()
    go()
  }

  func didFail(_ item: OutboxItem, with error: DownloadError) {
    if item.kind != .edit, let key = item.entry?.sent?.idempotencyKey {
      queue.change(item.id) { $0.entry?.noteFailure(error, ofKey: key) }
    }
    if error.needsSignIn, waitsForSignIn(item.id) {
      return end(item.id, .later(reason: error.summary, wait: nil), .waits(error))
    }
    end(item.id, error.outboxFailure(isRepeatable: item.entry == nil || item.kind == .edit), .of(error))
  }

  /// Finishes an unsuccessful attempt.
  func end(_ id: String, _ failure: OutboxQueue.Failure, _ ending: OutboxEnding) {
    queue.end(id, failure, at: connection.clock.now, jitter: jitter())
    searches[id] = nil
    guard let item = queue[id] else { return }
    let handler = handler(of: item)
    let wasAttended = attended.remove(id) != nil
    if once.contains(id) || (item.state == .failed && (item.change != nil || wasAttended)) {
      drop(id)
      if let entry = item.entry {
        makeDraft(entry.asDraft)
      } else {
        store?.forget(id)
      }
    } else {
      save(id)
      // Remove the composer's hold, a reference count in the store. Otherwise, closing the composer would release the
      // entry, which the outbox still needs.
      if wasAttended { store?.holdAlone(id) }
    }
    handler?.outbox(self, didNotSend: item, ending, isAttended: wasAttended)
    if item.state == .failed, queue[id] != nil {
      connection.observers.forEach { $0.outbox(self, didFail: item) }
    } else if item.change != nil, item.attemptCount == 1, case .waits(let error?) = ending {
      connection.observers.forEach { $0.outbox(self, didQueue: item, after: error) }
    }
    didChange()
    go()
  }

  func save(_ id: String) {
    guard let store, let item = queue[id], !item.isElsewhere, !once.contains(id) else { return }
    store.keep(item) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let saved?):
        unsaved.remove(id)
        if queue[id]?.position == 0 {
          queue.change(id) { $0.position = saved.position }
        }
      case .success(nil):
        // Another program has the item.
        guard !queue.isBusy(id) else { return }
        drop(id)
        reload()
      case .failure: break
      }
    }
  }
}
