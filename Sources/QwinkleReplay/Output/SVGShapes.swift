import Terminal

/// Draws shapes for everything that must fill its cells without gaps: backgrounds, underlines, lines and blocks.
enum SVGShapes {
  /// Returns the shapes of a row, back to front.
  static func elements(of cells: [SVGCell], row: Int, theme: SVGTheme) -> [String] {
    let top = row * SVGMetrics.rowHeight
    var below: [Shape] = []
    var above: [Shape] = []
    for cell in cells {
      let left = cell.column * SVGMetrics.columnWidth
      let whole = Shape(left, top, SVGMetrics.columnWidth, SVGMetrics.rowHeight, cell.paint.background)
      if cell.paint.background != theme.background { whole.join(&below) }
      for part in parts(of: cell.cell.text) {
        Shape(left + part.left, top + part.top, part.width, part.height, cell.paint.foreground).join(&above)
      }
      guard cell.paint.isUnderlined else { continue }
      Shape(left, top + SVGMetrics.baseline + 2, SVGMetrics.columnWidth, 1, cell.paint.foreground).join(&above)
    }
    return (below + above).map(\.element)
  }

  /// Whether the text is drawn as shapes.
  static func isShape(_ text: String) -> Bool { !parts(of: text).isEmpty }

  private typealias Part = (left: Int, top: Int, width: Int, height: Int)

  /// Returns the rectangles of a character, or none if it is not drawn as shapes.
  private static func parts(of text: String) -> [Part] {
    guard let scalar = text.unicodeScalars.first, (0x2500..<0x25A0).contains(scalar.value),
      text.unicodeScalars.count == 1
    else { return [] }
    if let arms = arms[scalar] { return lines(arms, thickness: 1) }
    if let arms = heavyArms[scalar] { return lines(arms, thickness: 2) }
    return block(scalar).map { [$0] } ?? []
  }

  // MARK: Lines

  /// The directions in which lines run from the centre of a cell.
  private struct Arms: OptionSet {
    let rawValue: Int
    static let left = Arms(rawValue: 1)
    static let right = Arms(rawValue: 2)
    static let up = Arms(rawValue: 4)
    static let down = Arms(rawValue: 8)
  }

  private static let arms: [Unicode.Scalar: Arms] = [
    "─": [.left, .right], "│": [.up, .down], "┌": [.right, .down], "┐": [.left, .down], "└": [.right, .up],
    "┘": [.left, .up], "├": [.right, .up, .down], "┤": [.left, .up, .down], "┬": [.left, .right, .down],
    "┴": [.left, .right, .up], "┼": [.left, .right, .up, .down],
  ]

  private static let heavyArms: [Unicode.Scalar: Arms] = ["━": [.left, .right], "┃": [.up, .down]]

  private static func lines(_ arms: Arms, thickness: Int) -> [Part] {
    let (width, height) = (SVGMetrics.columnWidth, SVGMetrics.rowHeight)
    let (middle, centre) = (width / 2, height / 2)
    var parts: [Part] = []
    if !arms.isDisjoint(with: [.left, .right]) {
      let left = arms.contains(.left) ? 0 : middle
      parts.append((left, centre, (arms.contains(.right) ? width : middle + thickness) - left, thickness))
    }
    if !arms.isDisjoint(with: [.up, .down]) {
      let top = arms.contains(.up) ? 0 : centre
      parts.append((middle, top, thickness, (arms.contains(.down) ? height : centre + thickness) - top))
    }
    return parts
  }

  // MARK: Blocks

  /// Returns the rectangle of a block character from U+2580 to U+2595, or nil for characters with several rectangles or
  /// shading.
  private static func block(_ scalar: Unicode.Scalar) -> Part? {
    let (width, height) = (SVGMetrics.columnWidth, SVGMetrics.rowHeight)
    func rows(_ eighths: Int) -> Int { (height * eighths + 4) / 8 }
    func columns(_ eighths: Int) -> Int { (width * eighths + 4) / 8 }
    switch Int(scalar.value) {
    case 0x2580: return (0, 0, width, rows(4))
    case let value where (0x2581...0x2588).contains(value):
      let rows = rows(value - 0x2580)
      return (0, height - rows, width, rows)
    case let value where (0x2589...0x258F).contains(value): return (0, 0, columns(0x2590 - value), height)
    case 0x2590: return (columns(4), 0, width - columns(4), height)
    case 0x2594: return (0, 0, width, rows(1))
    case 0x2595: return (width - columns(1), 0, columns(1), height)
    default: return nil
    }
  }
}

/// A rectangle in one colour.
private struct Shape {
  let left: Int
  let top: Int
  var width: Int
  let height: Int
  let color: SVGColor

  init(_ left: Int, _ top: Int, _ width: Int, _ height: Int, _ color: SVGColor) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
    self.color = color
  }

  /// Extends the last of `shapes` if this rectangle continues it. Otherwise appends this rectangle.
  func join(_ shapes: inout [Shape]) {
    if let last = shapes.last, last.left + last.width == left, last.top == top, last.height == height,
      last.color == color
    {
      shapes[shapes.count - 1].width += width
    } else {
      shapes.append(self)
    }
  }

  var element: String {
    #"<rect x="\#(left)" y="\#(top)" width="\#(width)" height="\#(height)" fill="\#(color.hex)" "#
      + #"shape-rendering="crispEdges"/>"#
  }
}
