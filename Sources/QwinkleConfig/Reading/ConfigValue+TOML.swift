extension ConfigValue {
  /// Converts a TOML value. Returns nil if no option has a value of this type.
  init?(_ value: TOMLValue) {
    switch value {
    case .boolean(let flag): self = .flag(flag)
    case .integer(let number): self = .number(number)
    case .string(let text): self = .text(text)
    case .array(let array):
      var words: [String] = []
      for value in array.values {
        guard case .string(let word) = value else { return nil }
        words.append(word)
      }
      self = .list(words)
    case .float, .dateTime, .table: return nil
    }
  }
}

extension TOMLDocument {
  /// Returns the value at `path`. Returns nil if the path has no value, or if no option has a value of its type.
  func configValue(at path: [String]) -> ConfigValue? { value(at: path).flatMap(ConfigValue.init) }

  func isTable(at path: [String]) -> Bool {
    if case .table = value(at: path) { true } else { false }
  }
}
