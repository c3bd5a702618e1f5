public import QwinkleModel
public import QwinkleService
public import QwinkleStore
import Timekeeping

/// An observer of changes in an account. It is referenced weakly, and every method has a default that does nothing.
@MainActor
public protocol AccountObserver: AnyObject {
  // MARK: The connection

  /// Called after a successful write, which shows that the server is reachable.
  func connectionDidWrite(_ connection: AccountConnection)
  /// Called when a write starts or ends.
  func connectionDidChangeInProgress(_ connection: AccountConnection)
  /// Called when the server becomes unreachable or reachable, when a long download progresses or ends, when a missing
  /// ability is detected, or when the user has to sign in again or has done so.
  func connectionDidChangeState(_ connection: AccountConnection)
  /// Called when a download is redirected.
  func connection(_ connection: AccountConnection, didFollowRedirectTo url: String)

  /// Called when a stream opens or closes.
  func liveUpdatesDidChange(_ live: LiveUpdates)

  // MARK: Identity

  /// Called when the signed-in user or the server's description becomes known.
  func identityDidChange(_ identity: Identity)

  // MARK: Timelines

  /// Called when rows of a timeline changed. `change` describes exactly those rows.
  func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause)
  /// Called when new rows were cached above a timeline's rows in memory.
  func timelines(_ timelines: Timelines, didKeepNew rows: [Qwink.RowID], in name: TimelineName)
  /// Called when the number of rows above a timeline's rows in memory became known.
  func timelines(_ timelines: Timelines, didCountRowsIn name: TimelineName)
  /// Called when a timeline starts or stops fetching, or when its stream or the number of rows missing at a gap
  /// changes.
  func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName)
  /// Called when a qwink's appearance changed in all lists: it was edited or revealed, or has other reactions.
  func timelines(_ timelines: Timelines, didChange qwink: Qwink)
  /// Called when a qwink was deleted.
  func timelines(_ timelines: Timelines, didDelete id: Qwink.ID)
  /// Called when an edit gave a qwink another id. `qwink` is its new version.
  func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink)

  /// Called when a list's reading position changed or became known.
  func readPositions(_ positions: ReadPositions, didChangeIn list: ReadList)

  // MARK: Actions

  /// Called when an action failed. If its result was shown before the server answered, the result has been reverted.
  func account(didFail failure: FeedFailure)
  /// Called when the user's relationship to another account changed.
  func follows(_ follows: Follows, didChange relationship: Relationship)
  /// Called when the set of hidden accounts changed, because the user muted, unmuted, blocked or unblocked an account
  /// or server.
  func followsDidChangeHidden(_ follows: Follows)
  /// Called when a filter that matched a qwink expired. Lists should show the qwinks and texts that it hid.
  func accountFilterDidExpire()
  /// Called when the server answered a follow or unfollow.
  func follows(_ follows: Follows, didFollow outcome: FollowOutcome)
  /// Called when the user accepted or refused a follow request. `accepted` is nil if the request was withdrawn.
  func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?)
  /// Called when an entry was posted.
  func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry)
  /// Called when the server answered a post, an edit or a scheduled post. `answer` is the JSON (UTF-8) of the status or
  /// scheduled status `id`. Other methods about this status are called later.
  func account(didReceive answer: [UInt8], of id: String)
  /// Called when the server changed an entry before storing it. For a post, called after `didPost` and `didSend`.
  func account(didFind differences: [StoredDifference])
  /// Called when an entry couldn't be posted. The entry remains stored.
  func posts(_ posts: Posts, didFailToPost entry: Entry, with error: DownloadError)
  /// Called with the outcome of sending a stored entry, after `didPost` or `didFailToPost`.
  func posts(_ posts: Posts, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome)
  /// Called when a pending post was cancelled and became a draft.
  func posts(_ posts: Posts, didTakeBack outgoing: OutgoingEntry)
  /// Called when a discarded or cancelled message should return to the text field of its conversation's chat. If
  /// `isSaved` is true, the message is saved as a draft. Returns whether the text field shows the message now.
  func account(didBringBack message: OutgoingEntry, isSaved: Bool) -> Bool
  /// Called when a pending post couldn't be added to the outbox and became a draft.
  func posts(_ posts: Posts, didKeepAsDraft outgoing: OutgoingEntry, because error: StoreError)
  /// Called when the pending actions or their remaining times changed.
  func pendingActionsDidChange(_ held: PendingActions)
  /// Called when the user deleted a qwink, after timelines were notified.
  func posts(_ posts: Posts, didDelete id: Qwink.ID)
  /// Called when the outbox's items or their states changed.
  func outboxDidChange(_ outbox: Outbox)
  /// Called when a reaction, a follow or a deletion stays queued in the outbox because its first attempt failed with
  /// `error`.
  func outbox(_ outbox: Outbox, didQueue item: OutboxItem, after error: DownloadError)
  /// Called when an entry failed and won't be retried automatically, but its writer no longer waits for it. The entry
  /// stays in the outbox with the reason.
  func outbox(_ outbox: Outbox, didFail item: OutboxItem)
  /// Called when entries that could still be undone when their program ended have become drafts.
  func outbox(_ outbox: Outbox, didKeepAsDrafts entries: [OutgoingEntry])
  /// Called when replies to these qwinks were started, discarded or sent.
  func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>)
  /// Called when an entry was saved, opened, closed, discarded or sent.
  func draftsDidChange(_ drafts: Drafts)
  /// Called when a qwink couldn't be deleted because the server doesn't support deletion.
  func posts(_ posts: Posts, cannotDelete id: Qwink.ID, because error: DownloadError)

  // MARK: Direct messages and notifications

  /// Called when conversations changed. `change` describes exactly those conversations.
  func inbox(_ inbox: Inbox, didChange change: ListChange)
  /// Called when fetching of conversations starts or ends, or the number of unread conversations changed.
  func inboxDidChangeState(_ inbox: Inbox)
  /// Called when the messages or the state of an open conversation changed.
  func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID)
  /// Called when notifications changed or were read.
  func notificationFeedDidChange(_ feed: NotificationFeed)
  /// Called when unread notifications arrived since the last refresh, newest first. Not called for the notifications of
  /// the first refresh.
  func notificationFeed(_ feed: NotificationFeed, didReceive news: [AccountNotification])
  /// Called when fetching of notifications starts or ends.
  func notificationFeedDidChangeState(_ feed: NotificationFeed)
}

extension AccountObserver {
  public func connectionDidWrite(_ connection: AccountConnection) {}
  public func connectionDidChangeInProgress(_ connection: AccountConnection) {}
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
  public func pendingActionsDidChange(_ held: PendingActions) {}
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

/// The observers of an account, shared by all its parts.
@MainActor
final class AccountObservers {
  private var list = ObserverList<any AccountObserver>()

  func add(_ observer: some AccountObserver) { list.add(observer) { $0 } }

  func forEach(_ tell: (any AccountObserver) -> Void) { list.forEach(tell) }
}
