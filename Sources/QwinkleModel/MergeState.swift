/// The state that a list passes from one merge to the next with its rows.
public struct MergeState<RowID: Hashable & Sendable>: Sendable {
  /// The user's own rows, such as a new post, that no page has contained since they were inserted locally. Each value
  /// counts the newest pages that lacked the row.
  public var own: [RowID: Int] = [:]
  /// Cursors of pages that follow an unreadable item.
  public var pastUnread: Set<PageCursor> = []
  /// Cursors followed from the current end. A repeated cursor ends the list.
  public var followed: Set<PageCursor> = []

  public init() {}

  /// Returns the state with other row ids.
  public func map<Other>(_ transform: (RowID) -> Other) -> MergeState<Other> {
    var state = MergeState<Other>()
    state.own = Dictionary(own.map { (transform($0.key), $0.value) }) { first, _ in first }
    (state.pastUnread, state.followed) = (pastUnread, followed)
    return state
  }
}
