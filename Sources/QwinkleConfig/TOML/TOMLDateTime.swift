import SafeText

/// A valid date, time, or both, as in RFC 3339. Stores the text instead of its components, because no option has a date
/// as its value.
struct TOMLDateTime {
  let text: String
  let hasTime: Bool

  /// Returns nil unless `word` is a valid date or time.
  init?(_ word: ArraySlice<UInt8>) {
    text = String(decoding: word, as: UTF8.self)
    // TOML lets implementations reject leap seconds. Python's datetime rejects them too.
    let format =
      #/
      (?: ([0-9]{4}) - ([0-9]{2}) - ([0-9]{2}) (?: [Tt\x20] (?=[0-9]) | $ ) )?
      ( (?: [01][0-9] | 2[0-3] ) : [0-5][0-9] : [0-5][0-9] (?: \. [0-9]+ )? )?
      ( [Zz] | [+\-] (?: [01][0-9] | 2[0-3] ) : [0-5][0-9] )?
      /#
    guard let (_, year, month, day, time, offset) = text.wholeMatch(of: format)?.output else { return nil }
    hasTime = time != nil
    if let year, let month, let day {
      guard Self.isDay(year, month, day) else { return nil }
    } else {
      guard hasTime, offset == nil else { return nil }
    }
  }

  private static func isDay(_ year: Substring, _ month: Substring, _ day: Substring) -> Bool {
    guard let year = Int(year), let month = Int(month), let day = Int(day), year > 0, 1...12 ~= month else {
      return false
    }
    let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    return 1...days ~= day
  }

  /// Whether a word looks like a date or a time, valid or not.
  static func looksLikeOne(_ word: ArraySlice<UInt8>) -> Bool {
    let digits = word.prefix { $0.isDigit }.count
    return digits == 4 && word.dropFirst(4).first == UInt8(ascii: "-")
      || digits > 0 && word.contains(UInt8(ascii: ":"))
  }
}
