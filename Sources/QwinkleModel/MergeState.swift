/// The state that a list needs, in addition to its rows, to merge the next page.
public struct MergeState<RowID: Hashable & Sendable>: Sendable {
  /// The user's own rows, such as a new post, that no page has contained since they were inserted locally. Each value
  /// is the number of first pages merged since then. Only complete pages are counted, and none of them contained the
  /// row.
  public var own: [RowID: Int] = [:]
  /// Cursors of gaps that may begin with an unreadable item: the page above the gap may have ended with one, directly
  /// before the page at the cursor.
  public var pastUnread: Set<PageCursor> = []
  /// Cursors of the older pages that were loaded at the end of the list. If a page names one of them again as its next
  /// page, the list ends there.
  public var followed: Set<PageCursor> = []

  public init() {}

  /// Returns the state with each row id replaced with the result of `transform`.
  public func map<Other>(_ transform: (RowID) -> Other) -> MergeState<Other> {
    var state = MergeState<Other>()
    state.own = Dictionary(own.map { (transform($0.key), $0.value) }) { first, _ in first }
    (state.pastUnread, state.followed) = (pastUnread, followed)
    return state
  }
}
