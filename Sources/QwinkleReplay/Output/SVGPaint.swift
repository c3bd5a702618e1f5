import Terminal

/// The colours and style of a cell, with dim and reverse applied.
struct SVGPaint: Hashable {
  var foreground: SVGColor
  var background: SVGColor
  var isBold: Bool
  var isItalic: Bool
  var isUnderlined: Bool

  init(_ look: CellLook, theme: SVGTheme, colors: Int) {
    foreground = theme.color(look.foreground, colors: colors) ?? theme.foreground
    background = theme.color(look.background, colors: colors) ?? theme.background
    isBold = look.attributes.contains(.bold)
    isItalic = look.attributes.contains(.italic)
    isUnderlined = look.attributes.contains(.underline)
    if look.attributes.contains(.dim) { foreground = foreground.mixed(with: background) }
    if look.attributes.contains(.reverse) { swap(&foreground, &background) }
  }

  /// Whether letters look the same in both paints. Ignores backgrounds and underlines, which are drawn separately.
  func hasLetters(of other: SVGPaint) -> Bool {
    foreground == other.foreground && isBold == other.isBold && isItalic == other.isItalic
  }
}

/// A 24-bit colour.
struct SVGColor: Hashable, Sendable {
  /// Red, green and blue, eight bits each.
  let value: Int

  init(_ value: Int) { self.value = value }

  init(red: Int, green: Int, blue: Int) { value = red << 16 | green << 8 | blue }

  var hex: String { "#" + String(0x100_0000 | value, radix: 16).dropFirst() }

  /// Returns the colour of dim letters: three parts of this colour and two parts of `other`.
  func mixed(with other: SVGColor) -> SVGColor {
    func part(_ shift: Int) -> Int { ((value >> shift & 255) * 3 + (other.value >> shift & 255) * 2) / 5 }
    return SVGColor(red: part(16), green: part(8), blue: part(0))
  }
}
