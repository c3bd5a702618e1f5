/// The thread around a qwink: its ancestors and its replies.
public struct QwinkThread: Hashable, Sendable {
  /// Ordered from the root of the thread down to the parent.
  public var ancestors: [Qwink]
  /// Direct and indirect replies, in the server's order.
  public var descendants: [Qwink]
  /// The server's search for more replies, if one is in progress.
  public var refresh: AsyncRefresh?

  public init(ancestors: [Qwink] = [], descendants: [Qwink] = []) {
    self.ancestors = ancestors
    self.descendants = descendants
  }

  /// Returns this thread without duplicates and without its `focus`. Some servers repeat posts, or list the focused
  /// post among its own replies.
  public func withoutRepetitions(around focus: Qwink) -> QwinkThread {
    var seen: Set<Qwink.ID> = [focus.originalID]
    return QwinkThread(
      ancestors: ancestors.filter { seen.insert($0.originalID).inserted },
      descendants: descendants.filter { seen.insert($0.originalID).inserted })
  }

  /// Replaces the qwinks for which `newer` returns a new state.
  public mutating func update(by newer: (Qwink) -> Qwink?) {
    ancestors = ancestors.map { newer($0) ?? $0 }
    descendants = descendants.map { newer($0) ?? $0 }
  }
}
