public import FoundationEssentials
public import Timekeeping

/// Times as short as can be: `now`, `2m`, `1h`, `3d`, `12 Nov`, `Nov 2024`.
public enum RelativeTime {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `date` as seen at `now`. What lies ahead, by clocks that differ, is `now`.
  public static func short(_ date: Date, at now: Date, in zone: ClockZone) -> String {
    let seconds = now.timeIntervalSince(date)
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

  /// `date` in full: `12 Nov 2026, 09:04`.
  public static func full(_ date: Date, in zone: ClockZone) -> String {
    let time = zone.localTime(of: date)
    return "\(time.day) \(month(time)) \(time.year), \(clock(date, in: zone))"
  }

  /// The month: `Nov 2026`.
  static func monthAndYear(_ date: Date, in zone: ClockZone) -> String {
    let time = zone.localTime(of: date)
    return "\(month(time)) \(time.year)"
  }

  /// The time of day: `09:04`.
  static func clock(_ date: Date, in zone: ClockZone) -> String {
    let time = zone.localTime(of: date)
    return "\(twoDigits(time.hour)):\(twoDigits(time.minute))"
  }

  private static func month(_ time: LocalTime) -> String { months[time.month - 1] }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
