/// What stands around a qwink: what it answers, and what answers it.
public struct QwinkThread: Hashable, Sendable {
  /// From the first qwink of the thread down to the parent.
  public var ancestors: [Qwink]
  /// Answers, and answers to them, in the server's order.
  public var descendants: [Qwink]

  public init(ancestors: [Qwink] = [], descendants: [Qwink] = []) {
    self.ancestors = ancestors
    self.descendants = descendants
  }
}
