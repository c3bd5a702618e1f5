public import Terminal

/// The grid that a window's views draw in.
@MainActor
final class Surface {
  var grid: CellGrid
  let form: TextForm

  init(size: Size, form: TextForm) {
    grid = CellGrid(size: size)
    self.form = form
  }
}

/// Where a view draws: its own part of the screen, with places counted from its upper left corner.
/// What goes beyond its edges is not drawn.
@MainActor
public struct Canvas {
  private let surface: Surface
  private let frame: Rect
  private let clip: Rect
  public let theme: Theme

  init(surface: Surface, frame: Rect, clip: Rect, theme: Theme) {
    self.surface = surface
    self.frame = frame
    self.clip = clip.intersection(frame)
    self.theme = theme
  }

  /// The view's size.
  public var size: Size { frame.size }

  /// The rows that will be seen; drawing others is lost work.
  public var visibleRows: Range<Int> {
    (clip.rows.lowerBound - frame.origin.row)..<(clip.rows.upperBound - frame.origin.row)
  }

  /// The part of this canvas that `rect` covers, as a canvas.
  public func part(_ rect: Rect) -> Canvas {
    Canvas(surface: surface, frame: rect.offset(by: frame.origin), clip: clip, theme: theme)
  }

  /// Writes `text`, at most `columns` wide, cut with `…` where it is longer. Returns the columns used.
  @discardableResult
  public func write(
    _ text: String, row: Int, column: Int, style: TextStyle, columns: Int? = nil
  ) -> Int {
    let room = min(columns ?? Int.max, size.columns - column)
    guard room > 0, visibleRows.contains(row) else { return 0 }
    let text = DisplayWidth.truncated(text.namingKeys, to: room, form: surface.form)
    return surface.grid.write(
      text, at: Point(row: row + frame.origin.row, column: column + frame.origin.column), style: style, clip: clip,
      form: surface.form)
  }

  /// Writes `text` in the looks of `role`.
  @discardableResult
  public func write(
    _ text: String, row: Int, column: Int, role: StyleRole = .text, columns: Int? = nil
  ) -> Int {
    write(text, row: row, column: column, style: theme[role], columns: columns)
  }

  /// Writes runs of text one after another, and none after one that was cut. Returns the columns used.
  @discardableResult
  public func write(_ runs: [TextRun<StyleRole>], row: Int, column: Int) -> Int {
    var used = 0
    for run in runs {
      let text = run.text.namingKeys
      let room = size.columns - column - used
      used += write(text, row: row, column: column + used, role: run.attribute)
      // No text takes more columns than bytes: most need no measuring.
      if text.utf8.count > room, DisplayWidth.columns(of: text, form: surface.form) > room { break }
    }
    return used
  }

  /// Draws a line across the whole width.
  public func rule(row: Int, text: String = "─", role: StyleRole = .rule) {
    write(String(repeating: text, count: size.columns), row: row, column: 0, role: role)
  }
}
