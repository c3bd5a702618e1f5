import PaneKit
import Terminal

/// What the header says. A count stands in a slot that is kept free for it, so that sections stay where they are when
/// it comes.
@MainActor
struct HeaderWords: @MainActor Equatable {
  /// A section, and how much is unread or new there.
  struct Place: Hashable {
    let section: Section
    let unread: Unread

    var name: String { "\(section.number) \(section.title)" }
    var shortName: String { "\(section.number) \(section.shortTitle)" }
  }

  /// How much is unread.
  struct Unread: Hashable {
    var count = 0
    /// Whether there may be more.
    var hasMore = false

    /// The longest form that fits: ` •40+`, ` •9+`, ` •`. Only in a single column no blank parts it from the name.
    func words(columns: Int) -> String {
      guard count > 0 else { return "" }
      let forms = [" •\(count)\(hasMore ? "+" : "")", count > 9 ? " •9+" : " •\(count)", " •", "•"]
      return forms.first { DisplayWidth.columns(of: $0) <= columns } ?? ""
    }
  }

  /// How the sections are arranged.
  private struct Spacing {
    /// The columns of a slot.
    let slot: Int
    /// The columns behind a section that counts nothing, besides the gap.
    let other: Int
  }

  private static let sectionPriority = 10
  private static let wideSpacings = [6, 5].map { Spacing(slot: $0, other: $0) }
  private static let mediumSpacings = [5, 4, 3].map { Spacing(slot: $0, other: 1) }
  private static let narrowSpacings = [4, 3, 2].map { Spacing(slot: $0, other: 0) }
  /// Slots for two digits: ` •40`.
  private static let legibleSpacings = Array(mediumSpacings.prefix(2))
  private static let wellConnected: [BarView.Item] = [.init("●"), .init("00:00")]
  /// Columns between two items.
  static let gap = 1
  static let signedOut = "signed out"

  let places: [Place]
  let current: Section
  /// `mara@tilde.example`, or the server alone.
  let account: String
  /// What is unread in other accounts.
  var unreadElsewhere = 0
  let isSignedIn: Bool
  /// Whether the account's name was known from the start.
  var isAccountGiven = true
  let connection: [BarView.Item]

  /// The sections as they fit into a row. Short of room, first the account goes, then a name is shortened, then the
  /// names of the other sections go. Next to names, slots have room for two digits. No count changes the arrangement.
  func leading(forColumns columns: Int) -> [BarView.Item] {
    // That all is well matters less than a section's name, but its sign should stay.
    let needed = connection.prefix(1) + connection.dropFirst().filter { $0.priority > Self.sectionPriority }
    func fits(_ items: [BarView.Item]) -> Bool {
      items.reduce(-Self.gap) { $0 + $1.columns + Self.gap } <= columns - 2
    }
    let named = places.map(\.name)
    let shortened = places.map(\.shortName)
    let numbered = places.map { $0.section == current ? $0.name : "\($0.section.number)" }
    // The room is measured for a connection that is well: the account goes before a section moves.
    var choices: [(spacings: [Spacing], names: [String], beside: [BarView.Item])] = []
    if SizeClass(columns: columns) != .compact {
      let spacings = Self.wideSpacings + Self.legibleSpacings
      let closeSpacings = Self.legibleSpacings + Self.narrowSpacings.prefix(1)
      choices += [
        (spacings, named, Self.wellConnected + [.init(roomForAccount)]),
        (spacings, named, Self.wellConnected + [.init(roomForName)]),
        (Self.wideSpacings, named, Self.wellConnected), (Array(Self.legibleSpacings.prefix(1)), named, []),
        (closeSpacings, shortened, []),
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

  /// The account, `mara@…` or `mara` where there is less room.
  private var accountItem: BarView.Item {
    var item = BarView.Item(account, .dim, priority: 3)
    item.action = .accounts
    if accountName != account { item.shorterForms = ["\(accountName)@…", accountName] }
    return item
  }

  /// Leads to the accounts.
  private var elsewhereItem: BarView.Item {
    var item = BarView.Item(AccountWords.elsewhere(unreadElsewhere), .new, priority: 5)
    item.action = .accounts
    return item
  }

  /// What the account takes, and its name alone. Where the server tells the name later, the same before and after: no
  /// section must move then.
  private var roomForAccount: String { isAccountGiven ? " \(account)" : Self.roomForAnyName }
  private var roomForName: String { isAccountGiven ? " \(accountName)" : Self.roomForAnyName }
  private static let roomForAnyName = String(repeating: "m", count: 9)

  /// The account without its server.
  private var accountName: String {
    let name = account.prefix { $0 != "@" }
    return name.isEmpty ? account : String(name)
  }

  /// The title of the terminal's window: account and what is unread that is for me, in other accounts too.
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
