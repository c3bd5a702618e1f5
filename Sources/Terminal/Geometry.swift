/// A position on the screen. The top left is (0, 0).
public struct Point: Hashable, Sendable {
  public var row: Int
  public var column: Int

  public init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }

  public static let zero = Point(row: 0, column: 0)
}

/// A number of rows and columns. Never negative.
public struct Size: Hashable, Sendable {
  public var rows: Int
  public var columns: Int

  public init(rows: Int, columns: Int) {
    self.rows = max(0, rows)
    self.columns = max(0, columns)
  }

  public static let zero = Size(rows: 0, columns: 0)

  /// The largest screen that is drawn completely. Of a larger screen, only the top left part of this size is drawn.
  /// Larger than any monitor, and small enough for its cells to fit into memory even if a terminal reports an absurd
  /// size.
  public static let largestScreen = Size(rows: 500, columns: 1000)

  /// This size, limited to ``largestScreen``.
  public var drawn: Size {
    Size(rows: min(rows, Self.largestScreen.rows), columns: min(columns, Self.largestScreen.columns))
  }
}

/// A part of the screen.
public struct Rect: Hashable, Sendable {
  public var origin: Point
  public var size: Size

  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  public init(row: Int, column: Int, rows: Int, columns: Int) {
    self.init(origin: Point(row: row, column: column), size: Size(rows: rows, columns: columns))
  }

  public static let zero = Rect(origin: .zero, size: .zero)

  public var rows: Range<Int> { origin.row..<(origin.row + size.rows) }
  public var columns: Range<Int> { origin.column..<(origin.column + size.columns) }
  public var isEmpty: Bool { size.rows == 0 || size.columns == 0 }

  public func contains(_ point: Point) -> Bool {
    rows.contains(point.row) && columns.contains(point.column)
  }

  /// Returns the area that both rectangles cover. Empty if they don't overlap.
  public func intersection(_ other: Rect) -> Rect {
    let rows = rows.clamped(to: other.rows)
    let columns = columns.clamped(to: other.columns)
    return Rect(row: rows.lowerBound, column: columns.lowerBound, rows: rows.count, columns: columns.count)
  }

  /// Returns the rectangle, moved by `point`.
  public func offset(by point: Point) -> Rect {
    Rect(
      origin: Point(row: origin.row + point.row, column: origin.column + point.column), size: size)
  }
}
