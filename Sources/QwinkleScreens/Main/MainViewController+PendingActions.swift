import PaneKit
public import QwinkleAccount
public import QwinkleModel
public import QwinkleStore
import Terminal
import Timekeeping

/// Shows pending actions: actions such as posting, which are delayed for a few seconds so that the user can undo them.
/// The status bar counts these seconds down.
extension MainViewController {
  public func pendingActionsDidChange(_ held: PendingActions) {
    // In linear form, which is for screen readers, announce each action once. Reading the countdown aloud would drown
    // out everything else.
    if isLinear, let act = held.acts.last, act.id > saidHeldAct {
      saidHeldAct = act.id
      say(PendingWords.began(act, seconds: held.secondsLeft(of: act), keys: keysInForce), .new)
    }
    setNeedsBars()
  }

  var isLinear: Bool { window?.application?.driver.capabilities.isLinear ?? false }

  /// Opens the editor with an entry whose posting the user has undone.
  public func posts(_ posts: Posts, didTakeBack outgoing: OutgoingEntry) {
    draftOpener?.navigator = self
    draftOpener?.open(SavedEntry(outgoing, number: 0, changedAt: account.clock.now))
  }

  public func posts(_ posts: Posts, didKeepAsDraft outgoing: OutgoingEntry, because error: StoreError) {
    quitting.stopWaiting()
    say(EntryWords.notPosted(error), .error)
  }

  public func outbox(_ outbox: Outbox, didKeepAsDrafts entries: [OutgoingEntry]) {
    let messages = entries.count { ($0.sent ?? $0.entry).visibility == .direct }
    announce(PendingWords.savedAsDrafts(entries.count, messages: messages))
  }
}
