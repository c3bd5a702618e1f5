import QwinkleModel
import QwinkleService

/// Does what belongs to the items of a kind.
@MainActor
protocol OutboxHandler: AnyObject {
  /// The item as it is to be sent now.
  func outbox(_ outbox: Outbox, willSend item: OutboxItem) -> OutboxItem
  /// The server has done what an item says.
  func outbox(_ outbox: Outbox, didSend item: OutboxItem, as answer: OutboxAnswer)
  /// An item was not sent. It stays in the outbox unless it was refused. `isAttended`: its writer waits for this.
  func outbox(_ outbox: Outbox, didNotSend item: OutboxItem, _ ending: OutboxEnding, isAttended: Bool)
  /// An item was discarded.
  func outbox(_ outbox: Outbox, didDiscard item: OutboxItem)
  /// A qwink that an item replies to is gone.
  func outbox(_ outbox: Outbox, didMiss id: Qwink.ID)
}

extension OutboxHandler {
  func outbox(_ outbox: Outbox, willSend item: OutboxItem) -> OutboxItem { item }
  func outbox(_ outbox: Outbox, didDiscard item: OutboxItem) {}
  func outbox(_ outbox: Outbox, didMiss id: Qwink.ID) {}
}

/// What the server answered to an item.
enum OutboxAnswer {
  case qwink(Qwink)
  case relationship(Relationship)
  case none
}

/// How sending an item ended without success.
enum OutboxEnding {
  /// It waits, and is sent again by itself.
  case waits(DownloadError?)
  /// It is refused. Nothing more happens by itself.
  case refused(DownloadError)
  /// It may have arrived, and nobody can say.
  case notLookedFor(DownloadError)
  /// An earlier text of it had arrived. This one was not sent.
  case arrivedBefore(Qwink)
}

/// A handler that its outbox doesn't own.
struct WeakHandler {
  weak var handler: (any OutboxHandler)?
}
