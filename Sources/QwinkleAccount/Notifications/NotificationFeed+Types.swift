public import QwinkleModel
import QwinkleService

/// Notifications of some types that are older than all that are known of every type.
struct OlderNotifications {
  let types: Set<NotificationType>
  /// Leads to what is older than the known ones of every type.
  let start: PageCursor
  var list = PagedRows<AccountNotification>(endsAtGap: true)

  /// None are known yet.
  init(of types: Set<NotificationType>, from start: PageCursor) {
    self.types = types
    self.start = start
    list.mergeNewest(Page(items: [], older: start))
  }
}

/// Notifications of some types. The known ones of every type hold those too; below them the server is asked for these
/// types alone, so that a page is not full of others. A server that ignores types sends others, which the caller leaves
/// out.
extension NotificationFeed {
  /// What is known that isn't dismissed, newest first, for a reader who chose `types`: notifications of every type, and
  /// below them mostly of these. With no types, all of ``notifications``.
  public func notifications(for types: Set<NotificationType>) -> [AccountNotification] {
    notifications + (olderList(of: types).map { dismissals.shown($0.items) } ?? [])
  }

  /// The state for a reader who chose `types`.
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
    connection.ask(.notificationsPage(cursor, of: types)) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let page):
        state.error = nil
        // Somebody may have chosen others meanwhile, or the list has grown.
        if olderList(of: types)?.older == cursor { older?.list.appendOlder(dismissals.left(of: page)) }
        tellChange()
      case .failure(let error): state.noteOlder(error)
      }
      state.isLoadingMore = false
      tellState()
    }
    tellState()
  }

  /// The older ones of these types; nil if none were asked for from where the list ends now.
  private func olderList(of types: Set<NotificationType>) -> PagedRows<AccountNotification>? {
    guard let older, !types.isEmpty, older.types == types, older.start == list.older else { return nil }
    return older.list
  }
}
