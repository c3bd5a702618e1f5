/// A cell of the screen.
public struct Cell: Hashable, Sendable {
  /// One character with its marks, which every terminal draws `columns` wide, or a cluster of several characters. For a
  /// cluster, `columns` columns are reserved, however wide the terminal draws it. A text of several columns is in the
  /// first of its cells, and its other cells are empty.
  public var text: String
  /// Number of columns of ``text``. It is 0 in the empty cells of a wide cluster, otherwise at least 1.
  public var columns: UInt8
  public var style: TextStyle

  /// A blank cell.
  public init(style: TextStyle = .plain) {
    self.text = " "
    self.columns = 1
    self.style = style
  }

  init(text: String, columns: UInt8, style: TextStyle) {
    self.text = text
    self.columns = columns
    self.style = style
  }
}

/// The contents of a screen or a part of it. Divides text into cells: each row always has as many columns as the grid,
/// and no wide cluster is cut in half.
public struct CellGrid: Hashable, Sendable {
  public let size: Size
  private var cells: [Cell]

  /// A blank grid.
  public init(size: Size) {
    self.size = size
    self.cells = Array(repeating: Cell(), count: size.rows * size.columns)
  }

  /// The cell at a position inside the grid.
  public subscript(row: Int, column: Int) -> Cell {
    cells[row * size.columns + column]
  }

  /// The cells of a row.
  public func row(_ row: Int) -> ArraySlice<Cell> {
    cells[(row * size.columns)..<((row + 1) * size.columns)]
  }

  /// Returns the characters of a row, without trailing spaces.
  public func text(ofRow row: Int) -> String {
    var text = self.row(row).map(\.text).joined()
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The characters of all rows, one row per line.
  public var text: String {
    (0..<size.rows).map(text(ofRow:)).joined(separator: "\n")
  }

  /// Copies a row from a grid of the same size.
  public mutating func copy(row: Int, from other: CellGrid) {
    let range = (row * size.columns)..<((row + 1) * size.columns)
    cells.replaceSubrange(range, with: other.cells[range])
  }

  /// Returns the grid, cropped or padded with blanks.
  public func fitted(to size: Size) -> CellGrid {
    var grid = CellGrid(size: size)
    let columns = min(size.columns, self.size.columns)
    for row in 0..<min(size.rows, self.size.rows) {
      let start = row * size.columns
      for column in 0..<columns { grid.cells[start + column] = self[row, column] }
      // A wide cluster that crosses the edge isn't drawn.
      if columns < self.size.columns, self[row, columns].columns == 0 { grid.blank(upTo: start + columns) }
    }
    return grid
  }

  /// Fills `rect` with blanks in `style`.
  public mutating func fill(_ rect: Rect, style: TextStyle = .plain) {
    let rect = rect.intersection(bounds)
    guard !rect.isEmpty else { return }
    for row in rect.rows {
      splitWide(row: row, column: rect.columns.lowerBound)
      splitWide(row: row, column: rect.columns.upperBound)
      let start = row * size.columns
      for column in rect.columns { cells[start + column] = Cell(style: style) }
    }
  }

  /// Writes `text` from `point` on. Skips clusters that begin before the left edge of `clip` and stops before the first
  /// one that crosses the right edge. Returns the number of columns from `point` to the end of the last cluster written
  /// or skipped, or 0 if the row is outside `clip`.
  @discardableResult
  public mutating func write(
    _ text: some StringProtocol, at point: Point, style: TextStyle, clip: Rect? = nil, form: TextForm = .current
  ) -> Int {
    let clip = (clip ?? bounds).intersection(bounds)
    guard clip.rows.contains(point.row) else { return 0 }
    var column = point.column
    var last: (cluster: Character, drawn: RenderedGrapheme, column: Int)?
    for cluster in text {
      var drawn = RenderedGrapheme(reducing: cluster, form: form)
      var first = column
      if let last, let joined = last.drawn.joined(to: drawn, cluster, after: last.cluster, form: form) {
        (drawn, first) = (joined, last.column)
      }
      guard first + drawn.columns <= clip.columns.upperBound else { break }
      if first >= clip.columns.lowerBound { put(drawn, row: point.row, column: first, style: style, form: form) }
      column = first + drawn.columns
      // No cluster is joined to an ASCII character before it.
      last = drawn.text.utf8.count > 1 ? (cluster, drawn, first) : nil
    }
    return column - point.column
  }

  private var bounds: Rect { Rect(origin: .zero, size: size) }

  private mutating func put(_ drawn: RenderedGrapheme, row: Int, column: Int, style: TextStyle, form: TextForm) {
    splitWide(row: row, column: column)
    splitWide(row: row, column: column + drawn.columns)
    let index = row * size.columns + column
    guard drawn.hasSeveralCells(in: form) else { return put(drawn, index: index, style: style) }
    var next = index
    for piece in drawn.pieces(in: form) {
      put(piece, index: next, style: style)
      next += piece.columns
    }
  }

  private mutating func put(_ drawn: RenderedGrapheme, index: Int, style: TextStyle) {
    cells[index] = Cell(text: drawn.text, columns: UInt8(drawn.columns), style: style)
    for further in 1..<max(1, drawn.columns) { cells[index + further] = Cell(text: "", columns: 0, style: style) }
  }

  /// Blanks a wide cluster that crosses the left edge of `column`.
  private mutating func splitWide(row: Int, column: Int) {
    guard column > 0, column < size.columns else { return }
    let index = row * size.columns + column
    guard cells[index].columns == 0 else { return }
    blank(upTo: index)
    for further in index..<((row + 1) * size.columns) {
      guard cells[further].columns == 0 else { break }
      cells[further] = Cell(style: cells[further].style)
    }
  }

  /// Blanks the part of a wide cluster that is before `index`. The cell at `index` belongs to the cluster and isn't its
  /// first cell.
  private mutating func blank(upTo index: Int) {
    var index = index
    repeat {
      index -= 1
      let isFurther = cells[index].columns == 0
      cells[index] = Cell(style: cells[index].style)
      if !isFurther { return }
    } while index > 0
  }
}
