/// The contents of a screen or a part of it. Divides text into cells: each row always has as many columns as the grid,
/// and no wide cluster is cut in half.
public struct CellGrid: Hashable, Sendable {
  public let size: Size
  /// The links of the cells.
  public private(set) var links = LinkTable()
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
    var grid = blank(size: size)
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
    let blank = Cell(style: style)
    for row in rect.rows {
      splitWide(row: row, column: rect.columns.lowerBound)
      splitWide(row: row, column: rect.columns.upperBound)
      let start = row * size.columns
      for column in rect.columns { cells[start + column] = blank }
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
    var rest = Substring(text)
    var column = point.column
    var last: (cluster: Character, drawn: RenderedGrapheme, column: Int)?
    while !rest.isEmpty {
      // A joiner at the end of a cluster joins it to a plain letter that follows.
      if last?.cluster.unicodeScalars.last != "\u{200D}" {
        let plain = writePlain(
          rest, row: point.row, column: column, style: style, clip: clip.columns, form: form)
        if plain.bytes > 0 { last = nil }
        column += plain.columns
        rest = rest[rest.utf8.index(rest.startIndex, offsetBy: plain.bytes)...]
        if plain.isCut || rest.isEmpty { break }
      }
      let cluster = rest.removeFirst()
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

  /// Writes the plain scalars at the start of `text`. `isCut` is true if the next one crosses the right edge of `clip`.
  private mutating func writePlain(
    _ text: Substring, row: Int, column: Int, style: TextStyle, clip: Range<Int>, form: TextForm
  ) -> (bytes: Int, columns: Int, isCut: Bool) {
    var end = column
    var isCut = false
    var hasWritten = false
    let style = style.packed
    let start = row * size.columns
    let bytes = text.utf8.withContiguousStorageIfAvailable { bytes in
      PlainScalar.forEach(in: bytes, form: form) { scalar, columns in
        isCut = end + columns > clip.upperBound
        guard !isCut else { return false }
        if end >= clip.lowerBound {
          if !hasWritten { splitWide(row: row, column: end) }
          hasWritten = true
          cells[start + end] = Cell(scalar: scalar, columns: columns, style: style)
          if columns > 1 { cells[start + end + 1] = Cell(scalar: 0, columns: 0, style: style) }
        }
        end += columns
        return true
      }
    }
    if hasWritten { blankRest(ofWideIn: row, from: end) }
    return (bytes ?? 0, end - column, isCut)
  }

  /// Returns the link in a cell, or nil if the cell is outside the grid or in no link.
  public func link(at point: Point) -> TextLink? {
    bounds.contains(point) ? links[self[point.row, point.column].link] : nil
  }

  /// Adds written columns of a row to `link`.
  public mutating func add(_ link: TextLink, toColumns columns: Range<Int>, row: Int, clip: Rect? = nil) {
    let clip = (clip ?? bounds).intersection(bounds)
    let columns = columns.clamped(to: clip.columns)
    guard clip.rows.contains(row), !columns.isEmpty else { return }
    let number = links.number(of: link)
    for column in columns { cells[row * size.columns + column].link = number }
  }

  /// Whether links must be removed before many others are added.
  public var hasManyLinks: Bool { links.isCrowded }

  /// Removes all links. Their numbers get another meaning, so the whole grid must be sent to the terminal again.
  public mutating func removeLinks() {
    links = LinkTable()
    for index in cells.indices where cells[index].link != 0 { cells[index].link = 0 }
  }

  /// A blank grid that preserves the numbers of links.
  public func blank(size: Size) -> CellGrid {
    var grid = CellGrid(size: size)
    grid.links = links
    return grid
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
    blankRest(ofWideIn: row, from: column)
  }

  /// Blanks the columns of a wide cluster from `column` on, if one begins before that.
  private mutating func blankRest(ofWideIn row: Int, from column: Int) {
    guard column < size.columns else { return }
    for index in (row * size.columns + column)..<((row + 1) * size.columns) {
      guard cells[index].columns == 0 else { break }
      cells[index] = Cell(style: cells[index].style)
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
