import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// Completing entries that a command queued while the server didn't respond.
extension Outbox {
  /// Completes an item with data from the server, then queues it again, because other items may have to be sent first.
  /// If the command asked for a thread, splits a text that is too long.
  func resolve(_ id: String) {
    guard let entry = queue[id]?.entry, let given = entry.given else { return }
    connection.task("completing a post") { [weak self, connection] in
      do throws(ResolvingError) {
        let resolved = try await connection.resolve(given, idempotencyKey: entry.entry.idempotencyKey)
        guard given.isThread else {
          self?.didResolve(id, resolved)
          return
        }
        let limits = (try? await connection.answer(to: .serverInfo).limits) ?? ServerInfo.Limits()
        let parts = resolved.rules.thread(of: resolved.entry, numbered: given.isNumbered, limits: limits) ?? []
        if parts.count > 1 { self?.split(id, resolved, into: parts) } else { self?.didResolve(id, resolved) }
      } catch {
        self?.didNotResolve(id, error)
      }
    }
  }

  private func didResolve(_ id: String, _ resolved: ResolvedEntry) {
    guard let item = queue[id], var entry = item.entry?.resolved(as: resolved) else { return }
    entry.sent = entry.entry
    var complete = OutboxItem(entry)
    complete.state = item.state
    complete.position = item.position
    complete.attemptCount = item.attemptCount
    queue.put(complete)
    queue.pause(id, until: nil)
    save(id)
    didChange()
    go()
  }

  /// Replaces an item with the parts of a thread.
  private func split(_ id: String, _ resolved: ResolvedEntry, into parts: [Entry]) {
    guard let entry = queue[id]?.entry?.resolved(as: resolved) else { return }
    let entries = parts.enumerated().map { index, part in
      OutgoingEntry(
        purpose: index == 0 ? entry.purpose : EntryPurpose.new.key, entry: part,
        subject: index == 0 ? entry.subject : nil, sent: part, writtenAt: entry.writtenAt)
    }
    send(thread: OutboxItem.thread(of: entries), insteadOf: id) { [weak self] error in
      guard let self else { return }
      if let error { return end(id, .later(reason: error.sentence, wait: nil), .waits(nil)) }
      drop(id)
      didChange()
      go()
    }
  }

  private func didNotResolve(_ id: String, _ error: ResolvingError) {
    guard let download = error.download else { return end(id, .refused(reason: error.sentence), .waits(nil)) }
    guard download.mayPass else { return end(id, .refused(reason: download.summary), .refused(download)) }
    end(id, .later(reason: download.summary, wait: download.retryAfter), .waits(download))
  }
}
