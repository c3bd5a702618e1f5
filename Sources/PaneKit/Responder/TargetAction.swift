/// The targets of a control, told when it is used. Held weakly.
@MainActor
public struct TargetActions {
  private struct Entry {
    weak var target: AnyObject?
    let act: @MainActor (AnyObject) -> Void
  }

  private var entries: [Entry] = []

  public init() {}

  /// Number of entries, also of targets that were released since the last change.
  var count: Int { entries.count }

  /// Performs `action` on `target` each time the control is used, while `target` lives.
  public mutating func add<Target: AnyObject>(_ target: Target, _ action: @escaping @MainActor (Target) -> Void) {
    entries.removeAll { $0.target == nil }
    entries.append(
      Entry(target: target) { target in
        if let target = target as? Target { action(target) }
      })
  }

  /// Whether no target lives.
  public var isEmpty: Bool { entries.allSatisfy { $0.target == nil } }

  /// Stops telling `target`.
  public mutating func remove(_ target: AnyObject) {
    entries.removeAll { $0.target === target || $0.target == nil }
  }

  /// Tells every target that still lives.
  public func send() {
    for entry in entries {
      if let target = entry.target { entry.act(target) }
    }
  }
}
