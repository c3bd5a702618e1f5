public import Terminal

/// The contents of the screen, as reported by ncurses.
extension CursesDriver {
  /// Returns a cell's text, attributes and colour numbers. A wide cluster is returned for each of its columns.
  public func cell(row: Int, column: Int) -> ScreenCell? { screen?.cell(row: row, column: column) }

  /// Returns a blank cell in `style`, as ``cell(row:column:)`` returns it once drawn. Nil if no screen is open.
  public func blank(in style: TextStyle) -> ScreenCell? { screen?.blank(in: style) }

  /// Position of the cursor; nil if the cursor is hidden.
  public var cursor: Point? { screen?.cursor }
}
