/// The targets of a control, which are notified when it is used. References are weak.
@MainActor
public struct TargetActions {
  private struct Entry {
    weak var target: AnyObject?
    let act: @MainActor (AnyObject) -> Void
  }

  private var entries: [Entry] = []

  public init() {}

  /// Number of entries, including entries of released targets that haven't been removed yet.
  var count: Int { entries.count }

  /// Performs `action` on `target` each time the control is used, until `target` is released.
  public mutating func add<Target: AnyObject>(_ target: Target, _ action: @escaping @MainActor (Target) -> Void) {
    entries.removeAll { $0.target == nil }
    entries.append(
      Entry(target: target) { target in
        if let target = target as? Target { action(target) }
      })
  }

  /// Whether all targets have been released.
  public var isEmpty: Bool { entries.allSatisfy { $0.target == nil } }

  public mutating func remove(_ target: AnyObject) {
    entries.removeAll { $0.target === target || $0.target == nil }
  }

  /// Notifies all targets that still exist.
  public func send() {
    for entry in entries {
      if let target = entry.target { entry.act(target) }
    }
  }
}
