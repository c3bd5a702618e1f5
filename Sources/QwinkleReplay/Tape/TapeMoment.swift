import FoundationEssentials

/// Parses ISO 8601 dates: `2026-03-01`, `2026-03-01T09:30`, `2026-03-01T09:30:15Z`, `2026-03-01T09:30+01:00`. The
/// default zone is UTC. Foundation isn't used, because its first use of a calendar takes longer than the rest of the
/// launch.
enum TapeMoment {
  /// Returns the date, or nil if `text` is in none of these formats.
  static func date(_ text: String) -> Date? {
    var rest = Array(text.utf8)[...]
    guard let year = number(&rest, digits: 4), skip("-", &rest), let month = number(&rest, digits: 2), skip("-", &rest),
      let day = number(&rest, digits: 2), (1...12).contains(month), (1...days(in: month, of: year)).contains(day)
    else { return nil }
    var seconds = days(before: year, month, day) * 86_400
    if !rest.isEmpty {
      guard skip("T", &rest), let time = time(&rest), let offset = zone(&rest), rest.isEmpty else { return nil }
      seconds += time - offset
    }
    return Date(timeIntervalSince1970: Double(seconds))
  }

  /// Parses a time as seconds since midnight.
  private static func time(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let hour = number(&rest, digits: 2), hour < 24, skip(":", &rest), let minute = number(&rest, digits: 2),
      minute < 60
    else { return nil }
    guard skip(":", &rest) else { return (hour * 60 + minute) * 60 }
    guard let second = number(&rest, digits: 2), second < 60 else { return nil }
    return (hour * 60 + minute) * 60 + second
  }

  /// Parses a zone as its offset from UTC in seconds, positive east.
  private static func zone(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if rest.isEmpty || skip("Z", &rest) { return 0 }
    let isBehind = rest.first == UInt8(ascii: "-")
    guard isBehind || rest.first == UInt8(ascii: "+") else { return nil }
    rest = rest.dropFirst()
    guard let hours = number(&rest, digits: 2), hours < 24 else { return nil }
    _ = skip(":", &rest)
    guard let minutes = number(&rest, digits: 2), minutes < 60 else { return nil }
    return (isBehind ? -60 : 60) * (hours * 60 + minutes)
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Int? {
    let taken = rest.prefix(digits)
    guard taken.count == digits, taken.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    rest = rest.dropFirst(digits)
    return taken.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func skip(_ sign: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard let first = rest.first, UInt32(first) == sign.value else { return false }
    rest = rest.dropFirst()
    return true
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the days since 1970 in the Gregorian calendar (Howard Hinnant, "chrono-compatible low-level date
  /// algorithms").
  private static func days(before year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
