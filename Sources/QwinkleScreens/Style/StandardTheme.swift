public import PaneKit
public import Terminal

extension Theme {
  /// Returns the default theme for 256 or more colours, on the terminal's own background. If `isExact` is false, all
  /// colours are of xterm's cube and greys.
  public static func standard(on background: TerminalBackground, isExact: Bool) -> Theme {
    (background == .dark ? StandardColors.dark : .light).theme(isExact: isExact)
  }
}

/// The colours of the default theme. They are chosen in OKLCH, so that all names have the same lightness and chroma:
/// 0.80 and 0.105 on a dark background, 0.50 and 0.125 on a light one, with hues 30° apart.
private struct StandardColors {
  /// A colour, and the one of 256 that replaces it.
  struct Color {
    let exact: Int
    let of256: Int

    init(_ exact: Int, _ of256: Int) {
      self.exact = exact
      self.of256 = of256
    }

    func color(isExact: Bool) -> TerminalColor {
      let parts = isExact ? ColorParts(exact) : TerminalPalette.cube[of256 - 16]
      return .rgb(red: UInt8(parts.red), green: UInt8(parts.green), blue: UInt8(parts.blue))
    }
  }

  let dim: Color
  let rule: Color
  let accent: Color
  let link: Color
  let tag: Color
  let new: Color
  let warning: Color
  let error: Color
  /// The background of the selection's first line.
  let tint: Color
  /// The replacements are chosen by hand: the nearest colours of 256 would give two names one hue.
  let names: [Color]

  static let dark = StandardColors(
    dim: Color(0x8C939B, 246), rule: Color(0x474E55, 239), accent: Color(0x56D2DF, 80), link: Color(0x85BCF5, 111),
    tag: Color(0xD99EE7, 183), new: Color(0x6ED889, 78), warning: Color(0xEEC05B, 215), error: Color(0xF66D67, 203),
    tint: Color(0x1D303E, 236),
    names: [
      Color(0xFAA2A8, 217), Color(0xF7A885, 216), Color(0xE5B46E, 179), Color(0xC8C26F, 185), Color(0xA0CD88, 150),
      Color(0x77D3AD, 115), Color(0x5ED3D3, 80), Color(0x6BCCF1, 81), Color(0x91C1FE, 111), Color(0xB6B4FF, 147),
      Color(0xD7A9EC, 183), Color(0xEFA2CD, 218),
    ])

  static let light = StandardColors(
    dim: Color(0x636A71, 242), rule: Color(0xB8BEC5, 250), accent: Color(0x016F82, 24), link: Color(0x195DAA, 25),
    tag: Color(0x8A3D9A, 97), new: Color(0x057836, 29), warning: Color(0x916100, 94), error: Color(0xBE222A, 124),
    tint: Color(0xD7EBFA, 254),
    names: [
      Color(0x9D404C, 124), Color(0x9B471B, 130), Color(0x865901, 94), Color(0x6D6603, 58), Color(0x42721F, 22),
      Color(0x007654, 29), Color(0x017272, 23), Color(0x076E8B, 24), Color(0x2B64A8, 25), Color(0x5D56A7, 61),
      Color(0x7E4A93, 97), Color(0x934273, 125),
    ])

  func theme(isExact: Bool) -> Theme {
    func style(_ color: Color, _ attributes: TextStyle.Attributes = []) -> TextStyle {
      TextStyle(color.color(isExact: isExact), on: .standard, attributes)
    }
    let tint = tint.color(isExact: isExact)
    var styles: [StyleRole: TextStyle] = [
      .text: .plain,
      .dim: style(dim),
      .accent: style(accent),
      .strong: TextStyle(.standard, on: .standard, .bold),
      .emphasis: TextStyle(.standard, on: .standard, .italic),
      .name: TextStyle(.standard, on: .standard, .bold),
      .selectedName: TextStyle(.standard, on: tint, .bold),
      .selectedLine: TextStyle(.standard, on: tint),
      .selection: style(accent),
      .new: style(new, .bold),
      .warning: style(warning),
      .error: style(error, .bold),
      .rule: style(rule),
      .link: style(link, .underline),
      .mention: style(accent),
      .tag: style(tag),
      .code: style(warning),
      .key: style(accent),
      .added: style(new, .bold),
      .removed: style(error),
    ]
    for (index, color) in names.enumerated() {
      styles[StyleRole.avatars[index]] = style(color, .reverse)
      styles[StyleRole.coloredNames[index]] = style(color, .bold)
    }
    return Theme(styles)
  }
}
