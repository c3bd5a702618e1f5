public import QwinkleModel
public import QwinkleService

/// Told what changes in a feed. Held weakly.
@MainActor
public protocol QwinkFeedObserver: AnyObject {
  /// Exactly these rows of a timeline are different now.
  func feed(_ feed: QwinkFeed, didChange change: Timeline.Change, in name: TimelineName, cause: QwinkFeed.Cause)
  /// A timeline is being fetched, has been, or could not be.
  func feed(_ feed: QwinkFeed, didChangeStateOf name: TimelineName)
  /// It became known who I am or what the server is.
  func feedDidIdentify(_ feed: QwinkFeed)
  /// A qwink looks different now, wherever it stands: somebody reacted to it, edited or revealed it.
  func feed(_ feed: QwinkFeed, didChange qwink: Qwink)
  /// A qwink is gone.
  func feed(_ feed: QwinkFeed, didDelete id: Qwink.ID)
  /// How I stand to somebody is different now.
  func feed(_ feed: QwinkFeed, didChange relationship: Relationship)
  /// A qwink has another id since it was edited, and is `qwink` now.
  func feed(_ feed: QwinkFeed, didReplace id: Qwink.ID, by qwink: Qwink)
  /// A qwink is there and cannot be deleted: the server does not know how.
  func feed(_ feed: QwinkFeed, cannotDelete id: Qwink.ID, because error: DownloadError)
  /// Something that was done at once did not arrive, and is as it was before.
  func feed(_ feed: QwinkFeed, didFail failure: FeedFailure)
  /// The server has said how I stand to somebody after a follow or its end.
  func feed(_ feed: QwinkFeed, didFollow outcome: FollowOutcome)
  /// A request to follow me has been accepted or refused; nil: nobody asks any more.
  func feed(_ feed: QwinkFeed, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?)
  /// An entry was posted.
  func feed(_ feed: QwinkFeed, didPost qwink: Qwink, from entry: Entry)
  /// What became of an entry that was written down, after it was told whether it was posted.
  func feed(_ feed: QwinkFeed, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome)
  /// An entry could not be posted; nothing of it is lost.
  func feed(_ feed: QwinkFeed, didFailToPost entry: Entry, with error: DownloadError)
}

extension QwinkFeedObserver {
  public func feed(
    _ feed: QwinkFeed, didChange change: Timeline.Change, in name: TimelineName, cause: QwinkFeed.Cause
  ) {}
  public func feed(_ feed: QwinkFeed, didChangeStateOf name: TimelineName) {}
  public func feedDidIdentify(_ feed: QwinkFeed) {}
  public func feed(_ feed: QwinkFeed, didChange qwink: Qwink) {}
  public func feed(_ feed: QwinkFeed, didDelete id: Qwink.ID) {}
  public func feed(_ feed: QwinkFeed, didChange relationship: Relationship) {}
  public func feed(_ feed: QwinkFeed, didReplace id: Qwink.ID, by qwink: Qwink) {}
  public func feed(_ feed: QwinkFeed, cannotDelete id: Qwink.ID, because error: DownloadError) {}
  public func feed(_ feed: QwinkFeed, didFail failure: FeedFailure) {}
  public func feed(_ feed: QwinkFeed, didFollow outcome: FollowOutcome) {}
  public func feed(_ feed: QwinkFeed, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?) {}
  public func feed(_ feed: QwinkFeed, didPost qwink: Qwink, from entry: Entry) {}
  public func feed(_ feed: QwinkFeed, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome) {}
  public func feed(_ feed: QwinkFeed, didFailToPost entry: Entry, with error: DownloadError) {}
}
