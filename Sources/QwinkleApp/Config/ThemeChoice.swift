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

  /// Returns the default theme for a terminal. It draws on the terminal's own background, and has the colours for a
  /// dark one until the terminal reports a light one.
  static func terminal(_ capabilities: TerminalCapabilities) -> Theme {
    let background = capabilities.background ?? .dark
    return switch capabilities.colors {
    case 256...: .standard(on: background, isExact: capabilities.colors > 256)
    case 8...: background == .light ? .lightTerminal : .terminal
    default: theme(named: "mono", own: nil)
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
