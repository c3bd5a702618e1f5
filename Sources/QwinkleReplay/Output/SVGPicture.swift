import Terminal

/// An SVG picture of a screen inside a simple window frame. It has no scripts or external fonts. All text is positioned
/// on the grid of cells, so columns line up in any font. Equal snapshots produce equal bytes.
public struct SVGPicture: Sendable {
  private let snapshot: Snapshot
  private let title: String
  private let theme: SVGTheme
  /// Number of colours of the terminal. Determines the meaning of a cell's colour numbers.
  private let colors: Int

  /// Creates a picture of `snapshot` from a terminal with `colors` colours: 8, 16, 256 or 1 << 24. The window's bar
  /// shows `title`.
  public init(_ snapshot: Snapshot, title: String = "", colors: Int = 256, theme: SVGTheme = .dark) {
    self.snapshot = snapshot
    self.title = title
    self.theme = theme
    self.colors = colors
  }

  /// The SVG file.
  public var text: String { text(of: snapshot.cells.indices.flatMap(elements)) }

  /// Returns a file with the window's frame around `elements` of the screen.
  func text(of elements: [String], style: String = "") -> String {
    let width = snapshot.size.columns * SVGMetrics.columnWidth + 2 * SVGMetrics.margin
    let height = snapshot.size.rows * SVGMetrics.rowHeight + SVGMetrics.barHeight + SVGMetrics.margin
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)" "#
        + #"viewBox="0 0 \#(width) \#(height)" role="img">"#,
    ]
    if !title.isEmpty { lines.append("<title>\(XMLText.escaped(title))</title>") }
    if !style.isEmpty { lines.append("<style>\(style)</style>") }
    lines += frame(width: width, height: height)
    lines.append(
      #"<g transform="translate(\#(SVGMetrics.margin) \#(SVGMetrics.barHeight))" fill="\#(theme.foreground.hex)" "#
        + #"font-family="\#(SVGMetrics.fonts)" font-size="\#(SVGMetrics.fontSize)">"#)
    return (lines + elements + ["</g>", "</svg>"]).joined(separator: "\n") + "\n"
  }

  /// Returns the shapes and texts of a row.
  func elements(row: Int) -> [String] {
    let cells = painted(row: row)
    return SVGShapes.elements(of: cells, row: row, theme: theme) + SVGText.elements(of: cells, row: row, theme: theme)
  }

  private func painted(row: Int) -> [SVGCell] {
    var cells = snapshot.cells[row].enumerated().map { column, cell in
      SVGCell(column: column, cell: cell, paint: SVGPaint(cell.look, theme: theme, colors: colors))
    }
    guard let cursor = snapshot.cursor, cursor.row == row, cells.indices.contains(cursor.column) else { return cells }
    // The cursor covers both columns of a wide cell.
    let first = cells[cursor.column].cell.columns == 0 ? cursor.column - 1 : cursor.column
    for column in first..<(first + cells[first].cell.columns) {
      cells[column].paint.foreground = theme.background
      cells[column].paint.background = theme.cursor
    }
    return cells
  }

  private func frame(width: Int, height: Int) -> [String] {
    var lines = [
      #"<rect x="0.5" y="0.5" width="\#(width - 1)" height="\#(height - 1)" rx="8" "#
        + #"fill="\#(theme.background.hex)" stroke="\#(theme.frame.hex)"/>"#
    ]
    let middle = SVGMetrics.barHeight / 2
    for button in 0..<3 {
      lines.append(
        #"<circle cx="\#(SVGMetrics.margin + 6 + 18 * button)" cy="\#(middle)" r="5" fill="\#(theme.frame.hex)"/>"#)
    }
    if !title.isEmpty {
      lines.append(
        #"<text x="\#(width / 2)" y="\#(middle + 4)" text-anchor="middle" fill="\#(theme.title.hex)" "#
          + #"font-family="\#(SVGMetrics.fonts)" font-size="13">\#(XMLText.escaped(title))</text>"#)
    }
    return lines
  }
}

/// Sizes in SVG user units, which are pixels at 100 %.
enum SVGMetrics {
  static let columnWidth = 9
  static let rowHeight = 18
  /// Distance from the top of a row to its baseline.
  static let baseline = 14
  /// A letter of this size is 9 units wide in most monospaced fonts.
  static let fontSize = 15
  /// Margin at the left, right and bottom of the screen.
  static let margin = 14
  /// Height of the window's bar above the screen.
  static let barHeight = 36
  /// Font stack: the viewer uses the first available font.
  static let fonts =
    "ui-monospace, 'SF Mono', Menlo, 'Cascadia Mono', 'DejaVu Sans Mono', 'Liberation Mono', Consolas, monospace"
}

/// A cell and how to paint it.
struct SVGCell {
  let column: Int
  let cell: SnapshotCell
  var paint: SVGPaint

  /// Whether the cell has no visible text.
  var isBlank: Bool { cell.text.unicodeScalars.allSatisfy { $0 == " " || $0 == "\u{A0}" } }
}
