/// Observers, in the order in which they were added. Held weakly.
@MainActor
public struct ObserverList<Observer> {
  private struct Entry {
    weak var object: AnyObject?
    let observer: () -> Observer?
  }

  private var entries: [Entry] = []

  public init() {}

  /// Adds an object until it is released. One that is there already keeps its place and is told everything once.
  /// `observer` converts it: `{ $0 }`. A dynamic cast would cost more than the call.
  public mutating func add<Object: AnyObject>(_ object: Object, as observer: @escaping (Object) -> Observer) {
    entries.removeAll { $0.object == nil }
    guard !entries.contains(where: { $0.object === object }) else { return }
    entries.append(Entry(object: object) { [weak object] in object.map(observer) })
  }

  /// Calls `tell` with each of them. One added meanwhile is told next time.
  public func forEach(_ tell: (Observer) -> Void) {
    for entry in entries {
      if let observer = entry.observer() { tell(observer) }
    }
  }
}
