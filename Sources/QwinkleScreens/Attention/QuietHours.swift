import QwinkleConfig
import Timekeeping

/// The hours of the day in which nothing calls: `22-7`, from 22:00 until 6:59.
struct QuietHours: Hashable, Sendable {
  let from: Int
  let to: Int

  /// The hours that an option names; nil for `off`.
  init?(rawValue: String) {
    guard let hours = HourRange(rawValue) else { return nil }
    (from, to) = (hours.from, hours.to)
  }

  /// Whether `time` is in them.
  func contains(_ time: LocalTime) -> Bool {
    from < to ? (from..<to).contains(time.hour) : time.hour >= from || time.hour < to
  }
}
