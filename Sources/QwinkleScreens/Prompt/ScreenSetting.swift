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
  case newFlows = "new flows"
  case newWaits = "new waits"
  case attentionOff = "attention off"
  case attentionBell = "attention bell"
  case attentionNotify = "attention notify"
  case quietOff = "quiet off"
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
    let values = allCases.map(\.rawValue).filter { $0.hasPrefix("\(name) ") }.map { $0.dropFirst(name.count + 1) }
    return name == quiet ? values + ["22-7"] : values
  }

  // MARK: Quiet hours

  private static let quiet = "quiet"

  /// The hours that `quiet 22-7` means; nil for other words.
  static func quietHours(in words: String) -> QuietHours? {
    let parts = words.split(separator: " ")
    return parts.count == 2 && parts[0] == quiet ? QuietHours(rawValue: String(parts[1])) : nil
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
    case .newFlows:
      settings.letsFlow = true
      return "New qwinks flow in while you rest at the top"
    case .newWaits:
      settings.letsFlow = false
      return "New qwinks wait above"
    case .attentionOff: return call(.off, settings)
    case .attentionBell: return call(.bell, settings)
    case .attentionNotify: return call(.notify, settings)
    case .quietOff:
      settings.quietHours = nil
      return PromptWords.quiet(nil)
    case .smallCache: return keep(.small, settings)
    case .mediumCache: return keep(.medium, settings)
    case .largeCache: return keep(.large, settings)
    case .hugeCache: return keep(.huge, settings)
    }
  }

  @MainActor
  private func call(_ kind: AttentionKind, _ settings: ReaderSettings) -> String {
    settings.attention = kind
    return PromptWords.attention(kind)
  }

  @MainActor
  private func keep(_ size: CacheSize, _ settings: ReaderSettings) -> String {
    settings.cacheSize = size
    return PromptWords.cacheSize(size.rawValue)
  }
}
