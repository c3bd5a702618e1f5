/// Which rows of the screen a snapshot keeps.
public enum TapeRows: Hashable, Sendable {
  /// All but the two at the top, the header over a rule, and the two at the foot, the hints under one. They are the
  /// same on most screens: a snapshot that is about them says so.
  case content
  /// From 1, the last one included.
  case range(ClosedRange<Int>)

  /// How many rows ``content`` leaves out at each end.
  private static let edge = 2

  /// These rows of a screen that has `count`, counted from 0; throws where it has not all of them.
  func indices(ofRows count: Int) throws(ReplayError) -> Range<Int> {
    switch self {
    case .content:
      guard count > 2 * Self.edge else {
        throw ReplayError(
          "A screen as low as this is all header and foot. Say which rows to keep: Snapshot small rows 1-\(count).")
      }
      return Self.edge..<count - Self.edge
    case .range(let rows):
      guard rows.upperBound <= count else {
        throw ReplayError("There is no row \(rows.upperBound): the screen has \(count).")
      }
      return rows.lowerBound - 1..<rows.upperBound
    }
  }
}
