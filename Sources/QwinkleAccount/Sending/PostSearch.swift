import FoundationEssentials
import QwinkleModel

/// A search for an entry that may have arrived.
struct PostSearch {
  /// A list, or a page of a list.
  enum Place {
    case timeline(TimelineName, at: PageCursor? = nil)
    case conversations
    /// The replies below a qwink.
    case thread(Qwink.ID)
  }

  static let pageSize = 40
  private static let maximumPages = 5

  /// The lists and pages left to search.
  var places: [Place]
  /// Qwinks already matched to other entries.
  var arrived: Set<Qwink.ID>
  /// Earliest possible time of the entry's first attempt, by the server's clock.
  let start: Date
  /// The user's qwinks found so far, except the results of other entries.
  var found: [Qwink] = []
  /// Whether the entry's parent was deleted.
  var isOrphan = false
  private var pages = 0
  private let author: Qwinker.ID
  private let visibility: Visibility

  /// Creates a search for `entry` by `author`.
  init(for entry: OutgoingEntry, by author: Qwinker.ID, from start: Date, arrived: Set<Qwink.ID>) {
    self.author = author
    self.start = start
    self.arrived = arrived
    visibility = (entry.sent ?? entry.entry).visibility
    places = []
    // A message in a conversation is always among the replies to its parent, so the lists needn't be searched.
    let attempts = entry.attempts.map(\.entry)
    if case .conversation? = entry.kind,
      let parents = attempts.allSatisfy({ $0.inReplyTo != nil }) ? Set(attempts.compactMap(\.inReplyTo)) : nil
    {
      places = parents.map { .thread(Qwink.ID($0)) }
    } else {
      searchLists()
    }
  }

  /// Adds the lists that may contain the entry. Servers differ in which of these lists include private and direct
  /// qwinks.
  mutating func searchLists() {
    places.append(.timeline(.qwinker(author)))
    if visibility == .private || visibility == .direct { places.append(.timeline(.home)) }
    if visibility == .direct { places.append(.conversations) }
  }

  /// Whether the search needs this list. Servers may lack the other lists.
  func needs(_ place: Place) -> Bool {
    if case .timeline(.qwinker(author), _) = place { true } else { false }
  }

  /// Whether the next page belongs to the list searched last.
  var isWithinList: Bool {
    if case .timeline(_, .some) = places.first { true } else { false }
  }

  /// Adds the page below `page` to the search, if the entry may be older than the items of `page`.
  mutating func goOn(_ name: TimelineName, after page: Page<Qwink>) {
    guard let oldest = page.items.last, oldest.listedAt >= start else { return }
    guard let older = page.older, pages < Self.maximumPages else { return }
    pages += 1
    places.insert(.timeline(name, at: older), at: 0)
  }
}
