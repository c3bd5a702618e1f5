public import FoundationEssentials
import QwinkleWire
public import Timekeeping

/// Parses and formats times as users type them.
public enum TypedTime {
  /// Formats a time as `2026-11-22T09:30`.
  public static func text(_ date: Date, in zone: ClockZone) -> String {
    String(WireDate.text(date, in: zone).prefix(16))
  }

  /// Parses a time in the future: `2h` or `3d` from now, `18:30` today or tomorrow, or `2026-11-22T09:30`. Returns nil
  /// for any other text or a time in the past.
  public static func future(_ text: String, at now: Date, in zone: ClockZone) -> Date? {
    let units: [Character: Double] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    if let unit = text.last.flatMap({ units[$0] }), text.utf8.count <= 6, let count = Int(text.dropLast()), count > 0 {
      return now.addingTimeInterval(Double(count) * unit)
    }
    if text.utf8.count == 5, text.contains(":") {
      let today = WireDate.text(now, in: zone).prefix(10)
      guard let date = WireDate.date("\(today)T\(text)", in: zone) else { return nil }
      return date > now ? date : date.addingTimeInterval(86_400)
    }
    // Without this check, February 30 would become a day in March.
    let day = String(text.prefix(10))
    guard let midnight = WireDate.date(day, in: .gmt), WireDate.text(midnight, in: .gmt).hasPrefix(day),
      let date = WireDate.date(text, in: zone), date > now
    else { return nil }
    return date
  }
}
