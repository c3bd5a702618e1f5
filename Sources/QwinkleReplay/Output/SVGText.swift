import Terminal

/// Draws the text of a row. Letters found in every monospaced font are grouped into runs of one style, with at most one
/// blank between two letters. Every other character is centred in its own cell, because the viewer's font may give it
/// another width.
enum SVGText {
  static func elements(of cells: [SVGCell], row: Int, theme: SVGTheme) -> [String] {
    var runs: [Run] = []
    for cell in cells where cell.cell.columns > 0 && !cell.isBlank && !SVGShapes.isShape(cell.cell.text) {
      if let last = runs.last, last.takes(cell) {
        runs[runs.count - 1].append(cell)
      } else {
        runs.append(Run(cell))
      }
    }
    return runs.map { $0.element(row: row, theme: theme) }
  }
}

private struct Run {
  private let column: Int
  private let paint: SVGPaint
  private let isPlain: Bool
  private var columns: Int
  private var text: String

  init(_ cell: SVGCell) {
    column = cell.column
    paint = cell.paint
    isPlain = Self.isPlain(cell.cell)
    columns = cell.cell.columns
    text = cell.cell.text
  }

  func takes(_ cell: SVGCell) -> Bool {
    isPlain && Self.isPlain(cell.cell) && cell.column - (column + columns) <= 1 && paint.hasLetters(of: cell.paint)
  }

  mutating func append(_ cell: SVGCell) {
    if cell.column > column + columns { text += " " }
    text += cell.cell.text
    columns = cell.column + 1 - column
  }

  /// Whether the cell's text is a single Latin, Greek or Cyrillic character or common punctuation.
  private static func isPlain(_ cell: SnapshotCell) -> Bool {
    guard cell.columns == 1, let scalar = cell.text.unicodeScalars.first, cell.text.unicodeScalars.count == 1 else {
      return false
    }
    switch scalar.value {
    case 0x300..<0x370: return false
    case ..<0x530, 0x2010...0x2027: return true
    default: return false
    }
  }

  func element(row: Int, theme: SVGTheme) -> String {
    let left = column * SVGMetrics.columnWidth
    let width = columns * SVGMetrics.columnWidth
    let baseline = row * SVGMetrics.rowHeight + SVGMetrics.baseline
    var attributes: [(name: String, value: String)] = []
    if isPlain {
      attributes += [("x", "\(left)"), ("y", "\(baseline)")]
      attributes += [("textLength", "\(width)"), ("lengthAdjust", "spacingAndGlyphs")]
    } else {
      // The middle of an odd width is at half a unit.
      attributes += [("x", width.isMultiple(of: 2) ? "\(left + width / 2)" : "\(left + width / 2).5")]
      attributes += [("y", "\(baseline)"), ("text-anchor", "middle")]
    }
    if paint.foreground != theme.foreground { attributes.append(("fill", paint.foreground.hex)) }
    if paint.isBold { attributes.append(("font-weight", "bold")) }
    if paint.isItalic { attributes.append(("font-style", "italic")) }
    let words = attributes.map { " \($0.name)=\"\($0.value)\"" }.joined()
    return "<text\(words)>\(XMLText.escaped(text))</text>"
  }
}
