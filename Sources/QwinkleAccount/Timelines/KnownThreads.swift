import FoundationEssentials
public import QwinkleModel
import QwinkleStore

/// Threads as far as cache and loaded timelines have them, for times without a network.
extension Timelines {
  /// Saves a thread that was fetched.
  public func keep(_ thread: QwinkThread, of qwink: Qwink) { cache?.save(thread, of: qwink) }

  /// Finds the thread around `qwink` without the network: the one fetched last, or else what timelines have of it.
  public func findThread(of qwink: Qwink, then: @escaping @MainActor @Sendable (QwinkThread) -> Void) {
    guard let cache else { return then(knownThread(of: qwink)) }
    cache.fetchThread(of: qwink) { [weak self] kept in
      guard let self else { return }
      then(kept ?? knownThread(of: qwink))
    }
  }

  /// What the loaded timelines have of the thread around `qwink`. Replies may be missing, and so may what is above a
  /// missing qwink.
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
