/// A refresh that the user can request. Notifies targets, which perform the refresh, and stores whether it is in
/// progress.
@MainActor
public final class RefreshControl {
  private var targets = TargetActions()

  public private(set) var isRefreshing = false

  public init() {}

  /// Performs `action` on `target` when a refresh is requested, until `target` is released.
  public func addTarget<Target: AnyObject>(_ target: Target, action: @escaping @MainActor (Target) -> Void) {
    targets.add(target, action)
  }

  /// Requests a refresh, unless one is in progress.
  public func refresh() {
    guard !isRefreshing else { return }
    isRefreshing = true
    targets.send()
  }

  /// Call when the refresh has ended, successfully or not.
  public func endRefreshing() {
    isRefreshing = false
  }
}
