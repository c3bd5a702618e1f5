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
  /// Something that was done at once did not arrive, and is as it was before. `what` begins a sentence: "The boost".
  func feed(_ feed: QwinkFeed, didFailTo what: String, with error: DownloadError)
  /// An entry was posted.
  func feed(_ feed: QwinkFeed, didPost qwink: Qwink, from entry: Entry)
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
  public func feed(_ feed: QwinkFeed, didFailTo what: String, with error: DownloadError) {}
  public func feed(_ feed: QwinkFeed, didPost qwink: Qwink, from entry: Entry) {}
  public func feed(_ feed: QwinkFeed, didFailToPost entry: Entry, with error: DownloadError) {}
}
