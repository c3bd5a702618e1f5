public import QwinkleModel
import QwinkleService

/// Notifications of the chosen types that are older than the loaded notifications of the unfiltered list.
struct OlderNotifications {
  let types: Set<NotificationType>
  /// Cursor of the next page of the unfiltered list.
  let start: PageCursor
  var list = PagedRows<AccountNotification>(endsAtGap: true)

  /// Creates an empty list that starts after the unfiltered list.
  init(of types: Set<NotificationType>, from start: PageCursor) {
    self.types = types
    self.start = start
    list.mergeNewest(Page(items: [], older: start))
  }
}

/// Notifications of the types that the reader chose. The newest are in the unfiltered list. Notifications older than
/// that list are requested by type, so that pages aren't filled with other types. A server that ignores the types sends
/// all notifications, and the caller filters the result.
extension NotificationFeed {
  /// Returns the known notifications that aren't dismissed, newest first, for a reader who chose `types`. They begin
  /// with notifications of every type; older ones are mostly of the chosen types. Without types, returns
  /// ``notifications``.
  public func notifications(for types: Set<NotificationType>) -> [AccountNotification] {
    notifications + (olderList(of: types).map { dismissals.shown($0.items) } ?? [])
  }

  /// Returns the state for a reader who chose `types`.
  public func state(for types: Set<NotificationType>) -> FeedState {
    var state = state
    if let older = olderList(of: types) { state.isComplete = older.older == nil }
    return state
  }

  /// Fetches older notifications for a reader who chose `types`, if there are more.
  public func loadOlder(for types: Set<NotificationType>) {
    guard !types.isEmpty else { return loadOlder() }
    guard let start = list.older, !state.isLoadingMore else { return }
    if olderList(of: types) == nil { older = OlderNotifications(of: types, from: start) }
    guard let cursor = older?.list.older else { return }
    state.isLoadingMore = true
    state.wasCancelled = false
    load(.notificationsPage(cursor, of: types, wantsWords: hasServerWords()), for: .olderOfTypes(types, cursor))
    tellState()
  }

  /// Appends a page of notifications of `types` that was requested with `cursor`.
  func append(_ page: Page<AccountNotification>, at cursor: PageCursor, of types: Set<NotificationType>) {
    // Ignore the page if the reader has chosen other types in the meantime, or if the unfiltered list has grown.
    if olderList(of: types)?.older == cursor { older?.list.appendOlder(dismissals.left(of: page)) }
    tellChange()
  }

  /// Returns the older notifications of these types, if any were requested from the current end of the unfiltered list.
  private func olderList(of types: Set<NotificationType>) -> PagedRows<AccountNotification>? {
    guard let older, !types.isEmpty, older.types == types, older.start == list.older else { return nil }
    return older.list
  }
}
