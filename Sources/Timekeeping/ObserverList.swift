/// Weakly referenced observers, in the order in which they were added.
@MainActor
public struct ObserverList<Observer> {
  private struct Entry {
    weak var object: AnyObject?
    let observer: () -> Observer?
  }

  private var entries: [Entry] = []

  public init() {}

  /// Adds an object, without retaining it. Adding it again has no effect. `observer` converts the object to an
  /// `Observer`, and is usually `{ $0 }`. A dynamic cast instead of this closure would cost more than calling the
  /// observer.
  public mutating func add<Object: AnyObject>(_ object: Object, as observer: @escaping (Object) -> Observer) {
    entries.removeAll { $0.object == nil }
    guard !entries.contains(where: { $0.object === object }) else { return }
    entries.append(Entry(object: object) { [weak object] in object.map(observer) })
  }

  /// Calls `tell` with each observer. An observer that is added during the calls isn't called.
  public func forEach(_ tell: (Observer) -> Void) {
    for entry in entries {
      if let observer = entry.observer() { tell(observer) }
    }
  }
}
