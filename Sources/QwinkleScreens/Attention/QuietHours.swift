import QwinkleConfig
import Timekeeping

/// Hours of the day without alerts: `22-7` is from 22:00 until 6:59.
struct QuietHours: Hashable, Sendable {
  let from: Int
  let to: Int

  /// Parses the option's value. Returns nil for `off` and any other text that isn't a range of hours.
  init?(rawValue: String) {
    guard let hours = HourRange(rawValue) else { return nil }
    (from, to) = (hours.from, hours.to)
  }

  func contains(_ time: LocalTime) -> Bool {
    from < to ? (from..<to).contains(time.hour) : time.hour >= from || time.hour < to
  }
}
