/// The rows of the screen that a snapshot contains.
public enum TapeRows: Hashable, Sendable {
  /// All rows except the top two (header and rule) and the bottom two (rule and hints). Those four rows are the same on
  /// most screens, so a tape has to name them to include them in a snapshot.
  case content
  /// The rows with these numbers, counted from 1. Both ends are included.
  case range(ClosedRange<Int>)

  /// Number of rows that ``content`` excludes at each end.
  private static let edge = 2

  /// Returns the indices of these rows, from 0, on a screen with `count` rows. Throws if the screen has too few rows.
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
