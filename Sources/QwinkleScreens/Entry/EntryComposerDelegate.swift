public import QwinkleModel
public import QwinkleService

/// Receives a composer's events. The composer holds its delegate weakly.
@MainActor
public protocol EntryComposerDelegate: AnyObject {
  /// Called when the entry's state has changed: its audience, remaining characters, activity or failure.
  func composerDidChange(_ composer: EntryComposer)
  /// Called when the composer needs all text typed so far. Pass it any text that only the editor has.
  func composerNeedsTypedText(_ composer: EntryComposer)
  /// Called before the entry is sent. Apply the text of every field. Return false to prevent sending, because a text is
  /// invalid or a file isn't uploaded yet.
  func composerShouldSend(_ composer: EntryComposer) -> Bool
  /// Called when nothing prevents sending the entry any more. Return false to send nothing, for example to ask the user
  /// first. ``EntryComposer/send()`` then begins again with all its checks.
  func composerMayPost(_ composer: EntryComposer) -> Bool
  /// Called when the saved draft, if any, has been loaded.
  func composerDidBegin(_ composer: EntryComposer)
  /// Returns the number of characters before the cursor.
  func cursor(of composer: EntryComposer) -> Int
  /// Called when the composer has replaced the entry, for example with a saved draft. Show its text and fields again,
  /// with the cursor at ``EntryComposer/cursor`` if that isn't nil.
  func composerDidReplaceText(_ composer: EntryComposer)
  /// Called when the entry was posted as `qwink`. The composer has started a new entry.
  func composer(_ composer: EntryComposer, didSend qwink: Qwink)
  /// Called when the entry is in the outbox and will be sent automatically, perhaps after a delay. The composer has
  /// started a new entry.
  func composerDidQueue(_ composer: EntryComposer)
  /// Called when the server has accepted an entry with a publication time. `scheduling` is the server's reply: whether
  /// it will publish the entry later or has published it at once. The composer has started a new entry.
  func composer(_ composer: EntryComposer, didSchedule scheduling: Scheduling)
  /// Called when `count` parts of a thread are in the outbox. The composer has started a new entry.
  func composer(_ composer: EntryComposer, didSplitInto count: Int)
  /// Called when the entry can't be written: the text to edit couldn't be fetched or must not be edited. `sentence` is
  /// the reason.
  func composer(_ composer: EntryComposer, didGiveUpWith sentence: String)
}

extension EntryComposerDelegate {
  public func composerMayPost(_ composer: EntryComposer) -> Bool { true }
}

/// An entry whose draft was deleted. It can be restored.
public struct DiscardedEntry: Sendable {
  public let purpose: EntryPurpose
  let content: OutgoingEntry
}
