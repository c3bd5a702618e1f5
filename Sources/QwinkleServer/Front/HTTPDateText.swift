import FoundationEssentials
import LibC
import Synchronization
import Timekeeping

/// The value of the `Date` header (RFC 9110, section 5.6.7), formatted once a second.
final class HTTPDateText: Sendable {
  private let clock: any ProgramClock
  private let cached = Mutex((second: Int.min, text: ""))

  init(clock: any ProgramClock) {
    self.clock = clock
  }

  /// The current time, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  var now: String {
    let second = Int(clock.now.timeIntervalSince1970)
    return cached.withLock { cached in
      if cached.second != second { cached = (second, Self.text(second)) }
      return cached.text
    }
  }

  private static func text(_ second: Int) -> String {
    var (time, parts) = (time_t(second), tm())
    gmtime_r(&time, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : String(number) }
    let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
    let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][Int(parts.tm_mon)]
    let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    return "\(day), \(two(parts.tm_mday)) \(month) \(parts.tm_year + 1900) \(clock) GMT"
  }
}
