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

/// What one request dismisses.
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

  /// Dismisses notifications. They are hidden at once; those that the server keeps come back. `done` is called if all
  /// are gone; observers are told of a failure.
  func dismiss(_ ids: [AccountNotification.ID], done: @escaping @MainActor () -> Void) {
    hide(ids)
    dismiss(steps(toDismiss: ids), from: 0, done)
  }

  /// One request for all that are in one group, if nothing else is known to be in it, and one for each of the others.
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
        // The group is gone, or the server gives its name but doesn't know the call.
        let ones = ids.map { DismissalStep.one($0) }
        dismiss(Array(steps[..<index]) + ones + Array(steps[(index + 1)...]), from: index, done)
      case (.failure(let error), .group): end(steps, at: index, error)
      case (.failure(let error), .one(let id)):
        connection.explain(error, by: AbilityNeed(.dismissals, of: id)) { [weak self] error in
          // It was dismissed elsewhere.
          if case .notFound = error {
            self?.dismiss(steps, from: index + 1, done)
          } else {
            self?.end(steps, at: index, error)
          }
        }
      }
    }
  }

  /// Shows again what was not dismissed, from a step on.
  private func end(_ steps: [DismissalStep], at index: Int, _ error: DownloadError) {
    remove(steps[..<index].flatMap(\.ids))
    putBack(steps[index...].flatMap(\.ids))
    if !error.isCancelled { tellFailure(of: FailureWords.dismissing, error) }
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
        if !error.isCancelled { tellFailure(of: FailureWords.clearing, error) }
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
