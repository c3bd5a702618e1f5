public import Terminal

/// What the terminal shows, by ncurses' account.
extension CursesDriver {
  /// A cell's text, and its style with colours by their numbers. A wide cluster is in both of its columns.
  public func cell(row: Int, column: Int) -> ScreenCell? { screen?.cell(row: row, column: column) }

  /// A blank cell in `style`, as ``cell(row:column:)`` returns it once drawn; nil if no screen is open.
  public func blank(in style: TextStyle) -> ScreenCell? { screen?.blank(in: style) }

  /// Where the cursor stands; nil while it is hidden.
  public var cursor: Point? { screen?.cursor }
}
