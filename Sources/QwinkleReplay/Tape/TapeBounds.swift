/// Limits on terminal output. A counter without a bound has no limit.
public struct TapeBounds: Hashable, Sendable {
  /// A counter of terminal output. The raw value is its name in tapes.
  public enum Counter: String, CaseIterable, Sendable {
    case bytes
    /// Calls to `write`.
    case writes
    /// Cells that differed from the previous frame.
    case cells
    /// Rows that were compared with the previous frame.
    case rows
  }

  /// Maximum of each counter.
  public var most: [Counter: Int] = [:]

  /// Returns the counts above their maximum, such as `312 bytes (at most 300)`, in the order of the counters.
  func excesses(of counts: [Counter: Int]) -> [String] {
    Counter.allCases.compactMap { counter in
      guard let most = most[counter], let count = counts[counter], count > most else { return nil }
      return "\(count) \(counter.rawValue) (at most \(most))"
    }
  }
}
