import FoundationEssentials
import QwinkleModel

/// A search through the lists in which an entry may be, if it has arrived.
struct PostSearch {
  /// A page of a list.
  enum Place {
    case timeline(TimelineName, at: PageCursor? = nil)
    case conversations
    /// What was written below a qwink.
    case thread(Qwink.ID)
  }

  static let pageSize = 40
  private static let maximumPages = 5

  /// Pages to search.
  var places: [Place]
  /// Qwinks that other entries became.
  var arrived: Set<Qwink.ID>
  /// The moment before which none of its attempts was made, by the server's clock.
  let start: Date
  /// My qwinks found so far that no other entry became.
  var found: [Qwink] = []
  /// Whether what it replies to is gone.
  var isOrphan = false
  private var pages = 0
  private let author: Qwinker.ID
  private let visibility: Visibility

  /// A search for `entry` of `author`.
  init(for entry: OutgoingEntry, by author: Qwinker.ID, from start: Date, arrived: Set<Qwink.ID>) {
    self.author = author
    self.start = start
    self.arrived = arrived
    visibility = (entry.sent ?? entry.entry).visibility
    places = []
    // A message is never far below what it answers.
    let attempts = entry.attempts.map(\.entry)
    if EntryPurpose.conversationWrittenIn(byKey: entry.purpose) != nil,
      let parents = attempts.allSatisfy({ $0.inReplyTo != nil }) ? Set(attempts.compactMap(\.inReplyTo)) : nil
    {
      places = parents.map { .thread(Qwink.ID($0)) }
    } else {
      searchLists()
    }
  }

  /// Goes on in the lists with the author's qwinks: servers differ in what each of them has.
  mutating func searchLists() {
    places.append(.timeline(.qwinker(author)))
    if visibility == .private || visibility == .direct { places.append(.timeline(.home)) }
    if visibility == .direct { places.append(.conversations) }
  }

  /// Whether the search is pointless without this list. Servers may lack the others.
  func needs(_ place: Place) -> Bool {
    if case .timeline(.qwinker(author), _) = place { true } else { false }
  }

  /// Whether the next page belongs to the list that was searched last.
  var isWithinList: Bool {
    if case .timeline(_, .some) = places.first { true } else { false }
  }

  /// Adds the page below `page`, if the entry may be older.
  mutating func goOn(_ name: TimelineName, after page: Page<Qwink>) {
    guard let oldest = page.items.last, (oldest.boostedAt ?? oldest.createdAt) >= start else { return }
    guard let older = page.older, pages < Self.maximumPages else { return }
    pages += 1
    places.insert(.timeline(name, at: older), at: 0)
  }
}
