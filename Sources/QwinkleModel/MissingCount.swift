/// The number of rows missing at a gap in a list.
public struct MissingCount: Hashable, Sendable {
  /// The minimum number of missing rows.
  public var atLeast: Int
  /// Whether `atLeast` is the exact number.
  public var isExact: Bool

  public init(atLeast: Int, isExact: Bool) {
    self.atLeast = atLeast
    self.isExact = isExact
  }
}
