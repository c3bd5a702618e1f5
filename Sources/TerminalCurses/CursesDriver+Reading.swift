public import Terminal

/// The contents of the screen, as reported by ncurses.
extension CursesDriver {
  /// Returns a cell's text, attributes and colour numbers. A character of two columns is returned for both. A cluster
  /// with a ``Substitute`` is returned for its first column; its other columns have an empty text.
  public func cell(row: Int, column: Int) -> ScreenCell? { screen?.cell(row: row, column: column) }

  /// Returns the cell that ``cell(row:column:)`` returns after a blank in `style` is drawn. Nil if no screen is open.
  public func blank(in style: TextStyle) -> ScreenCell? { screen?.blank(in: style) }

  /// Position of the cursor; nil if the cursor is hidden.
  public var cursor: Point? { screen?.cursor }
}
