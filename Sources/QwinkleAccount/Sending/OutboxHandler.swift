import QwinkleModel
import QwinkleService

/// Handles the results of items of some kinds.
@MainActor
protocol OutboxHandler: AnyObject {
  /// Called before an item is sent. Returns the item to send.
  func outbox(_ outbox: Outbox, willSend item: OutboxItem) -> OutboxItem
  /// Called when an item has arrived.
  func outbox(_ outbox: Outbox, didSend item: OutboxItem, as answer: OutboxAnswer)
  /// Called when an item was not sent. `isAttended` is true if its writer waits for the outcome. If the item isn't
  /// retried automatically, a change is removed from the outbox, and an attended entry becomes a draft. The entry of a
  /// command's single attempt always becomes a draft. All other items stay in the outbox.
  func outbox(_ outbox: Outbox, didNotSend item: OutboxItem, _ ending: OutboxEnding, isAttended: Bool)
  /// Called when an item was discarded.
  func outbox(_ outbox: Outbox, didDiscard item: OutboxItem)
  /// Called when the parent of an item no longer exists.
  func outbox(_ outbox: Outbox, didMiss id: Qwink.ID)
}

extension OutboxHandler {
  func outbox(_ outbox: Outbox, willSend item: OutboxItem) -> OutboxItem { item }
  func outbox(_ outbox: Outbox, didDiscard item: OutboxItem) {}
  func outbox(_ outbox: Outbox, didMiss id: Qwink.ID) {}
}

/// The server's response to an item.
enum OutboxAnswer {
  case qwink(Qwink)
  case relationship(Relationship)
  case none
}

/// The end of an unsuccessful attempt.
enum OutboxEnding {
  /// The item stays queued and is retried automatically.
  case waits(DownloadError?)
  /// The server rejected the item. It isn't retried automatically.
  case refused(DownloadError)
  /// The item may have arrived, but can't be searched for.
  case notLookedFor(DownloadError)
  /// An earlier text of the item had arrived. The current text was not sent.
  case arrivedBefore(Qwink)
}

/// A weak reference to a handler.
struct WeakHandler {
  weak var handler: (any OutboxHandler)?
}
