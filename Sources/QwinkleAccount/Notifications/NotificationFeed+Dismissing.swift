import QwinkleModel
import QwinkleService
import QwinkleStore

/// The dismissed notifications.
struct Dismissals {
  /// Notifications whose dismissal hasn't been confirmed by the server. They aren't shown.
  private(set) var hidden: Set<AccountNotification.ID> = []
  /// Notifications removed by the server. A page requested earlier may still contain them.
  private var gone: Set<AccountNotification.ID> = []

  mutating func hide(_ ids: [AccountNotification.ID]) { hidden.formUnion(ids) }

  mutating func putBack(_ ids: [AccountNotification.ID]) { hidden.subtract(ids) }

  mutating func noteGone(_ ids: [AccountNotification.ID]) {
    hidden.subtract(ids)
    gone.formUnion(ids)
  }

  /// Returns the notifications that aren't hidden.
  func shown(_ notifications: [AccountNotification]) -> [AccountNotification] {
    hidden.isEmpty ? notifications : notifications.filter { !hidden.contains($0.id) }
  }

  /// Returns the newest page without the notifications removed since the page was requested. `former` is the state of
  /// the dismissals at the time of the request. Forgets removals made before that time, because the server has already
  /// applied them to the page.
  mutating func taken(
    _ page: Page<AccountNotification>, askedAfter former: Dismissals
  ) -> Page<AccountNotification> {
    gone.subtract(former.gone)
    return left(of: page)
  }

  /// Returns a page without the removed notifications.
  func left(of page: Page<AccountNotification>) -> Page<AccountNotification> {
    page.items.contains { gone.contains($0.id) } ? page.filtered { !gone.contains($0.id) } : page
  }
}

/// The notifications dismissed by one request.
private enum DismissalStep {
  case one(AccountNotification.ID)
  case group(String, [AccountNotification.ID])

  var ids: [AccountNotification.ID] {
    switch self {
    case .one(let id): [id]
    case .group(_, let ids): ids
    }
  }

  var request: Request<Void> {
    switch self {
    case .one(let id): .dismissNotification(id)
    case .group(let key, _): .dismissNotifications(inGroup: key)
    }
  }
}

/// Dismissing notifications one by one, and clearing all of them.
extension NotificationFeed {
  /// Hides notifications that are about to be dismissed.
  func hide(_ ids: [AccountNotification.ID]) {
    dismissals.hide(ids)
    keepUnreadCount()
    tellChange()
  }

  /// Restores notifications whose dismissal was undone or failed.
  func putBack(_ ids: [AccountNotification.ID]) {
    dismissals.putBack(ids)
    keepUnreadCount()
    tellChange()
  }

  /// Dismisses notifications. They are hidden at once, and shown again if their dismissal fails. `done` is called if
  /// all were dismissed. Observers are notified of a failure.
  func dismiss(_ ids: [AccountNotification.ID], done: @escaping @MainActor () -> Void) {
    hide(ids)
    dismiss(steps(toDismiss: ids), from: 0, done)
  }

  /// Returns one request for each group whose known members are all dismissed, and one for each other notification.
  private func steps(toDismiss ids: [AccountNotification.ID]) -> [DismissalStep] {
    let wanted = Set(ids)
    var members: [String: [AccountNotification.ID]] = [:]
    var keys: [AccountNotification.ID: String] = [:]
    for notification in list.items + (older?.list.items ?? []) {
      guard let key = notification.groupKey, keys.updateValue(key, forKey: notification.id) == nil else { continue }
      members[key, default: []].append(notification.id)
    }
    members = members.filter { $0.value.count > 1 && wanted.isSuperset(of: $0.value) }
    var steps: [DismissalStep] = []
    for id in ids {
      guard let key = keys[id], let group = members[key] else {
        steps.append(.one(id))
        continue
      }
      if group.first == id { steps.append(.group(key, group)) }
    }
    return steps
  }

  private func dismiss(_ steps: [DismissalStep], from index: Int, _ done: @escaping @MainActor () -> Void) {
    guard index < steps.count else {
      remove(steps.flatMap(\.ids))
      return done()
    }
    let step = steps[index]
    connection.ask(step.request, as: .change) { [weak self] result in
      guard let self else { return }
      switch (result, step) {
      case (.success, _):
        connection.abilities.note(.dismissals, true)
        dismiss(steps, from: index + 1, done)
      case (.failure(let error), .group(_, let ids)) where error.lacking(.dismissals) != nil:
        // The group no longer exists, or the server reports group keys but doesn't support dismissing groups. Dismiss
        // its notifications one by one.
        let ones = ids.map { DismissalStep.one($0) }
        dismiss(Array(steps[..<index]) + ones + Array(steps[(index + 1)...]), from: index, done)
      case (.failure(let error), .group): end(steps, at: index, error)
      case (.failure(let error), .one(let id)):
        connection.explain(error, by: AbilityNeed(.dismissals, of: id)) { [weak self] error in
          // The notification was dismissed in another client, which counts as a success.
          if case .notFound = error {
            self?.dismiss(steps, from: index + 1, done)
          } else {
            self?.end(steps, at: index, error)
          }
        }
      }
    }
  }

  /// Removes the notifications of the finished steps, and shows the others again.
  private func end(_ steps: [DismissalStep], at index: Int, _ error: DownloadError) {
    remove(steps[..<index].flatMap(\.ids))
    putBack(steps[index...].flatMap(\.ids))
    if !error.isCancelled { tellFailure(of: FailureWords.dismissing, error) }
  }

  /// Removes all notifications from the server. Observers are notified of a failure.
  func clear(done: @escaping @MainActor () -> Void) {
    connection.ask(.clearNotifications, as: .change) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success:
        loadCacheIfNeeded()
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
        if !error.isCancelled { tellFailure(of: FailureWords.clearing, error) }
      }
    }
  }

  /// Removes notifications that the server has removed.
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
