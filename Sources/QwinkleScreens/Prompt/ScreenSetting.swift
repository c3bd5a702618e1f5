import Terminal

/// What `:set` changes: the terminal's until the program ends, the rest for good.
enum ScreenSetting: String, CaseIterable, Sendable {
  case mouseOn = "mouse on"
  case mouseOff = "mouse off"
  case ambiguousNarrow = "ambiguous-width narrow"
  case ambiguousWide = "ambiguous-width wide"
  case comfortable = "density comfortable"
  case compact = "density compact"
  case enterSends = "enter sends"
  case enterBreaks = "enter newline"
  case smallCache = "cache 16"
  case mediumCache = "cache 64"
  case largeCache = "cache 256"
  case hugeCache = "cache 1024"

  /// The names of all settings, each once.
  static var names: [String] {
    allCases.map(\.name).reduce(into: []) { names, name in if names.last != name { names.append(name) } }
  }

  /// All settings with their values: `mouse on|off, enter sends|newline`.
  static var overview: String {
    names.map { "\($0) \(values(of: $0).joined(separator: "|"))" }.joined(separator: ", ")
  }

  private var name: String { String(rawValue.prefix { $0 != " " }) }

  private static func values(of name: some StringProtocol) -> [Substring] {
    allCases.map(\.rawValue).filter { $0.hasPrefix("\(name) ") }.map { $0.dropFirst(name.count + 1) }
  }

  /// Why `words` set nothing: the value is missing or wrong, or there is no such setting.
  static func refusal(of words: String) -> String {
    let name = words.prefix { $0 != " " }
    let values = values(of: name)
    guard !values.isEmpty else { return PromptWords.noSetting(words, known: allCases.map(\.rawValue)) }
    return PromptWords.valueMissing(name, values: values)
  }

  /// Applies the setting and returns a message about it.
  @MainActor
  func apply(to driver: any TerminalDriver, _ settings: ReaderSettings) -> String {
    switch self {
    case .mouseOn:
      driver.usesMouse = true
      return driver.capabilities.reportsMouse ? PromptWords.mouseOn : PromptWords.noMouse
    case .mouseOff:
      driver.usesMouse = false
      return PromptWords.mouseOff
    case .ambiguousNarrow:
      driver.use(.unicode)
      return PromptWords.ambiguousNarrow
    case .ambiguousWide:
      driver.use(.wideUnicode)
      return PromptWords.ambiguousWide
    case .comfortable:
      settings.density = .comfortable
      return "Comfortable list"
    case .compact:
      settings.density = .compact
      return "Compact list"
    case .enterSends:
      settings.enterSends = true
      return "Enter sends in chats; Alt+Enter begins a new line"
    case .enterBreaks:
      settings.enterSends = false
      return "Enter begins a new line in chats; ^D sends"
    case .smallCache: return keep(.small, settings)
    case .mediumCache: return keep(.medium, settings)
    case .largeCache: return keep(.large, settings)
    case .hugeCache: return keep(.huge, settings)
    }
  }

  @MainActor
  private func keep(_ size: CacheSize, _ settings: ReaderSettings) -> String {
    settings.cacheSize = size
    return PromptWords.cacheSize(size.rawValue)
  }
}
