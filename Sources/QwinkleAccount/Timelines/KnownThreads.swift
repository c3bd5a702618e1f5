import FoundationEssentials
public import QwinkleModel
import QwinkleStore

/// Threads in the cache and in loaded timelines, for use while offline.
extension Timelines {
  /// Caches a fetched thread.
  public func keep(_ thread: QwinkThread, of qwink: Qwink) { cache.save(thread, of: qwink) }

  /// Finds the thread around `qwink` without the network. Passes the cached thread to `then` or, if it isn't cached,
  /// the qwinks of the thread in loaded timelines.
  public func findThread(of qwink: Qwink, then: @escaping @MainActor @Sendable (QwinkThread) -> Void) {
    cache.fetchThread(of: qwink) { [weak self] cached in
      guard let self else { return }
      then(cached ?? knownThread(of: qwink))
    }
  }

  /// Returns the qwinks of the thread around `qwink` in loaded timelines. Replies may be missing, and so may ancestors
  /// above a missing qwink.
  func knownThread(of qwink: Qwink) -> QwinkThread {
    var known: [Qwink.ID: Qwink] = [:]
    for other in knownQwinks where known[other.originalID] == nil { known[other.originalID] = other.original }
    var ancestors: [Qwink] = []
    var seen: Set<Qwink.ID> = [qwink.originalID]
    var parent = qwink.inReplyTo
    while let id = parent, seen.insert(id).inserted, let above = known[id] {
      ancestors.append(above)
      parent = above.inReplyTo
    }
    let replies = Dictionary(grouping: known.values.filter { $0.inReplyTo != nil }) { $0.inReplyTo }
    var descendants: [Qwink] = []
    var waiting: [Qwink.ID] = [qwink.originalID]
    while let id = waiting.popLast() {
      for reply in replies[id] ?? [] where seen.insert(reply.originalID).inserted {
        descendants.append(reply)
        waiting.append(reply.originalID)
      }
    }
    descendants.sort { ($0.createdAt, $0.originalID.rawValue) < ($1.createdAt, $1.originalID.rawValue) }
    return QwinkThread(ancestors: ancestors.reversed(), descendants: descendants)
  }
}
