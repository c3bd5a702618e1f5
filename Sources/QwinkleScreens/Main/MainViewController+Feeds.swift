public import OnDemandResources
import PaneKit
public import QwinkleAccount
public import QwinkleModel
public import QwinkleService
import Timekeeping

/// The feeds while the program is in the background.
extension MainViewController {
  /// Hides the spinner. The bars aren't updated in the background, so it would never stop.
  public func hideProgress() { header.isBusy = false }

  /// Fetches items that may have arrived while the program was suspended or another account's screen was shown.
  public func wakeUp() {
    guard isOnScreen else { return }
    for stack in shownStacks { stack.pane.main.wakeUp() }
    account.inbox.refresh()
    account.notifications.refresh()
  }
}

extension MainViewController: ResourceObserver {
  private static let fullDiskInterval = Duration.seconds(600)

  /// Reports a full disk at most every ten minutes, because each picture that can't be saved calls this.
  public func resourcesDidFindLowDiskSpace(_ manager: ResourceManager) {
    let now = account.clock.uptime
    guard isOnScreen, reportedFullDiskAt.map({ now - $0 >= Self.fullDiskInterval }) ?? true else { return }
    reportedFullDiskAt = now
    announce(PictureWords.diskIsFull)
  }
}

/// Shows changes to the account in the status bar.
extension MainViewController: AccountObserver {
  public func inboxDidChangeState(_ inbox: Inbox) {
    setNeedsBars()
  }
}

extension MainViewController {
  public func notificationFeedDidChange(_ notifications: NotificationFeed) {
    setNeedsBars()
  }
}

extension MainViewController {
  public func connectionDidChangeInProgress(_ connection: AccountConnection) { quitting.lookAgainSoon() }

  public func connectionDidChangeState(_ connection: AccountConnection) { setNeedsBars() }

  public func liveUpdatesDidChange(_ live: LiveUpdates) { setNeedsBars() }

  public func identityDidChange(_ identity: Identity) {
    setNeedsBars()
    if unvisited.noteUser() { sections.forEach(countUnvisited) }
  }

  public func followsDidChangeHidden(_ follows: Follows) { sections.forEach(countUnvisited) }

  public func accountFilterDidExpire() { sections.forEach(countUnvisited) }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) { sections.forEach(countUnvisited) }

  public func readPositions(_ positions: ReadPositions, didChangeIn list: ReadList) {
    if case .timeline(let name) = list { countUnvisited(in: name) }
  }

  public func timelines(_ timelines: Timelines, didKeepNew rows: [Qwink.RowID], in name: TimelineName) {
    countUnvisited(in: name)
  }

  public func timelines(_ timelines: Timelines, didCountRowsIn name: TimelineName) { countUnvisited(in: name) }

  private func countUnvisited(in name: TimelineName) {
    if let section = sections.first(where: { $0.timeline == name }) { countUnvisited(section) }
  }

  public func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry) {
    say(EntryWords.posted(qwink, where: place(ofPosted: qwink)), .new)
  }

  public func account(didFind differences: [StoredDifference]) {
    say(EntryWords.stored(differences), .warning)
  }

  public func posts(_ posts: Posts, didFailToPost entry: Entry, with error: DownloadError) { setNeedsBars() }

  public func posts(_ posts: Posts, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome) {
    if case .posted = outcome { return }
    if case .queued(let item, let error) = outcome {
      return say(EntryWords.queued(item, error), item.state == .uncertain ? .warning : .new)
    }
    quitting.stopWaiting()
    // An open entry shows the failure itself.
    guard openEntry?.isWriting(outgoing.entry) != true else { return }
    say(EntryWords.outcome(outcome, purpose: outgoing.purpose), .error)
  }

  public func outbox(_ outbox: Outbox, didQueue item: OutboxItem, after error: DownloadError) {
    say(EntryWords.queued(item, error), .new)
  }

  public func outboxDidChange(_ outbox: Outbox) { setNeedsBars() }

  public func outbox(_ outbox: Outbox, didFail item: OutboxItem) {
    // A chat shows its own failures.
    guard item.kind != .message || !(focus is ChatViewController) else { return setNeedsBars() }
    quitting.stopWaiting()
    let purpose = item.entry.flatMap { account.purpose(of: $0) }
    let key = keymap.binding(of: .showOutbox)?.keyName
    say(OutboxWords.didFail(item, purpose, me: account.identity.me?.id, key: key), .error)
  }

  public func posts(_ posts: Posts, didDelete id: Qwink.ID) {
    say(MainWords.deleted, .new)
  }

  public func posts(_ posts: Posts, cannotDelete id: Qwink.ID, because error: DownloadError) {
    quitting.stopWaiting()
    say(MainWords.cannotDelete, .error)
  }

  public func account(didFail failure: FeedFailure) {
    quitting.stopWaiting()
    say(failure.sentence, .error, while: failure.isSo)
  }

  public func follows(_ follows: Follows, didFollow outcome: FollowOutcome) {
    say(outcome.isUndo ? outcome.sentence : ActionWords.undoable(outcome.sentence), .new) { [weak follows] in
      guard let now = follows?.relationship(to: outcome.qwinker.id) else { return true }
      return now.isFollowing == outcome.now.isFollowing && now.isRequested == outcome.now.isRequested
    }
  }

  public func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?) {
    say(MainWords.requestAnswered(of: qwinker, accepted: accepted), accepted == nil ? .warning : .new)
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) { wordsMayHaveChanged() }

  public func follows(_ follows: Follows, didChange relationship: Relationship) { setNeedsBars() }

  public func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {
    wordsMayHaveChanged()
  }
}
