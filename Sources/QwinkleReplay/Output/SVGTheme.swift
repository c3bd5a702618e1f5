/// The colours of a picture.
public struct SVGTheme: Hashable, Sendable {
  let background: SVGColor
  let foreground: SVGColor
  let cursor: SVGColor
  /// The window's edge and its buttons.
  let frame: SVGColor
  let title: SVGColor
  /// The palette: colours 0–7, then the bright ones, 8–15.
  let palette: [SVGColor]

  /// Light text on a dark background. All palette colours except black are readable on it.
  public static let dark = SVGTheme(
    background: SVGColor(0x17181D), foreground: SVGColor(0xD8DAE0), cursor: SVGColor(0xD8DAE0),
    frame: SVGColor(0x3A3D47), title: SVGColor(0x9A9FAB),
    palette: [
      0x24262E, 0xE5706F, 0x8FC27C, 0xE2BE72, 0x4680D6, 0xC78BC9, 0x52B8C6, 0xC8CCD4,
      0x7D8390, 0xF28F8D, 0xABD79C, 0xF1D798, 0x93BFF6, 0xDAA8DB, 0x80D1DC, 0xF5F6F8,
    ].map(SVGColor.init))

  /// Dark text on a light background. All palette colours except the brightest are readable on it.
  public static let light = SVGTheme(
    background: SVGColor(0xFCFCFA), foreground: SVGColor(0x24262E), cursor: SVGColor(0x24262E),
    frame: SVGColor(0xC9CCD3), title: SVGColor(0x6A6F7B),
    palette: [
      0x24262E, 0xB3261E, 0x2E7D32, 0x8A6100, 0x2160C4, 0x8E3A92, 0x0B7285, 0x6A6F7B,
      0x767C88, 0xC7402F, 0x3C8C40, 0x9A6E00, 0x3A74D4, 0xA04FA4, 0x1D8698, 0xFFFFFF,
    ].map(SVGColor.init))

  /// Returns the colour for a number on a terminal with `colors` colours, or nil for the default colour and for numbers
  /// out of range. Numbers from 16 to 255 are xterm's colour cube and greys. On a 24-bit terminal, numbers from 8 are
  /// RGB values.
  func color(_ number: Int, colors: Int) -> SVGColor? {
    guard number >= 0, number < colors else { return nil }
    if colors >= 1 << 24, number >= 8 { return SVGColor(number) }
    switch number {
    case ..<16:
      return palette[number]
    case ..<232:
      func level(_ value: Int) -> Int { value == 0 ? 0 : 55 + 40 * value }
      let index = number - 16
      return SVGColor(red: level(index / 36), green: level(index / 6 % 6), blue: level(index % 6))
    case ..<256:
      let grey = 8 + 10 * (number - 232)
      return SVGColor(red: grey, green: grey, blue: grey)
    default:
      return nil
    }
  }
}
