public import QwinkleModel
public import QwinkleService
public import QwinkleStore
import Timekeeping

/// Told what changes in an account. Held weakly; every method has a default that does nothing.
@MainActor
public protocol AccountObserver: AnyObject {
  // MARK: The connection

  /// A write has arrived, so the server answers.
  func connectionDidWrite(_ connection: AccountConnection)
  /// A write has begun or ended.
  func connectionDidChangeUnderWay(_ connection: AccountConnection)
  /// The server stopped answering or answers again, a long download progressed or ended, it was found to lack an
  /// ability, or the user has to sign in again or has done so.
  func connectionDidChangeState(_ connection: AccountConnection)
  /// A download was redirected.
  func connection(_ connection: AccountConnection, didFollowRedirectTo url: String)

  /// A stream has opened or closed.
  func liveUpdatesDidChange(_ live: LiveUpdates)

  // MARK: Identity

  /// The signed-in user or the server's description became known.
  func identityDidChange(_ identity: Identity)

  // MARK: Timelines

  /// Exactly these rows of a timeline changed.
  func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause)
  /// These rows are new in a timeline, above those in memory: they are in the cache.
  func timelines(_ timelines: Timelines, didKeepNew rows: [Qwink.RowID], in name: TimelineName)
  /// The rows of a timeline above those in memory were counted.
  func timelines(_ timelines: Timelines, didCountRowsIn name: TimelineName)
  /// A timeline's fetching began or ended.
  func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName)
  /// A qwink looks different in all lists: it was reacted to, edited or revealed.
  func timelines(_ timelines: Timelines, didChange qwink: Qwink)
  /// A qwink was deleted.
  func timelines(_ timelines: Timelines, didDelete id: Qwink.ID)
  /// A qwink got another id by an edit, and is `qwink` now.
  func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink)

  /// The mark in a list moved, or what is known of it.
  func readPositions(_ positions: ReadPositions, didChangeIn list: ReadList)

  // MARK: Doing

  /// An act that showed at once failed and was taken back.
  func account(didFail failure: FeedFailure)
  /// My relationship to somebody changed.
  func follows(_ follows: Follows, didChange relationship: Relationship)
  /// Lists have others to leave out than before: somebody was muted, blocked, or neither any more.
  func followsDidChangeHidden(_ follows: Follows)
  /// A filter that matched a qwink expired: lists show qwinks that it hid, and texts that it covered.
  func accountFilterDidExpire()
  /// The server answered a follow or unfollow.
  func follows(_ follows: Follows, didFollow outcome: FollowOutcome)
  /// I accepted or refused a follow request; nil if it was withdrawn.
  func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?)
  /// An entry was posted.
  func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry)
  /// The server answered what was posted, edited or scheduled. `answer` is the JSON (UTF-8) of a status or scheduled
  /// status with that id. Called before anything else about it.
  func account(didReceive answer: [UInt8], of id: String)
  /// The server stored an entry otherwise than it was sent. Called after `didPost` and `didSend`.
  func account(didFind differences: [StoredDifference])
  /// An entry wasn't posted; it is kept.
  func posts(_ posts: Posts, didFailToPost entry: Entry, with error: DownloadError)
  /// How sending a kept entry ended, after `didPost` or `didFailToPost`.
  func posts(_ posts: Posts, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome)
  /// A held post was taken back: it is a draft.
  func posts(_ posts: Posts, didTakeBack outgoing: OutgoingEntry)
  /// Called when a discarded or cancelled message returns to the entry of its conversation. Returns whether the entry
  /// shows the message now. If it `isSaved`, it is a draft.
  func account(didBringBack message: OutgoingEntry, isSaved: Bool) -> Bool
  /// A held post could not be put into the outbox. It is a draft.
  func posts(_ posts: Posts, didKeepAsDraft outgoing: OutgoingEntry, because error: StoreError)
  /// What is held, or how long, changed.
  func heldActsDidChange(_ held: HeldActs)
  /// I deleted a qwink, after timelines were told.
  func posts(_ posts: Posts, didDelete id: Qwink.ID)
  /// What is in the outbox, or the state of an item, changed.
  func outboxDidChange(_ outbox: Outbox)
  /// A reaction, a follow or a deletion waits in the outbox, as the server can't be asked now.
  func outbox(_ outbox: Outbox, didQueue item: OutboxItem, after error: DownloadError)
  /// The server refused an item, and nobody waits for it any more. It stays in the outbox, with its reason.
  func outbox(_ outbox: Outbox, didFail item: OutboxItem)
  /// The last run ended while these were held: they are drafts now.
  func outbox(_ outbox: Outbox, didKeepAsDrafts entries: [OutgoingEntry])
  /// Replies to these qwinks were begun, discarded or sent.
  func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>)
  /// An entry was saved, opened, closed, discarded or sent.
  func draftsDidChange(_ drafts: Drafts)
  /// A qwink wasn't deleted, as the server can't.
  func posts(_ posts: Posts, cannotDelete id: Qwink.ID, because error: DownloadError)

  // MARK: Direct messages and notifications

  /// Exactly these conversations changed.
  func inbox(_ inbox: Inbox, didChange change: ListChange)
  /// The fetching of conversations began or ended, or the number of unread ones changed.
  func inboxDidChangeState(_ inbox: Inbox)
  /// Messages of an open conversation, or its state, changed.
  func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID)
  /// Notifications changed or were read.
  func notificationFeedDidChange(_ feed: NotificationFeed)
  /// Unread notifications have come since the last refresh, newest first. What was there at the first one is not told.
  func notificationFeed(_ feed: NotificationFeed, didReceive news: [AccountNotification])
  /// The fetching of notifications began or ended.
  func notificationFeedDidChangeState(_ feed: NotificationFeed)
}

