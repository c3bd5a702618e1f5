public import QwinkleModel
public import QwinkleService
import Timekeeping

/// Subscribes to the streams of the account and of visible timelines, and forwards their events. While a list's stream
/// isn't open, the screens that show the list poll it.
@MainActor
public final class LiveUpdates {
  private struct Follower {
    weak var object: AnyObject?
  }

  /// Time that a timeline's stream stays open after its last screen was closed, in case the reader returns.
  private static let linger = Duration.seconds(60)

  private let connection: AccountConnection
  private let timelines: Timelines
  private let inbox: Inbox
  private let notifications: NotificationFeed
  private let service: StreamingService?
  private var followers: [TimelineName: [Follower]] = [:]
  private var leaving: [TimelineName: ProgramTimer] = [:]
  private let inboxRefresh: StreamedRefresh
  private let notificationsRefresh: StreamedRefresh
  /// Whether conversations and notifications are refreshed when their stream opens, even if they have never been
  /// fetched. False if their first fetch is still to come, which includes everything that the stream may have missed.
  var catchesUpLists = true

  init(
    _ connection: AccountConnection, timelines: Timelines, inbox: Inbox, notifications: NotificationFeed,
    service: StreamingService?
  ) {
    self.connection = connection
    self.timelines = timelines
    self.inbox = inbox
    self.notifications = notifications
    self.service = service
    service?.acceptsToken = { [weak connection] in await connection?.acceptsToken() ?? true }
    inboxRefresh = StreamedRefresh(
      clock: connection.clock, isBusy: { [weak inbox] in inbox?.state.isRefreshing ?? false },
      refresh: { [weak inbox] in inbox?.refresh() })
    notificationsRefresh = StreamedRefresh(
      clock: connection.clock, isBusy: { [weak notifications] in notifications?.state.isRefreshing ?? false },
      refresh: { [weak notifications] in notifications?.refresh() })
  }

  /// Whether the account's own stream is open.
  public var isOpen: Bool { service?.isOpen(.user) ?? false }

  /// Opens a timeline's stream until `object`, which shows the timeline, calls ``unfollow(_:for:)``.
  public func follow(_ name: TimelineName, for object: AnyObject) {
    guard let service, let stream = StreamName(name) else { return }
    leaving[name] = nil
    followers[name, default: []].removeAll { $0.object == nil || $0.object === object }
    followers[name, default: []].append(Follower(object: object))
    service.follow(stream, for: self)
    // If the stream is already open, no further event will announce that, so inform the timeline now.
    if service.isOpen(stream), !timelines.isLive(name) { timelines.streamDidOpen(name) }
  }

  /// Closes the timeline's stream after some time, unless another object follows the timeline. The account's own stream
  /// stays open.
  public func unfollow(_ name: TimelineName, for object: AnyObject) {
    guard let service, let stream = StreamName(name) else { return }
    followers[name]?.removeAll { $0.object == nil || $0.object === object }
    guard followers[name]?.isEmpty ?? true, stream != .user else { return }
    followers[name] = nil
    leaving[name] = connection.clock.schedule(after: Self.linger) { [weak self] in
      guard let self else { return }
      leaving[name] = nil
      service.unfollow(stream, for: self)
      if timelines.streamed.contains(name) { timelines.streamDidClose(name) }
    }
  }

  /// Closes all streams, because the program is suspended.
  public func suspend() { service?.suspend() }

  /// Reopens the streams.
  public func resume() { service?.resume() }

  /// Closes dead connections. If a retry is scheduled, also retries now, unless the last attempt was recent or the
  /// server asked for a later time.
  public func wakeUp() { service?.wakeUp() }

  /// Closes and reopens dead connections, for example after the machine slept.
  public func checkAlive() { service?.checkAlive() }

  private func timelines(of stream: StreamName) -> [TimelineName] {
    var names = Array(followers.keys).filter { StreamName($0) == stream }
    if stream == .user, !names.contains(.home) { names.append(.home) }
    return names
  }
}

extension LiveUpdates: AccountObserver {
  public func identityDidChange(_ identity: Identity) {
    guard let service, let info = identity.serverInfo else { return }
    if connection.isSignedIn {
      service.follow(.user, for: self)
      service.follow(.direct, for: self)
    }
    service.use(namedURL: info.streamingURL)
  }
}

extension LiveUpdates: StreamingServiceDelegate {
  public func streamingService(_ service: StreamingService, didOpen stream: StreamName) {
    for name in timelines(of: stream) { timelines.streamDidOpen(name) }
    catchUp(stream)
    if stream == .user { notifications.isLive = true }
    if stream == .direct { inbox.isLive = true }
    connection.observers.forEach { $0.liveUpdatesDidChange(self) }
  }

  private func catchUp(_ stream: StreamName) {
    if stream == .user, catchesUpLists || notifications.state.hasBegun { notificationsRefresh.ask() }
    if stream == .direct, catchesUpLists || inbox.state.hasBegun { inboxRefresh.ask() }
  }

  public func streamingService(_ service: StreamingService, mayHaveMissedEventsOf stream: StreamName) {
    for name in timelines(of: stream) { timelines.catchUpWithStream(name) }
    catchUp(stream)
  }

  public func streamingService(_ service: StreamingService, didClose stream: StreamName) {
    for name in timelines(of: stream) { timelines.streamDidClose(name) }
    if stream == .user { notifications.isLive = false }
    if stream == .direct { inbox.isLive = false }
    connection.observers.forEach { $0.liveUpdatesDidChange(self) }
  }

  public func streamingService(
    _ service: StreamingService, didReceive events: [StreamEvent], of stream: StreamName
  ) {
    for name in timelines(of: stream) { timelines.take(events, of: name) }
    for event in events {
      switch event {
      case .notified, .notificationsMerged: notificationsRefresh.ask()
      case .conversation: inboxRefresh.ask()
      case .filtersChanged: for name in timelines.streamed { timelines.catchUpWithStream(name) }
      case .posted, .edited, .deleted: break
      }
    }
  }
}

@MainActor
public protocol LiveUpdatesObserver: AnyObject {
  /// Called when a stream opens or closes.
  func liveUpdatesDidChange(_ live: LiveUpdates)
}

extension LiveUpdatesObserver {
  public func liveUpdatesDidChange(_ live: LiveUpdates) {}
}
