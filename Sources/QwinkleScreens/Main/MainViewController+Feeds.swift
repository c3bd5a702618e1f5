import PaneKit
public import QwinkleAccount
public import QwinkleModel
public import QwinkleService

/// Tells the reader at the foot what changes in the account.
extension MainViewController: AccountObserver {
  public func inboxDidChangeState(_ inbox: Inbox) {
    updateBars()
  }
}

extension MainViewController {
  public func notificationFeedDidChange(_ notifications: NotificationFeed) {
    updateBars()
  }
}

extension MainViewController {
  public func connectionDidChangeUnderWay(_ connection: AccountConnection) { lookAgainSoon() }

  public func connectionDidChangeState(_ connection: AccountConnection) { updateBars() }

  public func identityDidChange(_ identity: Identity) {
    updateBars()
  }

  public func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry) {
    say("Posted.", .new)
  }

  public func posts(_ posts: Posts, didFailToPost entry: Entry, with error: DownloadError) { updateBars() }

  public func posts(_ posts: Posts, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome) {
    if case .posted = outcome { return }
    noteFailureWhileQuitting()
    // Who has it open is told there.
    guard openEntry?.isWriting(outgoing.entry) != true else { return }
    say(EntryWords.outcome(outcome, purpose: outgoing.purpose), .error)
  }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {
    say("Deleted.", .new)
  }

  public func posts(_ posts: Posts, cannotDelete id: Qwink.ID, because error: DownloadError) {
    noteFailureWhileQuitting()
    say("Not deleted: this server cannot delete qwinks. It is still there.", .error)
  }

  public func account(didFail failure: FeedFailure) {
    noteFailureWhileQuitting()
    say(failure.sentence, .error, while: failure.isSo)
  }

  public func follows(_ follows: Follows, didFollow outcome: FollowOutcome) {
    say(outcome.sentence + (outcome.isUndo ? "" : " u takes it back."), .new) { [weak follows] in
      guard let now = follows?.relationship(to: outcome.qwinker.id) else { return true }
      return now.isFollowing == outcome.now.isFollowing && now.isRequested == outcome.now.isRequested
    }
  }

  public func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?) {
    let name = "@\(qwinker.handle)"
    switch accepted {
    case true: say("\(name) follows you now.", .new)
    case false: say("Follow request of \(name) refused.", .new)
    case nil: say("\(name) does not ask to follow you any more.", .warning)
    }
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) { wordsMayHaveChanged() }

  public func follows(_ follows: Follows, didChange relationship: Relationship) { updateBars() }

  public func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {
    wordsMayHaveChanged()
  }
}
