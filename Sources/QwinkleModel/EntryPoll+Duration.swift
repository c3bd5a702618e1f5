import SafeText

/// The duration of a poll as text.
extension EntryPoll {
  /// The duration of a poll if the user chooses none.
  public static let usualSeconds = 86_400

  private static let units = [("day", 86_400), ("hour", 3600), ("minute", 60)]
  private static let maximumDigits = 5

  /// Parses a duration such as `3d`, `2 hours` or `30 min`. Returns nil if the text is no duration.
  public static func seconds(in text: String) -> Int? {
    let text = text.trimmed().lowercased()
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let word = text.dropFirst(digits.count).trimmed()
    guard digits.count <= maximumDigits, let count = Int(digits), count > 0, !word.isEmpty,
      let unit = units.first(where: { "\($0.0)s".hasPrefix(word) })
    else { return nil }
    return count * unit.1
  }

  /// Returns a duration in its largest whole unit, such as `3 days`.
  public static func words(_ seconds: Int) -> String {
    let unit = units.first { seconds % $0.1 == 0 } ?? ("minute", 60)
    return "\(seconds / unit.1) \(unit.0)\(seconds / unit.1 == 1 ? "" : "s")"
  }
}
