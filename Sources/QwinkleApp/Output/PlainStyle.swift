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
  /// Columns of a terminal, in which names yield to handles; nil leaves names whole.
  var columns: Int?

  /// The style for standard output: relative times on a terminal only.
  init(_ clock: any ProgramClock, reveals: Bool = false) {
    self.init(
      now: clock.now, zone: clock.timeZone, hasAbsoluteTimes: isatty(STDOUT_FILENO) == 0, reveals: reveals,
      columns: StandardOutput.columns)
  }

  init(
    now: Date, zone: ClockZone, hasAbsoluteTimes: Bool = true, reveals: Bool = false, columns: Int? = nil
  ) {
    self.now = now
    self.zone = zone
    self.hasAbsoluteTimes = hasAbsoluteTimes
    self.reveals = reveals
    self.columns = columns
  }

  /// The style for lines behind an indent or a sign.
  func indented(by columns: Int) -> PlainStyle {
    var style = self
    style.columns = self.columns.map { max(1, $0 - columns) }
    return style
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
