/// Which rows of the screen a snapshot keeps.
public enum TapeRows: Hashable, Sendable {
  /// All but the top two (header and rule) and the bottom two (rule and hints). They are the same on most screens; a
  /// snapshot about them names its rows.
  case content
  /// From 1, inclusive.
  case range(ClosedRange<Int>)

  /// Rows that ``content`` leaves out at each end.
  private static let edge = 2

  /// Indices of these rows, from 0, on a screen with `count` rows; throws if it doesn't have them all.
  func indices(ofRows count: Int) throws(ReplayError) -> Range<Int> {
    switch self {
    case .content:
      guard count > 2 * Self.edge else {
        throw ReplayError(
          "This screen is all header and footer. Name the rows to keep: Snapshot small rows 1-\(count).")
      }
      return Self.edge..<count - Self.edge
    case .range(let rows):
      guard rows.upperBound <= count else {
        throw ReplayError("No row \(rows.upperBound): the screen has \(count).")
      }
      return rows.lowerBound - 1..<rows.upperBound
    }
  }
}
