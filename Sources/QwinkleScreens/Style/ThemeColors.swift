public import PaneKit
public import Terminal

/// An RGB colour, with its contrast to other colours.
///
/// Source: <https://www.w3.org/TR/WCAG21/#contrast-minimum>.
public struct ColorParts: Hashable, Sendable {
  let red: Int
  let green: Int
  let blue: Int

  init(_ red: Int, _ green: Int, _ blue: Int) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  init(_ value: Int) { self.init(value >> 16 & 255, value >> 8 & 255, value & 255) }

  private var luminance: Double {
    func part(_ value: Int) -> Double {
      let share = Double(value) / 255
      guard share > 0.03928 else { return share / 12.92 }
      // The formula is ((x + 0.055) / 1.055) to the power of 2.4. To avoid a library's pow, the power is computed as
      // the fifth root of the twelfth power.
      return Self.power(share)
    }
    return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
  }

  private static func power(_ share: Double) -> Double {
    let base = (share + 0.055) / 1.055
    let twelfth = base * base * base * base * base * base * base * base * base * base * base * base
    var root = max(base * base, 0.0001)
    for _ in 0..<40 { root = (4 * root + twelfth / (root * root * root * root)) / 5 }
    return root
  }

  /// Returns the contrast ratio, from 1 to 21.
  public func contrast(to other: ColorParts) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  func distance(to other: ColorParts) -> Int {
    let (red, green, blue) = (red - other.red, green - other.green, blue - other.blue)
    return 2 * red * red + 4 * green * green + 3 * blue * blue
  }
}

/// The colour values of common terminal palettes.
public enum TerminalPalette: String, CaseIterable, Sendable {
  case xterm
  case console = "Linux console"

  public var colors: [ColorParts] {
    switch self {
    case .xterm:
      [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00,
        0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
      ].map(ColorParts.init)
    case .console:
      [
        0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA, 0x555555, 0xFF5555, 0x55FF55,
        0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF,
      ].map(ColorParts.init)
    }
  }

  /// Entries 16 to 255: the colour cube and the greys. They are the same in all terminals with 256 colours.
  static let cube: [ColorParts] = {
    let levels = [0, 95, 135, 175, 215, 255]
    let cube = (0..<216).map { ColorParts(levels[$0 / 36], levels[$0 / 6 % 6], levels[$0 % 6]) }
    return cube + (0..<24).map { ColorParts(8 + 10 * $0, 8 + 10 * $0, 8 + 10 * $0) }
  }()

  /// Returns the RGB values of a colour, or nil for the terminal's default colour.
  public func parts(of color: TerminalColor) -> ColorParts? {
    switch color {
    case .standard: nil
    case .palette(let index): colors[Int(min(index, 15))]
    case .rgb(let red, let green, let blue): ColorParts(Int(red), Int(green), Int(blue))
    }
  }
}

extension Theme {
  /// The minimum contrast for text at WCAG level AA.
  public static let leastContrast = 4.5

  /// Returns the theme for a terminal with the given number of colours. The nearest readable colours replace
  /// unavailable ones. With fewer than 8 colours, the theme has no colours, only attributes.
  public func adapted(toColors colors: Int) -> Theme {
    guard colors < 1 << 24 else { return self }
    let text = self[.text]
    // Styles on the theme's background share one reduced background. Other styles, such as the selection, get a
    // different one.
    let backs =
      text.background == .standard || text.isPaletteOnly ? nil : Self.back(of: Self.reduced(text, to: min(colors, 16)))
    return map { style in
      let isOnText = style.background == text.background
      let allowed = (0..<8).filter { backs == nil || (($0 == backs) == isOnText) }
      return switch colors {
      case 256...: style.isPaletteOnly ? style : Self.cubed(style)
      case 8...: style.isPaletteOnly && colors >= 16 ? style : Self.reduced(style, to: min(colors, 16), on: allowed)
      default:
        TextStyle(.standard, on: .standard, style.attributes.union(style.background == .standard ? [] : .reverse))
      }
    }
  }

  private static func cubed(_ style: TextStyle) -> TextStyle {
    func color(_ parts: ColorParts) -> TerminalColor {
      .rgb(red: UInt8(parts.red), green: UInt8(parts.green), blue: UInt8(parts.blue))
    }
    func nearest(to parts: ColorParts, on background: ColorParts?) -> ColorParts {
      let fitting = TerminalPalette.cube.filter { background.map($0.contrast) ?? 21 >= leastContrast + 0.05 }
      return fitting.min { $0.distance(to: parts) < $1.distance(to: parts) } ?? parts
    }
    var style = style
    let background = TerminalPalette.xterm.parts(of: style.background).map { nearest(to: $0, on: nil) }
    if let background { style.background = color(background) }
    if case .rgb = style.foreground, let parts = TerminalPalette.xterm.parts(of: style.foreground) {
      style.foreground = color(nearest(to: parts, on: background))
    }
    return style
  }

  /// Returns the style with the nearest pair of palette colours that is readable in every ``TerminalPalette``.
  private static func reduced(_ style: TextStyle, to count: Int, on backs: [Int] = Array(0..<8)) -> TextStyle {
    guard let foreground = TerminalPalette.xterm.parts(of: style.foreground) else { return style }
    let background = TerminalPalette.xterm.parts(of: style.background)
    var best: (distance: Int, TextStyle)?
    // `backs` has at most eight entries, because the Linux console has only eight background colours.
    for back in backs {
      for front in 0..<count where isReadable(front, on: background == nil ? 0 : back) {
        let palettes = TerminalPalette.xterm.colors
        let away = background.map { palettes[back].distance(to: $0) } ?? 0
        // A wrong background is more noticeable than a wrong text colour.
        let distance = palettes[front].distance(to: foreground) + 8 * away
        if best.map({ distance < $0.distance }) ?? true {
          let back = background == nil ? style.background : TerminalColor.palette(UInt8(back))
          best = (distance, TextStyle(.palette(UInt8(front)), on: back, style.attributes))
        }
      }
    }
    return best?.1 ?? style
  }

  private static func back(of style: TextStyle) -> Int? {
    if case .palette(let index) = style.background { Int(index) } else { nil }
  }

  private static func isReadable(_ front: Int, on back: Int) -> Bool {
    TerminalPalette.allCases.allSatisfy { $0.colors[front].contrast(to: $0.colors[back]) >= leastContrast }
  }
}

extension TextStyle {
  fileprivate var isPaletteOnly: Bool {
    ![foreground, background].contains { if case .rgb = $0 { true } else { false } }
  }
}
