import PaneKit
import Terminal

/// What the header says.
@MainActor
struct HeaderWords {
  /// A section and its unread count.
  struct Place {
    let section: Section
    let unread: Int

    var name: String { "\(section.number) \(section.title)" }
  }

  private static let sectionPriority = 10

  let places: [Place]
  let current: Section
  /// `mara@tilde.example`, or the server alone.
  let account: String
  let isSignedIn: Bool
  let connection: BarView.Item

  /// The sections as they fit into a row, and the columns between two. Short of room, first the account goes, then the
  /// gaps shrink, then the names of the other sections go.
  func arrangement(forColumns columns: Int) -> (places: [BarView.Item], gap: Int) {
    if SizeClass(columns: columns) == .compact { return (compactPlaces, 2) }
    let room = columns - 2
    if Self.columns(allPlaces + [connection], gap: 2) <= room { return (allPlaces, 2) }
    // That all is well matters less than a section's name.
    let needed = connection.priority < Self.sectionPriority ? allPlaces : allPlaces + [connection]
    return Self.columns(needed, gap: 1) <= room ? (allPlaces, 1) : (numberedPlaces, 2)
  }

  private static func columns(_ items: [BarView.Item], gap: Int) -> Int {
    items.flatMap(\.runs).reduce(gap * (items.count - 1)) { $0 + DisplayWidth.columns(of: $1.text) }
  }

  /// All sections.
  private var allPlaces: [BarView.Item] { places.map { item($0, name: $0.name) } }

  /// The current section, and the digits of all others.
  private var numberedPlaces: [BarView.Item] {
    places.map { item($0, name: $0.section == current ? $0.name : "\($0.section.number)") }
  }

  /// The current section, and the digits of others with something unread.
  private var compactPlaces: [BarView.Item] {
    places.filter { $0.section == current }.map { item($0, name: $0.name) }
      + places.filter { $0.section != current && $0.unread > 0 }.map { item($0, name: "\($0.section.number)") }
  }

  var trailing: [BarView.Item] {
    [
      .init(account, .dim, priority: 3), .init(isSignedIn ? "" : "signed out", .warning, priority: 6), connection,
    ]
  }

  /// The title of the terminal's window: account and unread count.
  var title: String {
    let unread = places.reduce(0) { $0 + $1.unread }
    return (unread > 0 ? "(\(unread)) " : "") + "Qwinkle · \(account)"
  }

  private func item(_ place: Place, name: String) -> BarView.Item {
    let isCurrent = place.section == current
    let name = TextRun<StyleRole>(name, isCurrent ? .strong : .dim)
    var item = BarView.Item(
      place.unread == 0 ? [name] : [name, TextRun(" •\(place.unread)", .new)],
      priority: isCurrent ? 90 : place.unread > 0 ? 20 : Self.sectionPriority, action: place.section.action)
    item.mayBeCut = isCurrent
    return item
  }
}
