/// Those who want to hear of something, in the order in which they came. They are held weakly.
@MainActor
public struct ObserverList<Observer> {
  private struct Entry {
    weak var object: AnyObject?
  }

  private var entries: [Entry] = []

  public init() {}

  /// Adds an object, until it is gone.
  public mutating func add(_ observer: Observer) {
    entries.removeAll { $0.object == nil }
    entries.append(Entry(object: observer as AnyObject))
  }

  /// Tells each of them. Who is added meanwhile hears of the next.
  public func forEach(_ tell: (Observer) -> Void) {
    for entry in entries {
      if let observer = entry.object as? Observer { tell(observer) }
    }
  }
}
