/// The thread around a qwink: what it replies to, and its replies.
public struct QwinkThread: Hashable, Sendable {
  /// From the first qwink of the thread down to the parent.
  public var ancestors: [Qwink]
  /// Replies, and replies to them, in the server's order.
  public var descendants: [Qwink]

  public init(ancestors: [Qwink] = [], descendants: [Qwink] = []) {
    self.ancestors = ancestors
    self.descendants = descendants
  }

  /// This thread without duplicates and without `focus`, the qwink that it is around. Servers name a post twice, or the
  /// post itself among its replies.
  public func withoutRepetitions(around focus: Qwink) -> QwinkThread {
    var seen: Set<Qwink.ID> = [focus.originalID]
    return QwinkThread(
      ancestors: ancestors.filter { seen.insert($0.originalID).inserted },
      descendants: descendants.filter { seen.insert($0.originalID).inserted })
  }

  /// Replaces the qwinks that `newer` returns another state of.
  public mutating func update(by newer: (Qwink) -> Qwink?) {
    ancestors = ancestors.map { newer($0) ?? $0 }
    descendants = descendants.map { newer($0) ?? $0 }
  }
}
