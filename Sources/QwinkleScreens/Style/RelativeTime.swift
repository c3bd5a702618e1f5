public import FoundationEssentials

/// Times as short as can be: `now`, `2m`, `1h`, `3d`, `12 Nov`, `Nov 2024`.
public enum RelativeTime {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `date` as seen at `now`. What lies ahead, by clocks that differ, is `now`.
  public static func short(_ date: Date, at now: Date, in zone: TimeZone) -> String {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    case ..<60: return "now"
    case ..<3600: return "\(Int(seconds / 60))m"
    case ..<86_400: return "\(Int(seconds / 3600))h"
    case ..<604_800: return "\(Int(seconds / 86_400))d"
    default:
      let then = components(date, zone)
      let today = components(now, zone)
      return then.year == today.year ? "\(then.day) \(months[then.month])" : "\(months[then.month]) \(then.year)"
    }
  }

  /// `date` in full: `12 Nov 2026, 09:04`.
  static func full(_ date: Date, in zone: TimeZone) -> String {
    let parts = components(date, zone)
    return "\(parts.day) \(months[parts.month]) \(parts.year), \(clock(date, in: zone))"
  }

  /// The time of day: `09:04`.
  static func clock(_ date: Date, in zone: TimeZone) -> String {
    let local = Int(date.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: date)
    let minutes = ((local / 60) % 1440 + 1440) % 1440
    return "\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func components(_ date: Date, _ zone: TimeZone) -> (year: Int, month: Int, day: Int) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return (parts.year ?? 1970, min(max(0, (parts.month ?? 1) - 1), 11), parts.day ?? 1)
  }
}
