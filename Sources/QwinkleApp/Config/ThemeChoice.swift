import PaneKit
import QwinkleConfig
import QwinkleResources
import QwinkleScreens
import Terminal

/// Creates the theme that the options select.
enum ThemeChoice {
  /// Returns the theme called `name`, not yet adapted to a terminal, or the `terminal` theme if that theme is missing.
  /// `own` is the text of the user's theme or of a fetched theme.
  static func theme(named name: String, own: String?) -> Theme {
    switch name {
    case "terminal": .terminal
    case "own": own.map { ThemeReader($0).theme } ?? .terminal
    case _ where ConfigOption.isAddress(name): own.map { ThemeReader($0).theme } ?? .terminal
    default: QwinkleResources.theme(named: name).map { ThemeReader($0).theme } ?? .terminal
    }
  }

  /// Returns the theme with the terminal's own colours. On a light background with 256 or more colours, uses the
  /// colours of the paper theme on the terminal's background; with fewer colours, a variant for light backgrounds.
  static func terminal(_ capabilities: TerminalCapabilities, colors: Int) -> Theme {
    guard capabilities.background == .light, colors > 0 else {
      return colors == capabilities.colors ? .terminal : .terminal.adapted(toColors: colors)
    }
    return colors >= 256 ? onPaper(colors: colors) : .lightTerminal
  }

  private static func onPaper(colors: Int) -> Theme {
    let paper = theme(named: "paper", own: nil).adapted(toColors: colors)
    let text = paper[.text]
    return paper.map { style in
      guard style.background == text.background else { return style }
      let foreground = style.foreground == text.foreground ? TerminalColor.standard : style.foreground
      return TextStyle(foreground, on: .standard, style.attributes)
    }
  }

  /// Returns the number of colours to use on a terminal with `count` colours.
  static func colors(_ option: String, of count: Int) -> Int {
    switch option {
    case "none": 0
    case "16": min(16, count)
    case "256": min(256, count)
    default: count
    }
  }

  /// Returns a table of each theme's contrasts: for each role, the lowest contrast at true colour, 256 and 16 colours.
  static func contrastTable() -> String {
    var text = "theme     role           true colour   256    16\n"
    for name in ConfigKey.theme.option.examples where !["terminal", "own"].contains(name) {
      let theme = theme(named: name, own: nil)
      for (role, _) in theme.looks {
        let figures = [1 << 24, 256, 16].map { colors in
          leastContrast(of: theme.adapted(toColors: colors)[role]).map(figure) ?? "-"
        }
        func column(_ word: String, _ width: Int) -> String {
          word + String(repeating: " ", count: max(1, width - word.count))
        }
        text +=
          column(name, 10) + column(role.rawValue, 15) + column(figures[0], 14) + column(figures[1], 7) + figures[2]
        text += "\n"
      }
    }
    return text
  }

  private static func figure(_ contrast: Double) -> String {
    let tenths = Int(contrast * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns the lowest contrast of a style in any palette, or nil if it uses the terminal's own colours.
  static func leastContrast(of style: TextStyle) -> Double? {
    TerminalPalette.allCases.compactMap { palette in
      guard let foreground = palette.parts(of: style.foreground), let background = palette.parts(of: style.background)
      else { return nil }
      return foreground.contrast(to: background)
    }.min()
  }
}
