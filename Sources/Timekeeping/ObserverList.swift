/// Those who want to hear of something, in the order in which they came. They are held weakly.
@MainActor
public struct ObserverList<Observer> {
  private struct Entry {
    weak var object: AnyObject?
    let observer: () -> Observer?
  }

  private var entries: [Entry] = []

  public init() {}

  /// Adds an object, until it is gone; one that is there already stays where it is, and hears of everything once.
  /// `observer` says how it is one: `{ $0 }`. To find out while the program runs would take longer than all that is
  /// told.
  public mutating func add<Object: AnyObject>(_ object: Object, as observer: @escaping (Object) -> Observer) {
    entries.removeAll { $0.object == nil }
    guard !entries.contains(where: { $0.object === object }) else { return }
    entries.append(Entry(object: object) { [weak object] in object.map(observer) })
  }

  /// Tells each of them. Who is added meanwhile hears of the next.
  public func forEach(_ tell: (Observer) -> Void) {
    for entry in entries {
      if let observer = entry.observer() { tell(observer) }
    }
  }
}
