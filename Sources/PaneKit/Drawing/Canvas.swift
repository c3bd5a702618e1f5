public import Terminal

/// The grid that a window's views draw into.
@MainActor
final class Surface {
  var grid: CellGrid
  let form: TextForm

  /// - Parameter former: The surface that this one replaces, if any. Links have the same numbers on both.
  init(size: Size, form: TextForm, after former: Surface? = nil) {
    grid = former?.grid.blank(size: size) ?? CellGrid(size: size)
    self.form = form
  }
}

/// The area that a view draws into. Coordinates are relative to the area's upper left corner. Drawing outside of it has
/// no effect.
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

  public var size: Size { frame.size }

  /// The visible rows. Drawing other rows has no effect.
  public var visibleRows: Range<Int> {
    (clip.rows.lowerBound - frame.origin.row)..<(clip.rows.upperBound - frame.origin.row)
  }

  /// Returns a canvas for the part of this canvas within `rect`.
  public func part(_ rect: Rect) -> Canvas {
    Canvas(surface: surface, frame: rect.offset(by: frame.origin), clip: clip, theme: theme)
  }

  /// Writes `text`, truncated with `…` if it is wider than `columns` or the rest of the row. Returns the number of
  /// columns used, or 0 if the row isn't visible.
  @discardableResult
  public func write(
    _ text: String, row: Int, column: Int, style: TextStyle, link: TextLink? = nil, columns: Int? = nil
  ) -> Int {
    let room = min(columns ?? Int.max, size.columns - column)
    guard room > 0, visibleRows.contains(row) else { return 0 }
    let text = DisplayWidth.truncated(text.namingKeys, to: room, form: surface.form)
    let used = surface.grid.write(
      text, at: Point(row: row + frame.origin.row, column: column + frame.origin.column), style: style, clip: clip,
      form: surface.form)
    if let link, used > 0 {
      let start = column + frame.origin.column
      surface.grid.add(link, toColumns: start..<(start + used), row: row + frame.origin.row, clip: clip)
    }
    return used
  }

  /// Fills columns of a row with blanks.
  public func fill(columns: Range<Int>, row: Int, style: TextStyle) {
    let part = Rect(row: row, column: columns.lowerBound, rows: 1, columns: columns.count).offset(by: frame.origin)
    surface.grid.fill(part.intersection(clip), style: style)
  }

  /// Writes `text` in the style of `role`, as a part of `link` if that isn't nil.
  @discardableResult
  public func write(
    _ text: String, row: Int, column: Int, role: StyleRole = .text, link: TextLink? = nil, columns: Int? = nil
  ) -> Int {
    write(text, row: row, column: column, style: theme[role], link: link, columns: columns)
  }

  /// Writes runs of text in sequence. Stops after the first run that is truncated. Returns the number of columns used.
  @discardableResult
  public func write(_ runs: [TextRun<StyleRole>], row: Int, column: Int) -> Int {
    var used = 0
    for run in runs {
      let text = run.text.namingKeys
      let room = size.columns - column - used
      used += write(text, row: row, column: column + used, role: run.attribute, link: run.link)
      // The width of a text never exceeds its number of bytes, so most texts need no measuring.
      if text.utf8.count > room, DisplayWidth.columns(of: text, form: surface.form) > room { break }
    }
    return used
  }
}
