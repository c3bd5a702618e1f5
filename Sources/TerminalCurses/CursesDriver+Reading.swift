public import Terminal

/// What the terminal shows, by ncurses' account.
extension CursesDriver {
  /// A cell's text, and its style with colours by their numbers. A wide cluster is in both of its columns.
  public func cell(row: Int, column: Int) -> ScreenCell? { screen?.cell(row: row, column: column) }

  /// Where the cursor stands; nil while it is hidden.
  public var cursor: Point? { screen?.cursor }

  /// All rows, one a line, without the blanks at their ends.
  public var screenText: String {
    (0..<size.rows).map { row in
      var text = ""
      var column = 0
      while column < size.columns, let cell = cell(row: row, column: column) {
        text += cell.text
        column += cell.columns
      }
      while text.last == " " { text.removeLast() }
      return text
    }.joined(separator: "\n")
  }
}
