/// The state that a list needs, in addition to its rows, to merge the next page.
public struct MergeState<RowID: Hashable & Sendable>: Sendable {
  /// The user's own rows, such as a new post, that no page has contained since they were inserted locally. Each value
  /// is the number of complete first pages without the row that were merged since then.
  public var own: [RowID: Int] = [:]
  /// Cursors of gaps at which an unreadable item may directly precede the page.
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
