import QwinkleModel
import QwinkleService
import QwinkleStore

/// Which notifications were dismissed.
struct Dismissals {
  /// Those that the server is about to be told of: they aren't shown.
  private(set) var hidden: Set<AccountNotification.ID> = []
  /// Those that the server has removed: a page that was asked for before may still have them.
  private var gone: Set<AccountNotification.ID> = []

  mutating func hide(_ ids: [AccountNotification.ID]) { hidden.formUnion(ids) }

  mutating func putBack(_ ids: [AccountNotification.ID]) { hidden.subtract(ids) }

  mutating func noteGone(_ ids: [AccountNotification.ID]) {
    hidden.subtract(ids)
    gone.formUnion(ids)
  }

  /// Those of `notifications` that are shown.
  func shown(_ notifications: [AccountNotification]) -> [AccountNotification] {
    hidden.isEmpty ? notifications : notifications.filter { !hidden.contains($0.id) }
  }

  /// The newest page, which was asked for when dismissals were `former`, without what has gone since.
  mutating func taken(
    _ page: Page<AccountNotification>, askedAfter former: Dismissals
  ) -> Page<AccountNotification> {
    gone.subtract(former.gone)
    return left(of: page)
  }

  /// A page without what has gone.
  func left(of page: Page<AccountNotification>) -> Page<AccountNotification> {
    page.items.contains { gone.contains($0.id) } ? page.filtered { !gone.contains($0.id) } : page
  }
}

/// Dismissing notifications, and clearing all of them.
extension NotificationFeed {
  /// Hides notifications that are about to be dismissed.
  func hide(_ ids: [AccountNotification.ID]) {
    dismissals.hide(ids)
    keepUnreadCount()
    tellChange()
  }

  /// Shows notifications again that are not dismissed after all.
  func putBack(_ ids: [AccountNotification.ID]) {
    dismissals.putBack(ids)
    keepUnreadCount()
    tellChange()
  }

  /// Dismisses notifications, one after another. They are hidden at once; those that the server keeps come back.
  /// `done` is called if all are gone; observers are told of a failure.
  func dismiss(_ ids: [AccountNotification.ID], done: @escaping @MainActor () -> Void) {
    hide(ids)
    dismiss(ids, from: 0, done)
  }

  private func dismiss(
    _ ids: [AccountNotification.ID], from index: Int, _ done: @escaping @MainActor () -> Void
  ) {
    guard index < ids.count else {
      remove(ids)
      return done()
    }
    connection.ask(.dismissNotification(ids[index]), as: .change) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success:
        connection.abilities.note(.dismissals, true)
        dismiss(ids, from: index + 1, done)
      case .failure(let error):
        connection.explain(error, by: AbilityNeed(.dismissals, of: ids[index])) { [weak self] error in
          guard let self else { return }
          // It was dismissed elsewhere.
          if case .notFound = error { return dismiss(ids, from: index + 1, done) }
          remove(Array(ids[..<index]))
          putBack(Array(ids[index...]))
          if !error.isCancelled { tellFailure(of: "Dismissing", error) }
        }
      }
    }
  }

  /// Removes all notifications from the server. Observers are told of a failure.
  func clear(done: @escaping @MainActor () -> Void) {
    connection.ask(.clearNotifications, as: .change) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success:
        takeKept()
        dismissals.noteGone(list.items.map(\.id))
        list = PagedRows(endsAtGap: true)
        older = nil
        state.isComplete = true
        cache?.replace(Page(items: []), unreadCount: 0)
        keepUnreadCount()
        tellChange()
        done()
        refreshAfterChange()
      case .failure(let error):
        if !error.isCancelled { tellFailure(of: "Clearing notifications", error) }
      }
    }
  }

  /// Forgets what the server has removed.
  private func remove(_ ids: [AccountNotification.ID]) {
    guard !ids.isEmpty else { return }
    let gone = Set(ids)
    dismissals.noteGone(ids)
    list.remove { gone.contains($0.id) }
    older?.list.remove { gone.contains($0.id) }
    cache?.remove(gone)
    keepUnreadCount()
    tellChange()
  }

  private func tellFailure(of what: String, _ error: DownloadError) {
    connection.observers.forEach { $0.account(didFail: FeedFailure(what, error)) }
  }
}
