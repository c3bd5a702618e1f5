/// How many rows are missing at a gap.
public struct MissingCount: Hashable, Sendable {
  /// This many at least.
  public var atLeast: Int
  /// Whether there are no more than that.
  public var isExact: Bool

  public init(atLeast: Int, isExact: Bool) {
    self.atLeast = atLeast
    self.isExact = isExact
  }
}
