import ArgumentParser
import FoundationEssentials
import QwinkleWire
import Timekeeping

/// Options that limit a list to a time range.
struct TimeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only items from this time on: 2026-11-22, 2026-11-22T09:30, 2h, 3d.", valueName: "time"))
  var since: String?

  @Option(help: ArgumentHelp("Only items older than this.", valueName: "time"))
  var until: String?

  func validate() throws {
    let clock = SystemClock()
    let range = try range(clock)
    if let since = range.since, let until = range.until, since >= until {
      throw ValidationError("--since must be before --until.")
    }
  }

  /// Returns the range that the options describe. An age such as `2h` is subtracted from the current time.
  func range(_ clock: any ProgramClock) throws -> TimeRange {
    TimeRange(
      since: try Self.time("--since", since, clock), until: try Self.time("--until", until, clock))
  }

  /// Returns the time that an option's value describes, or nil without a value.
  static func time(_ option: String, _ text: String?, _ clock: any ProgramClock) throws -> Date? {
    guard let text else { return nil }
    if let time = TimeRange.time(text, at: clock.now, in: clock.timeZone) { return time }
    throw ValidationError(
      "\(option) must be a date, a time or an age, such as 2026-11-22, 2026-11-22T09:30, 2h or 3d, not “\(text)”.")
  }
}

/// A time range that includes `since` and excludes `until`. Nil bounds are open.
struct TimeRange: Hashable {
  var since: Date?
  var until: Date?

  func contains(_ date: Date) -> Bool { !isBefore(date) && until.map { date < $0 } ?? true }

  func isBefore(_ date: Date) -> Bool { since.map { date < $0 } ?? false }

  /// Parses an ISO 8601 time, or an age such as `45m`, `2h` or `3d`, which is subtracted from `now`. A time without a
  /// time zone is in `zone`.
  static func time(_ text: String, at now: Date, in zone: ClockZone) -> Date? {
    if let unit = text.last.flatMap({ AgeOption.units[$0] }), text.utf8.count <= 10,
      let count = Int(text.dropLast()), count >= 0
    {
      return now.addingTimeInterval(-Double(count * unit))
    }
    // Reject days such as February 30. The parser would turn them into days of the next month.
    let day = String(text.prefix(10))
    guard let midnight = WireDate.date(day, in: .gmt), WireDate.text(midnight, in: .gmt).hasPrefix(day) else {
      return nil
    }
    return WireDate.date(text, in: zone)
  }
}
