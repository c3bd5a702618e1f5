import Timekeeping

/// The hours of the day in which nothing calls: `22-7`, from 22:00 until 6:59.
struct QuietHours: Hashable, Sendable {
  var from: Int
  var to: Int

  /// Whether `time` is in them.
  func contains(_ time: LocalTime) -> Bool {
    from < to ? (from..<to).contains(time.hour) : time.hour >= from || time.hour < to
  }
}

extension QuietHours: RawRepresentable {
  init?(rawValue: String) {
    let hours = rawValue.split(separator: "-", omittingEmptySubsequences: false)
    guard hours.count == 2, let from = Self.hour(hours[0]), let to = Self.hour(hours[1]), from != to else { return nil }
    self.init(from: from, to: to)
  }

  var rawValue: String { "\(from)-\(to)" }

  private static func hour(_ text: Substring) -> Int? {
    guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(text).flatMap { (0...23).contains($0) ? $0 : nil }
  }
}
