/// How far a request has come.
public struct ResourceProgress: Hashable, Sendable {
  /// Resources that are here, of how many.
  public var completedCount = 0
  public var count = 0
  /// Bytes of those that are loading, and how many these will be; nil if a server doesn't say.
  public var received = 0
  public var total: Int? = 0
  /// Whether something had to be fetched from its beginning again: its server can't continue a transfer, or has another
  /// version of it.
  public var startedAnew = false

  /// From 0 to 1; nil if it isn't known.
  public var fraction: Double? {
    guard count > 0 else { return 1 }
    let remaining = count - completedCount
    guard remaining > 0 else { return 1 }
    guard let total else { return completedCount > 0 ? Double(completedCount) / Double(count) : nil }
    let share = total > 0 ? Double(received) / Double(total) : 0
    return (Double(completedCount) + min(1, share) * Double(remaining)) / Double(count)
  }
}
