/// Observers in the order they were added, held weakly.
@MainActor
public struct ObserverList<Observer> {
  private struct Entry {
    weak var object: AnyObject?
    let observer: () -> Observer?
  }

  private var entries: [Entry] = []

  public init() {}

  /// Adds an object until it is released. Adding it again does nothing. `observer` converts it: `{ $0 }`. A dynamic
  /// cast would cost more than the call.
  public mutating func add<Object: AnyObject>(_ object: Object, as observer: @escaping (Object) -> Observer) {
    entries.removeAll { $0.object == nil }
    guard !entries.contains(where: { $0.object === object }) else { return }
    entries.append(Entry(object: object) { [weak object] in object.map(observer) })
  }

  /// Calls `tell` with each observer. One added meanwhile is called next time.
  public func forEach(_ tell: (Observer) -> Void) {
    for entry in entries {
      if let observer = entry.observer() { tell(observer) }
    }
  }
}
