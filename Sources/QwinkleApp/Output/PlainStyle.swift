import Foundation
import QwinkleScreens
import QwinkleWire
import Timekeeping

/// The format of times, names and covered content in the output of commands.
struct PlainStyle {
  let now: Date
  let zone: ClockZone
  /// Whether times are printed in ISO 8601 with a zone, for scripts, instead of in a form such as `2h`.
  var hasAbsoluteTimes = true
  /// Whether content is printed even if it is covered, for example by a filter or a content warning.
  var reveals = false
  /// Width of the terminal. Names are shortened so that the handle fits. If nil, names are printed in full.
  var columns: Int?

  /// Creates the style for standard output. Times are printed in ISO 8601 unless standard output is a terminal.
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

  /// Returns the style for text after an indent or marker that is `columns` wide.
  func indented(by columns: Int) -> PlainStyle {
    var style = self
    style.columns = self.columns.map { max(1, $0 - columns) }
    return style
  }

  /// Returns a short time for lists, such as `2h` on a terminal.
  func time(_ date: Date) -> String {
    hasAbsoluteTimes ? WireDate.text(date, in: zone) : RelativeTime.short(date, at: now, in: zone)
  }

  /// Returns a full time, such as `12 Nov 2026, 09:04` on a terminal.
  func fullTime(_ date: Date) -> String {
    hasAbsoluteTimes ? WireDate.text(date, in: zone) : RelativeTime.full(date, in: zone)
  }
}
