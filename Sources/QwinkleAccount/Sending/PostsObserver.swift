public import QwinkleModel
public import QwinkleService
public import QwinkleStore

@MainActor
public protocol PostsObserver: AnyObject {
  /// Called when an entry was posted.
  func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry)
  /// Called when an entry couldn't be posted. The entry remains stored.
  func posts(_ posts: Posts, didFailToPost entry: Entry, with error: DownloadError)
  /// Called with the outcome of sending a stored entry, after `didPost` or `didFailToPost`.
  func posts(_ posts: Posts, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome)
  /// Called when a pending post was cancelled and became a draft.
  func posts(_ posts: Posts, didTakeBack outgoing: OutgoingEntry)
  /// Called when a pending post couldn't be added to the outbox and became a draft.
  func posts(_ posts: Posts, didKeepAsDraft outgoing: OutgoingEntry, because error: StoreError)
  /// Called when the user deleted a qwink, after timelines were notified.
  func posts(_ posts: Posts, didDelete id: Qwink.ID)
  /// Called when a qwink couldn't be deleted because the server doesn't support deletion.
  func posts(_ posts: Posts, cannotDelete id: Qwink.ID, because error: DownloadError)
}

extension PostsObserver {
  public func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry) {}
  public func posts(_ posts: Posts, didFailToPost entry: Entry, with error: DownloadError) {}
  public func posts(_ posts: Posts, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome) {}
  public func posts(_ posts: Posts, didTakeBack outgoing: OutgoingEntry) {}
  public func posts(_ posts: Posts, didKeepAsDraft outgoing: OutgoingEntry, because error: StoreError) {}
  public func posts(_ posts: Posts, didDelete id: Qwink.ID) {}
  public func posts(_ posts: Posts, cannotDelete id: Qwink.ID, because error: DownloadError) {}
}
