import FoundationEssentials
import QwinkleWire
import Timekeeping

/// Parses ISO 8601 dates: `2026-03-01`, `2026-03-01T09:30`, `2026-03-01T09:30:15Z`, `2026-03-01T09:30+01:00`. The
/// default zone is UTC.
enum TapeMoment {
  /// Returns the date, or nil if `text` is in none of these formats.
  static func date(_ text: String) -> Date? {
    let format = #/\d{4}-\d\d-\d\d(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?)?/#
    let day = text.prefix(10)
    // `WireDate` accepts April 31 as May 1.
    guard text.wholeMatch(of: format) != nil, let midnight = WireDate.date(String(day), in: .gmt),
      WireDate.text(midnight).hasPrefix(day)
    else { return nil }
    return WireDate.date(text, in: .gmt)
  }
}
