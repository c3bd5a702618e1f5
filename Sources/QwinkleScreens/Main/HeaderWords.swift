import PaneKit
import Terminal

/// What the header says.
@MainActor
struct HeaderWords {
  /// A section, how much in it is unread, and where one is inside it.
  struct Place {
    let section: Section
    let unread: Int
    /// The path inside it, `› @bob › Followers of @bob`; empty at its root and where it is not seen.
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

  /// Where one is, and of the other sections the digits of those that have something unread.
  var compactPlaces: [BarView.Item] {
    places.filter { $0.section == current }.map { item($0, name: $0.name) }
      + places.filter { $0.section != current && $0.unread > 0 }.map { item($0, name: "\($0.section.number)") }
  }

  var trailing: [BarView.Item] {
    [
      .init(account, .dim, priority: 3), .init(isSignedIn ? "" : "signed out", .warning, priority: 6), connection,
    ]
  }

  /// The title of the terminal's window: who this is and how much is unread.
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
