/// A date, a time, or both, as in RFC 3339.
struct TOMLDateTime: Hashable {
  /// A day from year 1 to 9999.
  struct Day: Hashable {
    let year: Int
    let month: Int
    let day: Int
  }

  /// A time of day. Digits beyond microseconds are dropped.
  struct Time: Hashable {
    let hour: Int
    let minute: Int
    let second: Int
    let microsecond: Int
  }

  /// Nil for a time without a date.
  private(set) var day: Day?
  /// Nil for a date without a time.
  private(set) var time: Time?
  /// Minutes east of UTC. Nil for local times.
  private(set) var offset: Int?

  /// Parses a word. Returns nil unless it is a valid date or time.
  init?(_ word: ArraySlice<UInt8>) {
    var rest = word
    if Self.startsWithYear(word) {
      guard let day = Day(&rest) else { return nil }
      self.day = day
      guard let mark = rest.popFirst() else { return }
      guard Self.separators.contains(mark) else { return nil }
    }
    guard let time = Time(&rest) else { return nil }
    self.time = time
    if rest.isEmpty { return }
    guard day != nil, let offset = Self.offset(&rest), rest.isEmpty else { return nil }
    self.offset = offset
  }

  /// Whether a word looks like a date or a time, valid or not.
  static func looksLikeOne(_ word: ArraySlice<UInt8>) -> Bool {
    startsWithYear(word) || word.first.map(isDigit) == true && word.contains(UInt8(ascii: ":"))
  }

  private static let separators = Array("Tt ".utf8)

  private static func startsWithYear(_ word: ArraySlice<UInt8>) -> Bool {
    word.count > 4 && word.prefix(4).allSatisfy(isDigit) && word[word.startIndex + 4] == UInt8(ascii: "-")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  // MARK: Parts

  /// Reads a number of exactly `count` digits in `range`.
  fileprivate static func number(
    _ rest: inout ArraySlice<UInt8>, digits count: Int, in range: ClosedRange<Int>
  ) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
    rest = rest.dropFirst(count)
    let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(number) ? number : nil
  }

  fileprivate static func skip(_ mark: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if skip("Z", &rest) || skip("z", &rest) { return 0 }
    let isWest = skip("-", &rest)
    guard isWest || skip("+", &rest), let hours = number(&rest, digits: 2, in: 0...23), skip(":", &rest),
      let minutes = number(&rest, digits: 2, in: 0...59)
    else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }

  /// Reads the digits after a decimal point as microseconds.
  fileprivate static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int? {
    let digits = rest.prefix(while: isDigit)
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    return (0..<6).reduce(0) { number, index in
      number * 10 + (index < digits.count ? Int(digits[digits.startIndex + index] - UInt8(ascii: "0")) : 0)
    }
  }
}

extension TOMLDateTime.Day {
  fileprivate init?(_ rest: inout ArraySlice<UInt8>) {
    guard let year = TOMLDateTime.number(&rest, digits: 4, in: 1...9999), TOMLDateTime.skip("-", &rest),
      let month = TOMLDateTime.number(&rest, digits: 2, in: 1...12), TOMLDateTime.skip("-", &rest),
      let day = TOMLDateTime.number(&rest, digits: 2, in: 1...Self.days(inMonth: month, of: year))
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}

extension TOMLDateTime.Time {
  // TOML lets implementations reject leap seconds. Python's datetime rejects them too.
  fileprivate init?(_ rest: inout ArraySlice<UInt8>) {
    guard let hour = TOMLDateTime.number(&rest, digits: 2, in: 0...23), TOMLDateTime.skip(":", &rest),
      let minute = TOMLDateTime.number(&rest, digits: 2, in: 0...59), TOMLDateTime.skip(":", &rest),
      let second = TOMLDateTime.number(&rest, digits: 2, in: 0...59)
    else { return nil }
    var microsecond = 0
    if TOMLDateTime.skip(".", &rest) {
      guard let fraction = TOMLDateTime.fraction(&rest) else { return nil }
      microsecond = fraction
    }
    self.init(hour: hour, minute: minute, second: second, microsecond: microsecond)
  }
}
