/// The state of something that is fetched anew on demand, and who is told when the user demands it.
@MainActor
public final class RefreshControl {
  private var targets = TargetActions()

  public private(set) var isRefreshing = false

  public init() {}

  /// Has `target` do `action` when a refresh is asked for, while `target` lives.
  public func addTarget<Target: AnyObject>(_ target: Target, action: @escaping @MainActor (Target) -> Void) {
    targets.add(target, action)
  }

  /// Asks for a refresh; one that is under way is enough.
  public func refresh() {
    guard !isRefreshing else { return }
    isRefreshing = true
    targets.send()
  }

  /// Says that the refresh has ended, well or not.
  public func endRefreshing() {
    isRefreshing = false
  }
}
