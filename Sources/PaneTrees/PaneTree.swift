/// An arrangement of panes: one pane, or two arrangements next to each other or one above the other. A value without
/// views: ``frames(in:)`` computes the frames from a size.
public indirect enum PaneTree<Pane: Hashable & Sendable>: Hashable, Sendable {
  case pane(Pane)
  /// `share` is the first part's share of the length, between 0 and 1.
  case split(PaneAxis, share: Double, PaneTree, PaneTree)

  /// The panes, from left to right and from top to bottom.
  public var panes: [Pane] {
    switch self {
    case .pane(let pane): [pane]
    case .split(_, _, let first, let second): first.panes + second.panes
    }
  }

  public func contains(_ pane: Pane) -> Bool { panes.contains(pane) }

  /// Returns the tree with each pane replaced by the tree that `transform` returns.
  public func flatMap<Other>(_ transform: (Pane) -> PaneTree<Other>) -> PaneTree<Other> {
    switch self {
    case .pane(let pane): transform(pane)
    case .split(let axis, let share, let first, let second):
      .split(axis, share: share, first.flatMap(transform), second.flatMap(transform))
    }
  }

  public func map<Other>(_ transform: (Pane) -> Other) -> PaneTree<Other> { flatMap { .pane(transform($0)) } }

  /// Splits `pane` into two halves, with `other` on the right or below.
  public mutating func split(_ pane: Pane, along axis: PaneAxis, with other: Pane) {
    self = flatMap { $0 == pane ? .split(axis, share: 0.5, .pane(pane), .pane(other)) : .pane($0) }
  }

  /// Removes `pane`. Its neighbor gets the room. The last pane can't be removed.
  public mutating func remove(_ pane: Pane) { self = without(pane) ?? self }

  private func without(_ pane: Pane) -> PaneTree? {
    switch self {
    case .pane(let other): return other == pane ? nil : self
    case .split(let axis, let share, let first, let second):
      guard let first = first.without(pane) else { return second }
      guard let second = second.without(pane) else { return first }
      return .split(axis, share: share, first, second)
    }
  }

  /// Exchanges the positions of two panes.
  public mutating func swap(_ pane: Pane, _ other: Pane) {
    self = map { $0 == pane ? other : $0 == other ? pane : $0 }
  }

  /// Sets equal widths for the panes of a row and equal heights for the panes of a column.
  public mutating func equalize() {
    guard case .split(let axis, _, var first, var second) = self else { return }
    first.equalize()
    second.equalize()
    let (count, otherCount) = (first.count(along: axis), second.count(along: axis))
    self = .split(axis, share: Double(count) / Double(count + otherCount), first, second)
  }

  /// Number of panes next to each other along `axis`.
  private func count(along axis: PaneAxis) -> Int {
    guard case .split(let own, _, let first, let second) = self else { return 1 }
    let (count, otherCount) = (first.count(along: axis), second.count(along: axis))
    return own == axis ? count + otherCount : max(count, otherCount)
  }
}

/// The direction in which the parts of a split follow each other.
public enum PaneAxis: Hashable, Sendable {
  /// Side by side.
  case columns
  /// One above the other.
  case rows
}

/// A direction from one pane to another.
public enum PaneDirection: Hashable, Sendable {
  case left, right, up, down

  public var axis: PaneAxis { self == .left || self == .right ? .columns : .rows }
  /// Whether the direction is right or down.
  public var isForward: Bool { self == .right || self == .down }
}
