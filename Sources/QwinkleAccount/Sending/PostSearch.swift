import FoundationEssentials
import QwinkleModel

/// The way through lists in which something that was posted may be.
struct PostSearch {
  /// A page of a list.
  enum Place {
    case timeline(TimelineName, at: PageCursor? = nil)
    case conversations
  }

  static let pageSize = 40
  private static let maximumPages = 5

  /// Where it has not been looked for.
  var places: [Place]
  /// What others became.
  var arrived: Set<Qwink.ID>
  private var pages = 0

  /// The lists that have what `author` wrote for `visibility`: not every server has everything in each of them.
  init(author: Qwinker.ID, visibility: Visibility, arrived: Set<Qwink.ID>) {
    places = [.timeline(.qwinker(author))]
    if visibility == .private || visibility == .direct { places.append(.timeline(.home)) }
    if visibility == .direct { places.append(.conversations) }
    self.arrived = arrived
  }

  /// Goes on behind a page of a timeline: below it if what is looked for may be older, as far as that goes.
  mutating func goOn(_ name: TimelineName, after page: Page<Qwink>, for attempts: [OutgoingEntry.Attempt]) {
    let start = attempts.map(\.at).min()?.addingTimeInterval(-OutgoingEntry.Attempt.clockTolerance)
    guard let start, let oldest = page.items.last, (oldest.boostedAt ?? oldest.createdAt) > start else { return }
    guard let older = page.older, pages < Self.maximumPages else { return }
    pages += 1
    places.insert(.timeline(name, at: older), at: 0)
  }
}
