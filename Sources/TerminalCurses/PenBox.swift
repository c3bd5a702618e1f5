import CNcurses
import Terminal

/// The pens that an open screen draws with: styles as ncurses' attributes and pairs of colours, each made once.
struct PenBox {
  struct Pen {
    var attributes: UInt32
    var pair: Int32
  }

  private let reduction: ColorReduction
  private let hasDefaultColors: Bool
  private let limit: Int
  private var pens: [TextStyle: Pen] = [:]
  /// The numbers of pairs, by their colours.
  private var pairs: [Int: Int32] = [:]

  /// For the screen that is open; `colors` is what its terminal has.
  init(colors: Int, hasDefaultColors: Bool, limit: Int) {
    self.reduction = ColorReduction(colors: colors)
    self.hasDefaultColors = hasDefaultColors
    self.limit = limit
  }

  mutating func pen(for style: TextStyle) -> Pen {
    if let pen = pens[style] { return pen }
    let foreground = reduction.reduced(style.foreground)
    let background = reduction.reduced(style.background)
    var attributes = style.attributes
    if foreground.isBrightened { attributes.insert(.bold) }
    let pen = Pen(
      attributes: UInt32(attributes.rawValue), pair: pair(foreground: foreground.number, background: background.number))
    // Styles come from themes and are few; a picture painted in cells would fill the memory.
    if pens.count >= 4096 { pens.removeAll(keepingCapacity: true) }
    pens[style] = pen
    return pen
  }

  /// The number of a pair. Where the terminal has no more, the text keeps its colour and loses its background, or
  /// loses both.
  private mutating func pair(foreground: Int32, background: Int32) -> Int32 {
    if foreground == -1, background == -1 { return 0 }
    let front = foreground == -1 && !hasDefaultColors ? 7 : foreground
    let back = background == -1 && !hasDefaultColors ? 0 : background
    let wanted = Int(front) << 32 | Int(UInt32(bitPattern: back))
    if let number = pairs[wanted] { return number }
    let number = Int32(pairs.count + 1)
    guard Int(number) < limit, qw_define_pair(number, front, back) else {
      return background == -1 ? 0 : pair(foreground: foreground, background: -1)
    }
    pairs[wanted] = number
    return number
  }
}
