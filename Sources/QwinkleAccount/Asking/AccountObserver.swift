public import QwinkleModel
import Timekeeping

/// An observer of changes in an account, referenced weakly. Each part of the account declares its own methods. Every
/// method has a default that does nothing.
@MainActor
public protocol AccountObserver:
  ConnectionObserver, LiveUpdatesObserver, IdentityObserver, TimelinesObserver, ReadPositionsObserver, FollowsObserver,
  PostsObserver, PendingActionsObserver, OutboxObserver, DraftsObserver, InboxObserver, NotificationFeedObserver,
  FilteredNotificationsObserver, FeaturedTagsObserver, CatchUpObserver
{
  /// Called when an action failed. If its result was shown before the server answered, the result has been reverted.
  func account(didFail failure: FeedFailure)
  /// Called when a filter that matched a qwink expired. Lists should show the qwinks and texts that it hid.
  func accountFilterDidExpire()
  /// Called when the server answered a post, an edit or a scheduled post. `answer` is the JSON (UTF-8) of the status or
  /// scheduled status `id`. Other methods about this status are called later.
  func account(didReceive answer: [UInt8], of id: String)
  /// Called when the server changed an entry before storing it. For a post, called after `didPost` and `didSend`.
  func account(didFind differences: [StoredDifference])
  /// Called when a discarded or cancelled message should return to the text field of its conversation's chat. If
  /// `isSaved` is true, the message is saved as a draft. Returns whether the text field shows the message now.
  func account(didBringBack message: OutgoingEntry, isSaved: Bool) -> Bool
}

extension AccountObserver {
  public func account(didFail failure: FeedFailure) {}
  public func accountFilterDidExpire() {}
  public func account(didReceive answer: [UInt8], of id: String) {}
  public func account(didFind differences: [StoredDifference]) {}
  public func account(didBringBack message: OutgoingEntry, isSaved: Bool) -> Bool { false }
}

/// The observers of an account, shared by all its parts.
@MainActor
final class AccountObservers {
  private var list = ObserverList<any AccountObserver>()

  func add(_ observer: some AccountObserver) { list.add(observer) { $0 } }

  func forEach(_ tell: (any AccountObserver) -> Void) { list.forEach(tell) }
}
