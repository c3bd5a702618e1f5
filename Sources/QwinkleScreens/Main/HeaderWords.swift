import PaneKit
import Terminal

/// What the header says.
@MainActor
struct HeaderWords {
  /// A section, its unread count, and the path inside it.
  struct Place {
    let section: Section
    let unread: Int
    /// `› @bob › Followers of @bob`; empty at the section's root and while it is not seen.
    let path: String

    var name: String { "\(section.number) \(section.title)\(path)" }
  }

  let places: [Place]
  let current: Section
  /// `mara@tilde.example`, or the server alone.
  let account: String
  let isSignedIn: Bool
  let connection: BarView.Item

  /// All sections.
  var allPlaces: [BarView.Item] {
    [BarView.Item("Qwinkle", .accent, priority: 1)] + places.map { item($0, name: $0.name) }
  }

  /// The current section, and the digits of others with something unread.
  var compactPlaces: [BarView.Item] {
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
      priority: isCurrent ? 90 : place.unread > 0 ? 20 : 10, action: place.section.action)
    item.mayBeCut = isCurrent
    return item
  }
}
