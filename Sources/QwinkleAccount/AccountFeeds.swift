public import QwinkleService
public import QwinkleStore
public import Timekeeping

/// What one account knows, by kind: its timelines, its private messages, its notifications. All ask the same service
/// and keep what they get in the same file.
@MainActor
public struct AccountFeeds {
  public let qwinks: QwinkFeed
  public let inbox: Inbox
  public let notifications: NotificationFeed
  /// Whether the server answers.
  public let contact: ServerContact
  /// What was written and is not known to have arrived.
  public let outgoing: OutgoingStore?

  /// Feeds that keep what they get in `cache`, and what was written and may not have arrived in `outgoing`, where there
  /// are such. They ask for nothing yet.
  public init(
    service: DownloadService, cache: TimelineCache?, outgoing: OutgoingStore?, clock: any ProgramClock, isSignedIn: Bool
  ) {
    self.outgoing = outgoing
    contact = ServerContact()
    qwinks = QwinkFeed(
      service: service, cache: cache, drafts: outgoing, clock: clock, isSignedIn: isSignedIn, contact: contact)
    inbox = Inbox(
      service: service, cache: cache.map(ConversationCache.init(beside:)), outgoing: outgoing, clock: clock,
      isSignedIn: isSignedIn, contact: contact)
    notifications = NotificationFeed(
      service: service, cache: cache.map(NotificationCache.init(besides:)), clock: clock, isSignedIn: isSignedIn,
      contact: contact)
    notifications.isMessage = { [weak inbox] in inbox?.isMessage($0) ?? false }
    qwinks.addObserver(inbox)
    qwinks.addObserver(notifications)
  }
}
