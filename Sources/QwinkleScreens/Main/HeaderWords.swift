import PaneKit
import Terminal

/// The content of the header. Space is reserved for each count, so that sections don't move when a count appears.
@MainActor
struct HeaderWords: @MainActor Equatable {
  /// A section and its number of unread or new items.
  struct Place: Hashable {
    let section: Section
    let unread: Unread

    var name: String { "\(section.number) \(section.title)" }
    var shortName: String { "\(section.number) \(section.shortTitle)" }
    var shortestName: String { "\(section.number) \(section.shortestTitle)" }
  }

  struct Unread: Hashable {
    var count = 0
    /// Whether the actual number may be larger.
    var hasMore = false

    /// Returns the longest form that fits: ` •40+`, ` •9+`, ` •`. In a single column, the bullet follows the name
    /// without a space.
    func words(columns: Int) -> String {
      guard count > 0 else { return "" }
      let forms = [" •\(count)\(hasMore ? "+" : "")", count > 9 ? " •9+" : " •\(count)", " •", "•"]
      return forms.first { DisplayWidth.columns(of: $0) <= columns } ?? ""
    }
  }

  private struct Spacing {
    /// The columns reserved for a count.
    let slot: Int
    /// The columns after the name of a section without an unread count, in addition to the gap.
    let other: Int
  }

  private static let sectionPriority = 10
  /// From this width, all sections have their names.
  static let fewestNamedColumns = 80
  private static let wideSpacings = [6, 5].map { Spacing(slot: $0, other: $0) }
  private static let mediumSpacings = [5, 4, 3].map { Spacing(slot: $0, other: 1) }
  private static let narrowSpacings = [4, 3, 2].map { Spacing(slot: $0, other: 0) }
  /// Spacings with room for two digits: ` •40`.
  private static let legibleSpacings = Array(mediumSpacings.prefix(2))
  private static let wellConnected: [BarView.Item] = [.init("●"), .init("00:00")]
  /// Columns between two items.
  static let gap = 1
  static let signedOut = "signed out"

  let places: [Place]
  /// Nil if the pane with keyboard focus shows no section.
  let current: Section?
  /// `mara@tilde.example`, or only the server.
  let account: String
  /// Number of unread items in other accounts.
  var unreadElsewhere = 0
  let isSignedIn: Bool
  /// Whether the account's name was set at launch, rather than reported later by the server.
  var isAccountGiven = true
  let connection: [BarView.Item]

  /// Returns the sections arranged to fit in a row. If room is scarce, first the account is dropped, then section names
  /// are shortened, then the names of all sections but the current one are dropped. The space reserved for a count
  /// after a name has room for two digits. The arrangement doesn't depend on the counts.
  func leading(forColumns columns: Int) -> [BarView.Item] {
    // Section names take precedence over the details of the connection, but not over its symbol.
    let needed = connection.enumerated().filter { $0.offset == 0 || $0.element.priority > Self.sectionPriority }
      .map(\.element.shortest)
    func fits(_ items: [BarView.Item]) -> Bool {
      items.reduce(-Self.gap) { $0 + $1.columns + Self.gap } <= columns - 2
    }
    let named = places.map(\.name)
    let shortened = places.map(\.shortName)
    let shortest = places.map(\.shortestName)
    let numbered = places.map { $0.section == current ? $0.name : "\($0.section.number)" }
    // Measure as if the connection were working. If it isn't, the account is dropped before a section moves.
    var choices: [(spacings: [Spacing], names: [String], beside: [BarView.Item])] = []
    if columns >= Self.fewestNamedColumns {
      let spacings = Self.wideSpacings + Self.legibleSpacings
      let closeSpacings = Self.legibleSpacings + Self.narrowSpacings.prefix(1)
      choices += [
        (spacings, named, Self.wellConnected + [.init(roomForAccount)]),
        (spacings, named, Self.wellConnected + [.init(roomForName)]),
        (Self.wideSpacings, named, Self.wellConnected), (Array(Self.legibleSpacings.prefix(1)), named, []),
        (closeSpacings, shortened, []), (closeSpacings, shortest, []), (Self.narrowSpacings, shortest, []),
      ]
    }
    choices.append((Self.mediumSpacings + Self.narrowSpacings, numbered, []))
    for (spacings, names, beside) in choices {
      for spacing in spacings {
        let items = items(spacing, names)
        if fits(items + beside), fits(items + needed) { return items }
      }
    }
    return items(Spacing(slot: 1, other: 0), numbered)
  }

  private func items(_ spacing: Spacing, _ names: [String]) -> [BarView.Item] {
    zip(places, names).map { item($0, name: $1, spacing) }
  }

  var trailing: [BarView.Item] {
    (unreadElsewhere > 0 ? [elsewhereItem] : []) + [
      accountItem, .init(isSignedIn ? "" : Self.signedOut, .warning, priority: 6),
    ] + connection
  }

  /// The account, which is shortened to `mara@tilde…` or `mara` if room is scarce.
  private var accountItem: BarView.Item {
    var item = BarView.Item(account, .dim, priority: 3)
    item.action = .accounts
    item.shorterForms = Self.shorterForms(of: account)
    return item
  }

  static func shorterForms(of account: String) -> [String] {
    let parts = account.split(separator: "@", maxSplits: 1)
    guard parts.count == 2 else { return [] }
    let label = parts[1].prefix { $0 != "." }
    return (label == parts[1] ? [] : ["\(parts[0])@\(label)…"]) + [String(parts[0])]
  }

  /// The number of unread items in other accounts. A click opens the list of accounts.
  private var elsewhereItem: BarView.Item {
    var item = BarView.Item(AccountWords.elsewhere(unreadElsewhere), .new, priority: 5)
    item.action = .accounts
    return item
  }

  /// The room needed for the account, and for its name alone. If the server reports the name only after launch, the
  /// same room is reserved for any name, so that sections don't move when it arrives.
  private var roomForAccount: String { isAccountGiven ? " \(account)" : Self.roomForAnyName }
  private var roomForName: String { isAccountGiven ? " \(accountName)" : Self.roomForAnyName }
  private static let roomForAnyName = String(repeating: "m", count: 9)

  /// The account's name without its server.
  private var accountName: String {
    let name = account.prefix { $0 != "@" }
    return name.isEmpty ? account : String(name)
  }

  /// The terminal window's title: the account, and the number of unread personal items in all accounts.
  var title: String {
    let unread = places.filter(\.section.isPersonal).reduce(unreadElsewhere) { $0 + $1.unread.count }
    return (unread > 0 ? "(\(unread)) " : "") + "Qwinkle · \(account)"
  }

  private func item(_ place: Place, name: String, _ spacing: Spacing) -> BarView.Item {
    let isCurrent = place.section == current
    let isLast = place.section == places.last?.section
    let slot = place.section.countsUnread ? spacing.slot : isLast ? 0 : spacing.other
    let count = place.unread.words(columns: slot)
    let rest = String(repeating: " ", count: slot - DisplayWidth.columns(of: count))
    let runs: [TextRun<StyleRole>] = [
      TextRun(name, isCurrent ? .strong : .dim), TextRun(count, place.section.isPersonal ? .new : .accent),
      TextRun(rest, .text),
    ]
    var item = BarView.Item(
      runs.filter { !$0.text.isEmpty },
      priority: isCurrent ? 90 : place.unread.count > 0 ? 20 : Self.sectionPriority, action: place.section.action)
    item.mayBeCut = isCurrent
    return item
  }
}
