import CNcurses
import Terminal

/// Translates styles to ncurses attributes and colour pairs for the open screen. Each pair is defined once.
struct ColorPairCache {
  /// A style's ncurses attributes and colour pair.
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
  /// Pair numbers by their colours.
  private var pairs: [ExactColors.Pair: Int32] = [:]
  /// Codes in place of 24-bit colours. Nil if ncurses draws the colours itself.
  private var exact: ExactColors?

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - colors: Number of colours to use.
  ///   - described: Number of colours in the terminal's description.
  ///   - limit: Pair numbers must be less than this.
  init(colors: Int, described: Int, hasDefaultColors: Bool, limit: Int) {
    let isDirect = described >= ColorSupport.exact
    exact = colors >= ColorSupport.exact && !isDirect ? ExactColors() : nil
    // With a description of 24-bit colours, only the numbers 0 to 7 are colours of the palette.
    reduction = ColorReduction(colors: colors, firstExact: isDirect ? 8 : exact == nil ? 256 : 16)
    self.hasDefaultColors = hasDefaultColors || exact != nil
    self.limit = exact == nil ? limit : min(limit, ExactColors.limit)
  }

  /// Returns the output of ncurses with the colours that the cache has assigned.
  func expanding(_ bytes: [UInt8]) -> [UInt8] { exact?.expanding(bytes) ?? bytes }

  /// Replaces the colours of a cell that ncurses has reported with the ones that the terminal shows.
  func restoreColors(of cell: inout ScreenCell) {
    let code = ExactColors.Pair(front: Int32(cell.foreground), back: Int32(cell.background))
    guard let pair = exact?.pair(withCode: code) else { return }
    (cell.foreground, cell.background) = (Int(pair.front), Int(pair.back))
  }

  /// Whether to discard all pairs before a frame of `cells` cells: more than half of the pairs are in use, and the
  /// frame would need more than are left if each cell had different colours, as in a picture.
  func mayRunOut(cells: Int) -> Bool {
    // Discarding the pairs would not help a terminal with few pairs. Such a terminal also has few colours, so each
    // frame would need the same pairs again.
    limit >= Self.manyPairs && pairs.count > limit / 2 && pairs.count + cells >= limit
  }

  /// Discards all pairs. Text on the screen loses its colours, so the whole screen must be drawn again.
  mutating func forget() {
    looks.removeAll(keepingCapacity: true)
    pairs.removeAll(keepingCapacity: true)
    exact?.removeAll()
  }

  mutating func look(of style: TextStyle) -> Look {
    if let look = looks[style] { return look }
    let reduced = reduced(style)
    let look = Look(
      attributes: UInt32(reduced.attributes.rawValue),
      pair: pair(foreground: reduced.foreground, background: reduced.background))
    // Themes have few styles, but pictures drawn in cells have so many that the cache would grow without limit.
    if looks.count >= Self.maximumLooks { looks.removeAll(keepingCapacity: true) }
    looks[style] = look
    return look
  }

  /// Returns a blank cell in `style`, as ncurses reports it if a colour pair was available.
  func blank(in style: TextStyle) -> ScreenCell {
    let reduced = reduced(style)
    let colors = colors(reduced.foreground, reduced.background)
    return ScreenCell(
      text: " ", columns: 1, attributes: reduced.attributes, foreground: Int(colors.front),
      background: Int(colors.back))
  }

  /// Returns a style's attributes and colour numbers on this terminal.
  private func reduced(_ style: TextStyle) -> (attributes: TextStyle.Attributes, foreground: Int32, background: Int32) {
    let foreground = reduction.reduced(style.foreground)
    let background = reduction.reduced(style.background)
    var attributes = style.attributes
    if foreground.isBrightened { attributes.insert(.bold) }
    // A monochrome terminal shows cells with a background colour in reverse video.
    if reduction.isMonochrome, style.background != .standard { attributes.insert(.reverse) }
    return (attributes, foreground.number, background.number)
  }

  /// Returns the colours that ncurses draws in place of these colours. -1 is the terminal's default colour. If ncurses
  /// supports default colours only in pair 0, all other pairs use white and black instead.
  private func colors(_ foreground: Int32, _ background: Int32) -> ExactColors.Pair {
    if hasDefaultColors || (foreground == -1 && background == -1) {
      return ExactColors.Pair(front: foreground, back: background)
    }
    return ExactColors.Pair(front: foreground == -1 ? 7 : foreground, back: background == -1 ? 0 : background)
  }

  /// Returns the number of a pair. If no pairs are left, drops the background, then the foreground too.
  private mutating func pair(foreground: Int32, background: Int32) -> Int32 {
    if foreground == -1, background == -1 { return 0 }
    let wanted = colors(foreground, background)
    if let number = pairs[wanted] { return number }
    let number = Int32(pairs.count + 1)
    guard Int(number) < limit, define(wanted, number) else {
      return background == -1 ? 0 : pair(foreground: foreground, background: -1)
    }
    pairs[wanted] = number
    return number
  }

  private mutating func define(_ pair: ExactColors.Pair, _ number: Int32) -> Bool {
    guard let code = exact?.add(pair) else { return qw_define_pair(number, pair.front, pair.back) }
    if qw_define_pair(number, code.front, code.back) { return true }
    exact?.removeLast()
    return false
  }
}
