import Foundation
import QwinkleScreens
import QwinkleWire
import Timekeeping

/// How commands print times and what is behind content warnings.
struct PlainStyle {
  let now: Date
  let zone: ClockZone
  /// Whether times are ISO 8601 with a zone, for scripts, rather than relative to now.
  var hasAbsoluteTimes = true
  /// Whether texts behind a content warning are printed.
  var reveals = false

  /// The style for standard output: relative times on a terminal only.
  init(_ clock: any ProgramClock, reveals: Bool = false) {
    self.init(
      now: clock.now, zone: clock.timeZone, hasAbsoluteTimes: isatty(STDOUT_FILENO) == 0, reveals: reveals)
  }

  init(now: Date, zone: ClockZone, hasAbsoluteTimes: Bool = true, reveals: Bool = false) {
    self.now = now
    self.zone = zone
    self.hasAbsoluteTimes = hasAbsoluteTimes
    self.reveals = reveals
  }

  /// A time in a list: `2h` on a terminal.
  func time(_ date: Date) -> String {
    hasAbsoluteTimes ? WireDate.text(date, in: zone) : RelativeTime.short(date, at: now, in: zone)
  }

  /// A time in full: `12 Nov 2026, 09:04` on a terminal.
  func fullTime(_ date: Date) -> String {
    hasAbsoluteTimes ? WireDate.text(date, in: zone) : RelativeTime.full(date, in: zone)
  }
}
