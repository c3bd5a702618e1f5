public import FoundationEssentials
import LibC

/// A time zone: its offset from GMT at any time. The local zone is read with libc, because Foundation would first load
/// calendar data, which takes longer than the rest of the program's start.
public struct ClockZone: Sendable {
  /// The format in which times are shown.
  public enum Form: String, Hashable, Sendable, CaseIterable {
    /// The age, or the date if the time is long ago: `2m`, `3d`, `12 Nov`.
    case relative
    /// The time of day, or the date if the time isn't recent: `09:04`, `Fri 09:04`, `12 Nov`.
    case clock
    /// ISO 8601: `2026-11-12 09:04`.
    case iso
  }

  /// The format of times in this zone.
  public var form = Form.relative
  private let offset: @Sendable (Date) -> Int

  /// Creates a zone from its offset from GMT, in seconds.
  public init(_ offset: @escaping @Sendable (Date) -> Int) {
    self.offset = offset
  }

  /// GMT.
  public static let gmt = ClockZone { _ in 0 }

  /// The user's zone, from TZ or the system's setting.
  public static let local: ClockZone = {
    tzset()
    return ClockZone { date in
      var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
      var parts = tm()
      guard localtime_r(&seconds, &parts) != nil else { return 0 }
      return parts.tm_gmtoff
    }
  }()

  /// Returns the offset from GMT at `date`, in seconds. It is positive east of Greenwich.
  public func secondsFromGMT(at date: Date) -> Int {
    // Clamp the date to a range that contains all real dates, to prevent overflows.
    offset(Date(timeIntervalSince1970: min(max(date.timeIntervalSince1970, -1e11), 1e11).rounded(.down)))
  }

  /// Returns the date and time of day of `date` in this zone.
  public func localTime(of date: Date) -> LocalTime {
    let seconds = min(max(date.timeIntervalSince1970, -1e11), 1e11).rounded(.down)
    return LocalTime(secondsSince1970: Int(seconds) + secondsFromGMT(at: date))
  }
}

/// A date and time of day in the Gregorian calendar.
public struct LocalTime: Hashable, Sendable {
  public let year: Int
  /// From 1.
  public let month: Int
  /// From 1.
  public let day: Int
  public let hour: Int
  public let minute: Int

  /// Converts a time to a date. `seconds` is the time since the start of 1970, with the zone's offset added.
  public init(secondsSince1970 seconds: Int) {
    let days = (Double(seconds) / 86_400).rounded(.down)
    let inDay = seconds - Int(days) * 86_400
    hour = inDay / 3600
    minute = inDay / 60 % 60
    // The conversion uses eras of 400 years that begin in March (Howard Hinnant, "chrono-Compatible Low-Level Date
    // Algorithms").
    let shifted = Int(days) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}
