import PaneKit
import QwinkleConfig
import QwinkleModel
public import Terminal

/// An option and a value, as in `:set density compact`.
struct ScreenSetting: Hashable, Sendable {
  let key: ConfigKey
  let value: ConfigValue

  /// Parses a setting such as `density compact`. Returns nil if the option doesn't exist or the value is missing or
  /// invalid.
  init?(_ words: String) {
    let name = words.prefix { $0 != " " }
    guard let key = ConfigKey(name: String(name)),
      let value = key.option.value(typed: words.dropFirst(name.count).trimmingPrefix(" ").description)
    else { return nil }
    self.key = key
    self.value = value
  }

  /// All settings with their possible values, such as `mouse on`.
  static var examples: [String] {
    ConfigOption.all.flatMap { option in
      option.examples.isEmpty ? [option.name] : option.examples.map { "\(option.name) \($0)" }
    }
  }

  static var names: [String] { ConfigOption.all.map(\.name) }

  /// Returns an option and its value, such as `density compact`. The value begins after `columns`.
  static func words(_ key: ConfigKey, _ value: ConfigValue, columns: Int = 0) -> String {
    let gap = String(repeating: " ", count: max(1, columns - key.name.count))
    return key.name + gap + (value.typed.isEmpty ? PromptWords.unset : value.typed)
  }

  /// Returns all options and their values, one per line.
  static func table(_ value: (ConfigKey) -> ConfigValue) -> String {
    let columns = (ConfigKey.allCases.map(\.name.count).max() ?? 0) + 2
    return ConfigKey.allCases.map { words($0, value($0), columns: columns) }.joined(separator: "\n")
  }

  /// Returns the error message for invalid `words`: the option doesn't exist, or its value is missing or invalid.
  static func refusal(of words: String) -> String {
    let name = String(words.prefix { $0 != " " })
    guard let key = ConfigKey(name: name) else {
      return PromptWords.noSetting(words, nearest: NearestWord.find(name, among: names))
    }
    let examples = key.option.examples
    let typed = words.dropFirst(name.count).trimmingPrefix(" ")
    if key.option.isOneOfWords, !typed.isEmpty, let nearest = NearestWord.find(String(typed), among: examples) {
      return PromptWords.noValue(typed, of: name, nearest: nearest)
    }
    return PromptWords.valueMissing(name, values: examples)
  }

  /// Applies the setting and returns a message about it.
  @MainActor
  func apply(to driver: any TerminalDriver, _ settings: ReaderSettings) -> String {
    settings.set(key, to: value)
    switch key {
    case .mouse:
      driver.usesMouse = value.flag
      guard value.flag else { return PromptWords.mouseOff }
      return driver.capabilities.reportsMouse ? PromptWords.mouseOn : PromptWords.noMouse
    case .ambiguousWidth:
      driver.use(TextForm(ambiguousWidth: value.text))
    default: settings.desk?.apply(key, value)
    }
    return PromptWords.applied(key, value)
  }
}

extension TextForm {
  /// Creates the text form for a value of the `ambiguous-width` option. The terminal is queried only at startup, so
  /// `auto` means narrow here.
  public init(ambiguousWidth: String) {
    self = ambiguousWidth == "wide" ? .wideUnicode : .unicode
  }
}
