/// Those who want to hear of something, in the order in which they came. They are held weakly.
@MainActor
public struct ObserverList<Observer> {
  private var entries: [() -> Observer?] = []

  public init() {}

  /// Adds an object, until it is gone. `observer` says how it is one: `{ $0 }`. To find out while the program runs would take longer
  /// than all that is told.
  public mutating func add<Object: AnyObject>(_ object: Object, as observer: @escaping (Object) -> Observer) {
    entries.removeAll { $0() == nil }
    entries.append { [weak object] in object.map(observer) }
  }

  /// Tells each of them. Who is added meanwhile hears of the next.
  public func forEach(_ tell: (Observer) -> Void) {
    for entry in entries {
      if let observer = entry() { tell(observer) }
    }
  }
}
