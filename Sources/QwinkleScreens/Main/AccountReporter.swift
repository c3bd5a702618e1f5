import OnDemandResources
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// Shows changes to the account in the status bar, such as the outcomes of the user's actions.
@MainActor
final class AccountReporter {
  private static let fullDiskInterval = Duration.seconds(600)

  private let account: Account
  private let quitting: QuitCoordinator
  private unowned let screen: MainViewController
  /// Opens drafts restored by undo.
  private let draftOpener: DraftOpener?
  /// ID of the last pending action announced in linear form, which is for screen readers.
  private var saidHeldAct = 0
  /// Uptime of the last message that the disk is full.
  private var reportedFullDiskAt: Duration?

  init(account: Account, quitting: QuitCoordinator, screen: MainViewController) {
    self.account = account
    self.quitting = quitting
    self.screen = screen
    draftOpener = account.outgoing.map { DraftOpener(account: account, store: $0) }
    draftOpener?.navigator = screen
  }
}

extension AccountReporter: ResourceObserver {
  /// Reports a full disk at most every ten minutes, because the space may recover and run out again and again.
  func resourcesDidFindLowDiskSpace(_ manager: ResourceManager) { reportFullDisk(PictureWords.diskIsFull) }

  func resources(_ manager: ResourceManager, didDropForDiskSpace byteCount: Int) {
    reportFullDisk(ResourceWords.dropped(byteCount))
  }

  private func reportFullDisk(_ words: String) {
    let now = account.clock.uptime
    guard screen.isOnScreen, reportedFullDiskAt.map({ now - $0 >= Self.fullDiskInterval }) ?? true else { return }
    reportedFullDiskAt = now
    screen.announce(words)
  }
}

extension AccountReporter: AccountObserver {
  // MARK: Counts and states

  func inboxDidChangeState(_ inbox: Inbox) { screen.setNeedsBars() }
  func notificationFeedDidChange(_ notifications: NotificationFeed) { screen.setNeedsBars() }
  func notificationFeedDidChangeState(_ notifications: NotificationFeed) { screen.setNeedsBars() }
  func connectionDidChangeInProgress(_ connection: AccountConnection) { quitting.lookAgainSoon() }
  func connectionDidChangeState(_ connection: AccountConnection) { screen.setNeedsBars() }
  func liveUpdatesDidChange(_ live: LiveUpdates) { screen.setNeedsBars() }
  func identityDidChange(_ identity: Identity) { screen.setNeedsBars() }
  func outboxDidChange(_ outbox: Outbox) { screen.setNeedsBars() }
  func follows(_ follows: Follows, didChange relationship: Relationship) { screen.setNeedsBars() }
  func timelines(_ timelines: Timelines, didChange qwink: Qwink) { screen.wordsMayHaveChanged() }

  func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {
    screen.wordsMayHaveChanged()
  }

  /// The status bar counts the seconds down during which the user can undo an action.
  func pendingActionsDidChange(_ held: PendingActions) {
    // In linear form, which is for screen readers, announce each action once. Reading the countdown aloud would drown
    // out everything else.
    if screen.isLinear, let act = held.acts.last, act.id > saidHeldAct {
      saidHeldAct = act.id
      screen.say(PendingWords.began(act, seconds: held.secondsLeft(of: act), keys: screen.keysInForce), .new)
    }
    screen.setNeedsBars()
  }

  // MARK: Outcomes

  func posts(_ posts: Posts, didPost qwink: Qwink, from entry: Entry) {
    screen.say(EntryWords.posted(qwink, where: screen.router.place(ofPosted: qwink)), .new)
  }

  func account(didFind differences: [StoredDifference]) {
    screen.say(EntryWords.stored(differences), .warning)
  }

  func posts(_ posts: Posts, didFailToPost entry: Entry, with error: DownloadError) { screen.setNeedsBars() }

  func posts(_ posts: Posts, didSend outgoing: OutgoingEntry, _ outcome: PostOutcome) {
    if case .posted = outcome { return }
    if case .queued(let item, let error) = outcome {
      return screen.say(EntryWords.queued(item, error), item.state == .uncertain ? .warning : .new)
    }
    quitting.stopWaiting()
    // An open entry shows the failure itself.
    guard screen.openEntry?.isWriting(outgoing.entry) != true else { return }
    screen.say(EntryWords.outcome(outcome, purpose: outgoing.purpose), .error)
  }

  func outbox(_ outbox: Outbox, didQueue item: OutboxItem, after error: DownloadError) {
    screen.say(EntryWords.queued(item, error), .new)
  }

  func outbox(_ outbox: Outbox, didFail item: OutboxItem) {
    // A chat shows its own failures.
    guard item.kind != .message || !(screen.focus is ChatViewController) else { return screen.setNeedsBars() }
    quitting.stopWaiting()
    let purpose = item.entry.flatMap { account.purpose(of: $0) }
    let key = screen.keymap.binding(of: .showOutbox)?.keyName
    screen.say(OutboxWords.didFail(item, purpose, me: account.identity.me?.id, key: key), .error)
  }

  func outbox(_ outbox: Outbox, didKeepAsDrafts entries: [OutgoingEntry]) {
    let messages = entries.count { ($0.sent ?? $0.entry).visibility == .direct }
    screen.announce(PendingWords.savedAsDrafts(entries.count, messages: messages))
  }

  /// Opens the editor with an entry whose posting the user has undone.
  func posts(_ posts: Posts, didTakeBack outgoing: OutgoingEntry) {
    draftOpener?.open(SavedEntry(outgoing, number: 0, changedAt: account.clock.now))
  }

  func posts(_ posts: Posts, didKeepAsDraft outgoing: OutgoingEntry, because error: StoreError) {
    quitting.stopWaiting()
    screen.say(EntryWords.notPosted(error), .error)
  }

  func posts(_ posts: Posts, didDelete id: Qwink.ID) { screen.say(MainWords.deleted, .new) }

  func posts(_ posts: Posts, cannotDelete id: Qwink.ID, because error: DownloadError) {
    quitting.stopWaiting()
    screen.say(MainWords.cannotDelete, .error)
  }

  func account(didFail failure: FeedFailure) {
    quitting.stopWaiting()
    screen.say(failure.sentence, .error, while: failure.isSo)
  }

  func follows(_ follows: Follows, didFollow outcome: FollowOutcome) {
    let role: StyleRole = outcome.ignored.isEmpty ? .new : .warning
    screen.say(outcome.isUndo ? outcome.sentence : ActionWords.undoable(outcome.sentence), role) { [weak follows] in
      guard let now = follows?.relationship(to: outcome.qwinker.id) else { return true }
      return now.isFollowing == outcome.now.isFollowing && now.isRequested == outcome.now.isRequested
        && now.followOptions == outcome.now.followOptions
    }
  }

  func filteredNotifications(
    _ filtered: FilteredNotifications, didAnswer request: NotificationRequest, accepted: Bool?
  ) {
    screen.say(FilteredWords.answered(request.qwinker, accepted: accepted), accepted == nil ? .warning : .new)
  }

  func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?) {
    screen.say(MainWords.requestAnswered(of: qwinker, accepted: accepted), accepted == nil ? .warning : .new)
  }
}
