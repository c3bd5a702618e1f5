/// How much a tape allows to be sent to the terminal. Without a bound there is no limit.
public struct TapeBounds: Hashable, Sendable {
  /// What is counted. The raw value is the word for it.
  public enum Counter: String, CaseIterable, Sendable {
    case bytes
    /// Calls of `write` that took the bytes.
    case writes
    /// Cells that differed from the picture before.
    case cells
    /// Rows that were compared with the picture before.
    case rows
  }

  /// The most of each that there may be.
  public var most: [Counter: Int]

  public init(_ most: [Counter: Int] = [:]) {
    self.most = most
  }

  /// What is more in `counts` than allowed, such as `312 bytes (at most 300)`, in the order of the counters.
  func excesses(of counts: [Counter: Int]) -> [String] {
    Counter.allCases.compactMap { counter in
      guard let most = most[counter], let count = counts[counter], count > most else { return nil }
      return "\(count) \(counter.rawValue) (at most \(most))"
    }
  }
}
