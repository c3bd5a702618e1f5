/// The playing time of a video or sound.
enum MediaDuration {
  /// Longest accepted playing time in seconds, about eleven days.
  private static let longest = 1_000_000.0

  /// Returns the playing time in `original`, or else in `meta`. Returns nil if the time is missing or malformed.
  static func read(_ original: WireFields?, _ meta: WireFields?) -> Duration? {
    let seconds =
      original?.double("duration") ?? meta?.double("duration") ?? meta.flatMap { Self.seconds(of: $0.text("length")) }
    guard let seconds, seconds >= 0.001, seconds <= longest else { return nil }
    // Whole milliseconds survive writing and reading.
    return .milliseconds(Int((seconds * 1000).rounded()))
  }

  /// Returns the seconds of a text such as `0:01:28.65`, Mastodon's `meta.length`.
  private static func seconds(of text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var total = 0.0
    for part in parts {
      guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }), let number = Double(part)
      else { return nil }
      total = total * 60 + number
    }
    return total
  }
}
