/// Progress of a request.
public struct ResourceProgress: Hashable, Sendable {
  /// Number of the request's resources that are loaded. ``count`` is the number of all its resources.
  public var completedCount = 0
  public var count = 0
  /// Bytes received so far, for the resources that are still loading. ``total`` is the size of these resources, or nil
  /// if the size of any of them is unknown: its download hasn't started, or its server doesn't report a size.
  public var received = 0
  public var total: Int? = 0

  /// Completed fraction of the request, from 0 to 1, or nil if unknown.
  public var fraction: Double? {
    guard count > 0 else { return 1 }
    let remaining = count - completedCount
    guard remaining > 0 else { return 1 }
    guard let total else { return completedCount > 0 ? Double(completedCount) / Double(count) : nil }
    let share = total > 0 ? Double(received) / Double(total) : 0
    return (Double(completedCount) + min(1, share) * Double(remaining)) / Double(count)
  }
}
