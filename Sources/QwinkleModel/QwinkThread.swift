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

  /// Replaces the qwinks that `newer` returns another state of.
  public mutating func update(by newer: (Qwink) -> Qwink?) {
    ancestors = ancestors.map { newer($0) ?? $0 }
    descendants = descendants.map { newer($0) ?? $0 }
  }
}
