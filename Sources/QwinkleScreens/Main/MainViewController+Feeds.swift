import PaneKit
public import QwinkleAccount
public import QwinkleModel
public import QwinkleService

/// Tells the reader what the feeds of the account report, at the foot.
extension MainViewController: InboxObserver {
  public func inboxDidChangeState(_ inbox: Inbox) {
    updateBars()
  }
}

extension MainViewController: NotificationFeedObserver {
  public func notificationFeedDidChange(_ notifications: NotificationFeed) {
    updateBars()
  }
}

extension MainViewController: QwinkFeedObserver {
  public func feedDidIdentify(_ feed: QwinkFeed) {
    updateBars()
  }

  public func feed(_ feed: QwinkFeed, didPost qwink: Qwink, from entry: Entry) {
    say("Posted.", .new)
  }

  public func feed(_ feed: QwinkFeed, didFailToPost entry: Entry, with error: DownloadError) { updateBars() }

  public func feed(_ feed: QwinkFeed, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome) {
    if case .posted = outcome { return }
    noteFailureWhileQuitting()
    // Who has it open is told there.
    guard openEntry?.isWriting(outgoing.entry) != true else { return }
    say(EntryWords.outcome(outcome, purpose: outgoing.purpose), .error)
  }

  public func feed(_ feed: QwinkFeed, didDelete id: Qwink.ID) {
    say("Deleted.", .new)
  }

  public func feed(_ feed: QwinkFeed, cannotDelete id: Qwink.ID, because error: DownloadError) {
    noteFailureWhileQuitting()
    say("Not deleted: this server cannot delete qwinks. It is still there.", .error)
  }

  public func feed(_ feed: QwinkFeed, didFail failure: FeedFailure) {
    noteFailureWhileQuitting()
    say(failure.sentence, .error, while: failure.isSo)
  }

  public func feed(_ feed: QwinkFeed, didFollow outcome: FollowOutcome) {
    say(outcome.sentence + (outcome.isUndo ? "" : " u takes it back."), .new) { [weak feed] in
      guard let now = feed?.relationship(to: outcome.qwinker.id) else { return true }
      return now.isFollowing == outcome.now.isFollowing && now.isRequested == outcome.now.isRequested
    }
  }

  public func feed(_ feed: QwinkFeed, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?) {
    let name = "@\(qwinker.handle)"
    switch accepted {
    case true: say("\(name) follows you now.", .new)
    case false: say("Follow request of \(name) refused.", .new)
    case nil: say("\(name) does not ask to follow you any more.", .warning)
    }
  }

  public func feed(_ feed: QwinkFeed, didChange qwink: Qwink) { wordsMayHaveChanged() }

  public func feed(_ feed: QwinkFeed, didChange relationship: Relationship) { updateBars() }

  public func feed(
    _ feed: QwinkFeed, didChange change: Timeline.Change, in name: TimelineName, cause: QwinkFeed.Cause
  ) {
    wordsMayHaveChanged()
  }
}
