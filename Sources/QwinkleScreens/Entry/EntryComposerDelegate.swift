public import QwinkleModel
public import QwinkleService

/// Receives a composer's events. Held weakly.
@MainActor
public protocol EntryComposerDelegate: AnyObject {
  /// The entry's state has changed: its audience, remaining characters, activity or failure.
  func composerDidChange(_ composer: EntryComposer)
  /// The composer needs all text typed so far; pass on what has not been reported yet.
  func composerWillTakeUp(_ composer: EntryComposer)
  /// Called before the entry is sent. Apply the text of every field, and return false if one can't be applied or the
  /// entry has to wait.
  func composerShouldSend(_ composer: EntryComposer) -> Bool
  /// The saved draft has been loaded, if there is one.
  func composerDidBegin(_ composer: EntryComposer)
  /// Returns how many characters of the text are before the cursor.
  func cursor(of composer: EntryComposer) -> Int
  /// The text and the warning were replaced: show them, with the cursor where ``EntryComposer/cursor`` says.
  func composerDidReplaceText(_ composer: EntryComposer)
  /// The entry was posted as `qwink`. The composer has started a new one.
  func composer(_ composer: EntryComposer, didSend qwink: Qwink)
  /// The entry waits in the outbox and is sent by itself, perhaps when it was held. The composer has started a new one.
  func composerDidQueue(_ composer: EntryComposer)
  /// The server publishes the entry later, or has done so at once. The composer has started a new one.
  func composer(_ composer: EntryComposer, didSchedule scheduling: Scheduling)
  /// The entry waits in the outbox as so many parts of a thread. The composer has started a new one.
  func composer(_ composer: EntryComposer, didSplitInto count: Int)
  /// The entry can't be written: the text to edit couldn't be fetched or must not be edited. `sentence` says why.
  func composer(_ composer: EntryComposer, didGiveUpWith sentence: String)
}

extension EntryComposerDelegate {
  public func composer(_ composer: EntryComposer, didSchedule scheduling: Scheduling) {}
  public func composer(_ composer: EntryComposer, didSplitInto count: Int) {}
}

/// An entry whose draft was deleted, to be brought back.
public struct DiscardedEntry: Sendable {
  public let purpose: EntryPurpose
  let content: OutgoingEntry
}
