import CNcurses
import Terminal

/// Styles as ncurses' attributes and colour pairs, for the screen that is open. Each pair is defined once.
struct ColorPairCache {
  /// A style as ncurses draws it.
  struct Look {
    var attributes: UInt32
    var pair: Int32
  }

  private static let maximumLooks = 4096
  private static let manyPairs = 16_384

  private let reduction: ColorReduction
  private let hasDefaultColors: Bool
  private let limit: Int
  private var looks: [TextStyle: Look] = [:]
  /// The numbers of pairs, by their colours.
  private var pairs: [Int: Int32] = [:]

  /// `colors` is what the terminal has; `limit` is one more than the number of its pairs.
  init(colors: Int, hasDefaultColors: Bool, limit: Int) {
    self.reduction = ColorReduction(colors: colors)
    self.hasDefaultColors = hasDefaultColors
    self.limit = limit
  }

  /// Whether a frame with so many cells might need more pairs than are left, each cell having colours of its own, as in
  /// a picture.
  func mayRunOut(cells: Int) -> Bool {
    // Where there are few, a picture has few colours, too, and each frame would need them again.
    limit >= Self.manyPairs && pairs.count > limit / 2 && pairs.count + cells >= limit
  }

  /// Has all pairs be defined anew. What is on the screen has lost its colours by then.
  mutating func forget() {
    looks.removeAll(keepingCapacity: true)
    pairs.removeAll(keepingCapacity: true)
  }

  mutating func look(of style: TextStyle) -> Look {
    if let look = looks[style] { return look }
    let reduced = reduced(style)
    let look = Look(
      attributes: UInt32(reduced.attributes.rawValue),
      pair: pair(foreground: reduced.foreground, background: reduced.background))
    // Themes have few styles; a picture painted in cells would fill the memory.
    if looks.count >= Self.maximumLooks { looks.removeAll(keepingCapacity: true) }
    looks[style] = look
    return look
  }

  /// A blank cell in `style`, as ncurses reports it while pairs are left.
  func blank(in style: TextStyle) -> ScreenCell {
    let reduced = reduced(style)
    let colors = colors(reduced.foreground, reduced.background)
    return ScreenCell(
      text: " ", columns: 1, attributes: reduced.attributes, foreground: Int(colors.front),
      background: Int(colors.back))
  }

  /// A style's attributes, and its colours by number, on this terminal.
  private func reduced(_ style: TextStyle) -> (attributes: TextStyle.Attributes, foreground: Int32, background: Int32) {
    let foreground = reduction.reduced(style.foreground)
    let background = reduction.reduced(style.background)
    var attributes = style.attributes
    if foreground.isBrightened { attributes.insert(.bold) }
    // Without colours, reverse is what sets a background apart.
    if reduction.isMonochrome, style.background != .standard { attributes.insert(.reverse) }
    return (attributes, foreground.number, background.number)
  }

  /// The colours that ncurses draws with: without default colours, only pair 0 has the terminal's own.
  private func colors(_ foreground: Int32, _ background: Int32) -> (front: Int32, back: Int32) {
    if hasDefaultColors || (foreground == -1 && background == -1) { return (foreground, background) }
    return (foreground == -1 ? 7 : foreground, background == -1 ? 0 : background)
  }

  /// The number of a pair. When the terminal has no more, the text keeps its colour and loses its background, or
  /// loses both.
  private mutating func pair(foreground: Int32, background: Int32) -> Int32 {
    if foreground == -1, background == -1 { return 0 }
    let (front, back) = colors(foreground, background)
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