extension AccountObserver {
  public func connectionDidWrite(_ connection: AccountConnection) {}
  public func connectionDidChangeUnderWay(_ connection: AccountConnection) {}
  public func connectionDidChangeState(_ connection: AccountConnection) {}
  public func connection(_ connection: AccountConnection, didFollowRedirectTo url: String) {}
  public func identityDidChange(_ identity: Identity) {}
  public func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {}
  public func timelines(_ timelines: Timelines, didKeepNew rows: [Qwink.RowID], in name: TimelineName) {}
  public func timelines(_ timelines: Timelines, didCountRowsIn name: TimelineName) {}
  public func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName) {}
  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {}
  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {}
  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {}
  public func readPositions(_ positions: ReadPositions, didChangeIn list: ReadList) {}
  public func account(didFail failure: FeedFailure) {}
  public func follows(_ follows: Follows, didChange relationship: Relationship) {}
  public func followsDidChangeHidden(_ follows: Follows) {}
  public func accountFilterDidExpire() {}
  public func follows(_ follows: Follows, didFollow outcome: FollowOutcome) {}
  public func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?) {}
  public func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry) {}
  public func account(didReceive answer: [UInt8], of id: String) {}
  public func account(didFind differences: [StoredDifference]) {}
  public func posts(_ posts: Posts, didFailToPost entry: Entry, with error: DownloadError) {}
  public func posts(_ posts: Posts, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome) {}
  public func posts(_ posts: Posts, didTakeBack outgoing: OutgoingEntry) {}
  public func account(didBringBack message: OutgoingEntry, isSaved: Bool) -> Bool { false }
  public func posts(_ posts: Posts, didKeepAsDraft outgoing: OutgoingEntry, because error: StoreError) {}
  public func heldActsDidChange(_ held: HeldActs) {}
  public func outbox(_ outbox: Outbox, didKeepAsDrafts entries: [OutgoingEntry]) {}
  public func posts(_ posts: Posts, cannotDelete id: Qwink.ID, because error: DownloadError) {}
  public func posts(_ posts: Posts, didDelete id: Qwink.ID) {}
  public func liveUpdatesDidChange(_ live: LiveUpdates) {}
  public func draftsDidChange(_ drafts: Drafts) {}
  public func outboxDidChange(_ outbox: Outbox) {}
  public func outbox(_ outbox: Outbox, didQueue item: OutboxItem, after error: DownloadError) {}
  public func outbox(_ outbox: Outbox, didFail item: OutboxItem) {}
  public func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>) {}
  public func inbox(_ inbox: Inbox, didChange change: ListChange) {}
  public func inboxDidChangeState(_ inbox: Inbox) {}
  public func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID) {}
  public func notificationFeedDidChange(_ feed: NotificationFeed) {}
  public func notificationFeed(_ feed: NotificationFeed, didReceive news: [AccountNotification]) {}
  public func notificationFeedDidChangeState(_ feed: NotificationFeed) {}
}

/// The observers that all parts of an account tell.
@MainActor
final class AccountObservers {
  private var list = ObserverList<any AccountObserver>()

  func add(_ observer: some AccountObserver) { list.add(observer) { $0 } }

  func forEach(_ tell: (any AccountObserver) -> Void) { list.forEach(tell) }
}
