import FoundationEssentials
import HTTPTypes
import SafeText

/// The wait that a server requests in its response.
enum RetryAfter {
  /// Returns the wait that the server requests, at most a day. Reads `Retry-After` (seconds or a date, RFC 9110), or
  /// else `X-RateLimit-Reset` (an ISO 8601 date). The wait until a date is counted from the response's own `Date`, so
  /// that this machine's clock doesn't matter. If the response has no `Date`, dates are ignored.
  static func wait(in fields: HTTPFields) -> Duration? {
    let date = fields[.date].flatMap(httpDate)
    if let value = fields[.retryAfter]?.trimmed() {
      if let seconds = Double(value), seconds.isFinite { return bounded(seconds) }
      if let date, let end = httpDate(value) { return bounded(end.timeIntervalSince(date)) }
    }
    return reset(in: fields)
  }

  /// Returns the time from the response's `Date` until `X-RateLimit-Reset`. Returns nil if either field is missing or
  /// malformed.
  static func reset(in fields: HTTPFields) -> Duration? {
    guard let date = fields[.date].flatMap(httpDate), let name = HTTPField.Name("X-RateLimit-Reset"),
      let value = fields[name]?.trimmed(), hasPlainYear(value),
      let end = try? Date(value, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    else { return nil }
    return bounded(end.timeIntervalSince(date))
  }

  /// Parses an HTTP date such as `Sun, 06 Nov 1994 08:49:37 GMT`. Servers must not generate any other format (RFC
  /// 9110).
  static func httpDate(_ text: String) -> Date? {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let words = text.split(separator: " ")
    guard words.count == 6, words[1].utf8.count == 2, words[3].utf8.count == 4, words[4].utf8.count == 8,
      let month = months.firstIndex(of: String(words[2])), words[5] == "GMT"
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return try? Date("\(words[3])-\(number)-\(words[1])T\(words[4])Z", strategy: .iso8601)
  }

  /// Whether the year of a date has four digits, as in any plausible reset time.
  private static func hasPlainYear(_ date: String) -> Bool {
    date.utf8.count < 40 && date.utf8.prefix { (0x30...0x39).contains($0) }.count == 4
  }

  private static func bounded(_ seconds: Double) -> Duration {
    .milliseconds(Int64(min(max(seconds, 0), 86_400) * 1000))
  }
}
