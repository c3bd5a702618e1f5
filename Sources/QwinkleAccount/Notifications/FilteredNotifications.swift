public import QwinkleModel
import QwinkleService

/// The user's policy for notifications and the requests of the senders of filtered ones. The requests themselves are
/// fetched by the screen that lists them.
@MainActor
public final class FilteredNotifications {
  /// The policy as last fetched.
  public private(set) var policy: NotificationPolicy?

  private let connection: AccountConnection
  private let feed: NotificationFeed
  private let undoHistory: UndoHistory
  private var fetch: Fetch?
  /// Requests whose answer is being sent.
  private var answering: Set<NotificationRequest.ID> = []

  init(_ connection: AccountConnection, feed: NotificationFeed, undoHistory: UndoHistory) {
    self.connection = connection
    self.feed = feed
    self.undoHistory = undoHistory
  }

  /// Number of requests that the user hasn't answered, as far as known.
  public var requestsCount: Int { policy?.requestsCount ?? 0 }

  /// Fetches the policy with its counts. Does nothing if signed out or if the server has no policy. A failure leaves
  /// the known policy unchanged.
  public func refresh() {
    guard connection.isSignedIn, connection.abilities[.filteredNotifications] != false, fetch == nil else { return }
    fetch = connection.fetch(.notificationPolicy) { [weak self] result in
      self?.fetch = nil
      if case .success(let policy) = result { self?.take(policy) }
    }
  }

  /// Replaces the policy by the server's answer to a change.
  public func take(_ policy: NotificationPolicy) {
    guard policy != self.policy else { return }
    self.policy = policy
    tellChange()
  }

  /// Whether the answer to a request is being sent.
  public func isAnswering(_ id: NotificationRequest.ID) -> Bool { answering.contains(id) }

  /// Accepts a request, which lists its notifications and all later ones of the sender, or dismisses it. Observers are
  /// notified of the result.
  public func answer(_ request: NotificationRequest, accepts: Bool) {
    guard answering.insert(request.id).inserted else { return }
    let name = "\(FailureWords.answeringNotifications(accepts: accepts)) @\(request.qwinker.handle)"
    let finish = undoHistory.begin(name) { [weak self] (result: Result<Void, DownloadError>) in
      guard let self else { return }
      answering.remove(request.id)
      switch result {
      case .success: didAnswer(request, accepted: accepts)
      // The request was answered in another client, or its notifications were deleted.
      case .failure(.notFound): didAnswer(request, accepted: nil)
      case .failure(let error):
        let lack = error.lacking(.filteredNotifications)
        if let lack { connection.note(lack) }
        let failure = FeedFailure(FailureWords.answeringNotifications(accepts: accepts), lack ?? error)
        connection.observers.forEach { $0.account(didFail: failure) }
      }
    }
    connection.ask(.answerNotificationRequest(request.id, accepts: accepts), as: .change, finish)
  }

  private func didAnswer(_ request: NotificationRequest, accepted: Bool?) {
    if let count = policy?.requestsCount, count > 0 {
      policy?.requestsCount = count - 1
      tellChange()
    }
    connection.observers.forEach { $0.filteredNotifications(self, didAnswer: request, accepted: accepted) }
    if accepted == true { feed.refreshAfterChange() }
    // The counts are from before the answer if a fetch is in progress.
    fetch = nil
    refresh()
  }

  private func tellChange() { connection.observers.forEach { $0.filteredNotificationsDidChange(self) } }
}

@MainActor
public protocol FilteredNotificationsObserver: AnyObject {
  /// Called when the policy or its number of requests changed.
  func filteredNotificationsDidChange(_ filtered: FilteredNotifications)
  /// Called when the user accepted or dismissed a request. `accepted` is nil if the request no longer existed.
  func filteredNotifications(
    _ filtered: FilteredNotifications, didAnswer request: NotificationRequest, accepted: Bool?)
}

extension FilteredNotificationsObserver {
  public func filteredNotificationsDidChange(_ filtered: FilteredNotifications) {}
  public func filteredNotifications(
    _ filtered: FilteredNotifications, didAnswer request: NotificationRequest, accepted: Bool?
  ) {}
}
