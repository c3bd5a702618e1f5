public import FoundationEssentials
import QwinkleModel
public import Timekeeping

/// Dates on the wire and in commands: ISO 8601, with or without a fraction, a zone or a time of day.
public enum WireDate {
  /// Milliseconds from 1970 to the reference date of `Date`.
  private static let reference: Int64 = 978_307_200_000

  /// Parses a date, to the millisecond. The time zone defaults to UTC, the time of day to midnight.
  static func date(_ text: String) -> Date? { date(text, in: .gmt) }

  /// Parses a date, to the millisecond. The time zone defaults to `zone`, the time of day to midnight. Returns nil if
  /// `text` is not a date. A day that its month doesn't have becomes a day of the next month: April 31 is May 1.
  public static func date(_ text: String, in zone: ClockZone) -> Date? {
    var scanner = Scanner(Array(text.utf8.prefix(64)))
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
      let day = scanner.number(2), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    var milliseconds = days(year: year, month: month, day: day) * 86_400_000
    var minutesFromGMT: Int64?
    if scanner.skip("T") || scanner.skip("t") || scanner.skip(" ") {
      guard let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), hour <= 24, minute <= 59
      else { return nil }
      let second = scanner.skip(":") ? scanner.number(2) : 0
      guard let second, second <= 60 else { return nil }
      milliseconds += (hour * 3600 + minute * 60 + second) * 1000
      if scanner.skip(".") || scanner.skip(",") { milliseconds += scanner.thousandths() }
      minutesFromGMT = scanner.zone()
    }
    guard scanner.isAtEnd else { return nil }
    let local = Date(timeIntervalSinceReferenceDate: Double(milliseconds - reference) / 1000)
    if let minutesFromGMT { return local.addingTimeInterval(Double(-60 * minutesFromGMT)) }
    // The UTC offset depends on the date, and the date on the offset. Near a clock change the first guess can be wrong,
    // so the offset is computed again for the guessed date.
    let guess = local.addingTimeInterval(-Double(zone.secondsFromGMT(at: local)))
    return local.addingTimeInterval(-Double(zone.secondsFromGMT(at: guess)))
  }

  /// Formats `date` to the second, with the offset of `zone`: `2026-11-22T16:39:17+01:00`. Years outside 0 to 9999 are
  /// clamped.
  public static func text(_ date: Date, in zone: ClockZone) -> String {
    let offset = zone.secondsFromGMT(at: date)
    let minutes = abs(offset) / 60
    // Round down to the second, as clocks do.
    let local = text(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down) + Double(offset)))
    return local.dropLast(".000Z".count) + (offset < 0 ? "-" : "+") + pad(minutes / 60, 2) + ":" + pad(minutes % 60, 2)
  }

  /// Returns the date `text` seconds after the start of 1970, to the millisecond. Returns nil if `text` is not a
  /// number, or if the date is outside the years 1 to 9999.
  static func dateFromSeconds(_ text: String) -> Date? {
    guard let seconds = Double(text), (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
    return Date(timeIntervalSinceReferenceDate: Double(Int64((seconds * 1000).rounded()) - reference) / 1000)
  }

  /// Formats `date` in UTC with milliseconds, like Mastodon. Dates before 0000-12-30 or after 9999 are clamped.
  public static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    let bounded = seconds.isFinite ? min(max(seconds, -63_114_076_800), 252_423_993_599) : 0
    let milliseconds = Int64((bounded * 1000).rounded()) + reference
    let inMinute = Int((milliseconds % 60_000 + 60_000) % 60_000)
    let time = LocalTime(secondsSince1970: (Int(milliseconds) - inMinute) / 1000)
    return pad(time.year, 4) + "-" + pad(time.month, 2) + "-" + pad(time.day, 2) + "T" + pad(time.hour, 2) + ":"
      + pad(time.minute, 2) + ":" + pad(inMinute / 1000, 2) + "." + pad(inMinute % 1000, 3) + "Z"
  }

  private static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Returns the days since 1970-01-01 in the Gregorian calendar. Years are counted from March, so that the leap day is
  /// the last.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension WireDate {
  private struct Scanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func number(_ digits: Int) -> Int64? {
      guard position + digits <= bytes.count else { return nil }
      var number: Int64 = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        number = number * 10 + digit
      }
      return number
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
      position += 1
      return true
    }

    /// Returns the first three digits of a fraction and skips the others.
    mutating func thousandths() -> Int64 {
      var weight: Int64 = 100
      var sum: Int64 = 0
      while let digit = digit() {
        sum += digit * weight
        weight /= 10
      }
      return sum
    }

    /// Returns the zone's offset in minutes east of Greenwich, or nil if the text has no zone.
    mutating func zone() -> Int64? {
      if skip("Z") || skip("z") { return 0 }
      let sign: Int64
      if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
      guard let hours = number(2) else { return nil }
      _ = skip(":")
      return sign * (hours * 60 + (number(2) ?? 0))
    }

    private mutating func digit() -> Int64? {
      guard position < bytes.count, let digit = HexDigit.value(of: bytes[position]), digit < 10 else { return nil }
      position += 1
      return Int64(digit)
    }
  }
}
