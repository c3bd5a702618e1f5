public import FoundationEssentials
public import Timekeeping

/// Formats times: `now`, `2m`, `1h`, `3d`, `12 Nov`, `Nov 2024`.
public enum RelativeTime {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// Returns `date` in the form set in `zone`. In the relative form, a date in the future is shown as `now`, because it
  /// only means that two clocks differ. The clock form shows today's times as `09:04`, other times of the last six days
  /// as `Thu 09:04`, and older times like the relative form.
  public static func short(_ date: Date, at now: Date, in zone: ClockZone) -> String {
    let seconds = now.timeIntervalSince(date)
    switch zone.form {
    case .iso: return iso(date, in: zone)
    case .clock where seconds < 604_800 - 86_400:
      let name = day(date, at: now, in: zone)
      let time = clock(date, in: zone)
      return name == "Today" ? time : "\(weekday(zone.localTime(of: date)).prefix(3)) \(time)"
    case .clock, .relative: break
    }
    switch seconds {
    case ..<60: return "now"
    case ..<3600: return "\(Int(seconds / 60))m"
    case ..<86_400: return "\(Int(seconds / 3600))h"
    case ..<604_800: return "\(Int(seconds / 86_400))d"
    default:
      let then = zone.localTime(of: date)
      let isThisYear = then.year == zone.localTime(of: now).year
      return isThisYear ? "\(then.day) \(month(then))" : "\(month(then)) \(then.year)"
    }
  }

  /// Returns the width of a time in lists. Dates of relative times, and years, are wider.
  static func columns(in form: ClockZone.Form) -> Int {
    switch form {
    // Dates are rare in a list of ages, and room for them would separate the ages from the counts.
    case .relative: 4
    case .clock: "Thu 09:04".count
    case .iso: "2026-11-12 09:04".count
    }
  }

  /// Returns the day of `date` relative to `now`: `Today`, `Yesterday`, `Friday`, `12 Nov`, `12 Nov 2024`.
  static func day(_ date: Date, at now: Date, in zone: ClockZone) -> String {
    let then = zone.localTime(of: date)
    let daysAgo = (0...6).first { days in
      let day = zone.localTime(of: now.addingTimeInterval(-86_400 * Double(days)))
      return (day.year, day.month, day.day) == (then.year, then.month, then.day)
    }
    switch daysAgo {
    case 0: return "Today"
    case 1: return "Yesterday"
    case .some: return weekday(then)
    case nil:
      let isThisYear = then.year == zone.localTime(of: now).year
      return "\(then.day) \(month(then))" + (isThisYear ? "" : " \(then.year)")
    }
  }

  /// Returns the name of the weekday. This is Tomohiko Sakamoto's algorithm.
  private static func weekday(_ time: LocalTime) -> String {
    let shifts = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
    let year = time.month < 3 ? time.year - 1 : time.year
    return weekdays[(year + year / 4 - year / 100 + year / 400 + shifts[time.month - 1] + time.day) % 7]
  }

  /// Returns the date and time: `12 Nov 2026, 09:04`.
  public static func full(_ date: Date, in zone: ClockZone) -> String {
    if zone.form == .iso { return iso(date, in: zone) }
    let time = zone.localTime(of: date)
    return "\(time.day) \(month(time)) \(time.year), \(clock(date, in: zone))"
  }

  /// Returns `2026-11-12 09:04`.
  private static func iso(_ date: Date, in zone: ClockZone) -> String {
    let time = zone.localTime(of: date)
    return "\(time.year)-\(twoDigits(time.month))-\(twoDigits(time.day)) \(clock(date, in: zone))"
  }

  /// Returns `Nov 2026`.
  public static func monthAndYear(_ date: Date, in zone: ClockZone) -> String {
    let time = zone.localTime(of: date)
    return "\(month(time)) \(time.year)"
  }

  /// Returns the time of day: `09:04`.
  static func clock(_ date: Date, in zone: ClockZone) -> String {
    let time = zone.localTime(of: date)
    return "\(twoDigits(time.hour)):\(twoDigits(time.minute))"
  }

  private static func month(_ time: LocalTime) -> String { months[time.month - 1] }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
