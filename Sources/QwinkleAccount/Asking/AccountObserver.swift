public import QwinkleModel
public import QwinkleService
import Timekeeping

/// Told what changes in an account. Held weakly; every method has a default that does nothing.
@MainActor
public protocol AccountObserver: AnyObject {
  // MARK: The connection

  /// Something that was sent has arrived, so the server answers.
  func connectionDidWrite(_ connection: AccountConnection)
  /// Something else is on its way to the server, or no longer.
  func connectionDidChangeUnderWay(_ connection: AccountConnection)
  /// A long download came further or ended, or one has to sign in again, or has.
  func connectionDidChangeState(_ connection: AccountConnection)
  /// A download was sent on to another address.
  func connection(_ connection: AccountConnection, didFollowRedirectTo url: String)

  // MARK: Identity

  /// It became known who I am or what the server is.
  func identityDidChange(_ identity: Identity)

  // MARK: Timelines

  /// Exactly these rows of a timeline are different now.
  func timelines(
    _ timelines: Timelines, didChange change: Timeline.Change, in name: TimelineName, cause: Timelines.Cause)
  /// A timeline is being fetched, has been, or could not be.
  func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName)
  /// A qwink looks different now, wherever it stands: somebody reacted to it, edited or revealed it.
  func timelines(_ timelines: Timelines, didChange qwink: Qwink)
  /// A qwink is gone.
  func timelines(_ timelines: Timelines, didDelete id: Qwink.ID)
  /// A qwink has another id since it was edited, and is `qwink` now.
  func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink)

  // MARK: Doing

  /// Something that was done at once did not arrive, and is as it was before.
  func account(didFail failure: FeedFailure)
  /// How I stand to somebody is different now.
  func follows(_ follows: Follows, didChange relationship: Relationship)
  /// The server has said how I stand to somebody after a follow or its end.
  func follows(_ follows: Follows, didFollow outcome: FollowOutcome)
  /// A request to follow me has been accepted or refused; nil: nobody asks any more.
  func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?)
  /// An entry was posted.
  func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry)
  /// An entry could not be posted; nothing of it is lost.
  func posts(_ posts: Posts, didFailToPost entry: Entry, with error: DownloadError)
  /// What became of an entry that was written down, after it was told whether it was posted.
  func posts(_ posts: Posts, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome)
  /// A qwink is there and cannot be deleted: the server does not know how.
  func posts(_ posts: Posts, cannotDelete id: Qwink.ID, because error: DownloadError)

  // MARK: Private messages and notifications

  /// Exactly these conversations are others now, or look different.
  func inbox(_ inbox: Inbox, didChange change: ListChange)
  /// Conversations are being fetched, have been or could not be; or another number of them is unread.
  func inboxDidChangeState(_ inbox: Inbox)
  /// Messages of a conversation that is open came, went or look different, or its state changed.
  func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID)
  /// Notifications came, changed or went, or have been read.
  func notificationFeedDidChange(_ feed: NotificationFeed)
  /// Notifications are being fetched, have been, or could not be.
  func notificationFeedDidChangeState(_ feed: NotificationFeed)
}

extension AccountObserver {
  public func connectionDidWrite(_ connection: AccountConnection) {}
  public func connectionDidChangeUnderWay(_ connection: AccountConnection) {}
  public func connectionDidChangeState(_ connection: AccountConnection) {}
  public func connection(_ connection: AccountConnection, didFollowRedirectTo url: String) {}
  public func identityDidChange(_ identity: Identity) {}
  public func timelines(
    _ timelines: Timelines, didChange change: Timeline.Change, in name: TimelineName, cause: Timelines.Cause
  ) {}
  public func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName) {}
  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {}
  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {}
  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {}
  public func account(didFail failure: FeedFailure) {}
  public func follows(_ follows: Follows, didChange relationship: Relationship) {}
  public func follows(_ follows: Follows, didFollow outcome: FollowOutcome) {}
  public func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?) {}
  public func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry) {}
  public func posts(_ posts: Posts, didFailToPost entry: Entry, with error: DownloadError) {}
  public func posts(_ posts: Posts, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome) {}
  public func posts(_ posts: Posts, cannotDelete id: Qwink.ID, because error: DownloadError) {}
  public func inbox(_ inbox: Inbox, didChange change: ListChange) {}
  public func inboxDidChangeState(_ inbox: Inbox) {}
  public func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID) {}
  public func notificationFeedDidChange(_ feed: NotificationFeed) {}
  public func notificationFeedDidChangeState(_ feed: NotificationFeed) {}
}

/// The observers of one account, which all its parts tell.
@MainActor
final class AccountObservers {
  private var list = ObserverList<any AccountObserver>()

  func add(_ observer: some AccountObserver) { list.add(observer) { $0 } }

  func forEach(_ tell: (any AccountObserver) -> Void) { list.forEach(tell) }
}
