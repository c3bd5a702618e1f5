import Terminal

/// What a cell is painted with, after reverse and dim.
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

  /// Whether letters of both look alike; what is behind and below them is painted apart.
  func hasLetters(of other: SVGPaint) -> Bool {
    foreground == other.foreground && isBold == other.isBold && isItalic == other.isItalic
  }
}

/// A colour of 24 bits.
struct SVGColor: Hashable, Sendable {
  /// Red, green and blue, eight bits each.
  let value: Int

  init(_ value: Int) { self.value = value }

  init(red: Int, green: Int, blue: Int) { value = red << 16 | green << 8 | blue }

  var hex: String {
    let digits = String(value, radix: 16)
    return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  /// As dim letters are: three parts of this to two of `other`.
  func mixed(with other: SVGColor) -> SVGColor {
    func part(_ shift: Int) -> Int { ((value >> shift & 255) * 3 + (other.value >> shift & 255) * 2) / 5 }
    return SVGColor(red: part(16), green: part(8), blue: part(0))
  }
}
