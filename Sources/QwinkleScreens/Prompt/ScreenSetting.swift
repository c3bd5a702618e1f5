import Terminal

/// What `:set` changes, until the program ends.
enum ScreenSetting: String, CaseIterable, Sendable {
  case mouseOn = "mouse on"
  case mouseOff = "mouse off"
  case ambiguousNarrow = "ambiguous-width narrow"
  case ambiguousWide = "ambiguous-width wide"

  /// Applies the setting and returns a message about it.
  @MainActor
  func apply(to driver: any TerminalDriver) -> String {
    switch self {
    case .mouseOn:
      driver.usesMouse = true
      return driver.capabilities.reportsMouse
        ? "The mouse clicks and scrolls here. With Shift it selects text." : "This terminal does not tell of the mouse."
    case .mouseOff:
      driver.usesMouse = false
      return "The mouse selects text, as the terminal does."
    case .ambiguousNarrow:
      driver.use(.unicode)
      return "What Unicode calls ambiguous takes one column."
    case .ambiguousWide:
      driver.use(.wideUnicode)
      return "What Unicode calls ambiguous takes two columns."
    }
  }
}
