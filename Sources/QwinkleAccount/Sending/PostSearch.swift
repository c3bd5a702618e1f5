import FoundationEssentials
import QwinkleModel

/// A search through the lists in which a posted entry may be.
struct PostSearch {
  /// A page of a list.
  enum Place {
    case timeline(TimelineName, at: PageCursor? = nil)
    case conversations
  }

  static let pageSize = 40
  private static let maximumPages = 5

  /// Pages to search.
  var places: [Place]
  /// Qwinks that other entries became.
  var arrived: Set<Qwink.ID>
  private var pages = 0

  /// A search through the lists with `author`'s qwinks of `visibility`: servers differ in what each of them has.
  init(author: Qwinker.ID, visibility: Visibility, arrived: Set<Qwink.ID>) {
    places = [.timeline(.qwinker(author))]
    if visibility == .private || visibility == .direct { places.append(.timeline(.home)) }
    if visibility == .direct { places.append(.conversations) }
    self.arrived = arrived
  }

  /// Adds the page below `page`, if the entry may be older.
  mutating func goOn(_ name: TimelineName, after page: Page<Qwink>, for attempts: [OutgoingEntry.Attempt]) {
    let start = attempts.map(\.at).min()?.addingTimeInterval(-OutgoingEntry.Attempt.clockTolerance)
    guard let start, let oldest = page.items.last, (oldest.boostedAt ?? oldest.createdAt) > start else { return }
    guard let older = page.older, pages < Self.maximumPages else { return }
    pages += 1
    places.insert(.timeline(name, at: older), at: 0)
  }
}
