/// The colours of a picture.
public struct SVGTheme: Hashable, Sendable {
  let background: SVGColor
  let foreground: SVGColor
  let cursor: SVGColor
  /// The window's edge and its buttons.
  let frame: SVGColor
  let title: SVGColor
  /// What the user's palette says: 0–7 and, bright, 8–15.
  let palette: [SVGColor]

  /// Light letters on dark ground; each of the palette's but black can be read on it.
  public static let dark = SVGTheme(
    background: SVGColor(0x17181D), foreground: SVGColor(0xD8DAE0), cursor: SVGColor(0xD8DAE0),
    frame: SVGColor(0x3A3D47), title: SVGColor(0x9A9FAB),
    palette: [
      0x24262E, 0xE5706F, 0x8FC27C, 0xE2BE72, 0x6FA6EA, 0xC78BC9, 0x52B8C6, 0xC8CCD4,
      0x7D8390, 0xF28F8D, 0xABD79C, 0xF1D798, 0x93BFF6, 0xDAA8DB, 0x80D1DC, 0xF5F6F8,
    ].map(SVGColor.init))

  /// The colour of a number on a terminal that has `colors`; nil where it is the terminal's own. From 16 on it is
  /// xterm's cube and greys, or, on a terminal of 24 bits, from 8 on the colour itself.
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
