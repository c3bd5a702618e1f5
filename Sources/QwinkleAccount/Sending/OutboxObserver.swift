public import QwinkleModel
public import QwinkleService

@MainActor
public protocol OutboxObserver: AnyObject {
  /// Called when the outbox's items or their states changed.
  func outboxDidChange(_ outbox: Outbox)
  /// Called when a reaction, a follow or a deletion stays queued in the outbox because its first attempt failed with
  /// `error`.
  func outbox(_ outbox: Outbox, didQueue item: OutboxItem, after error: DownloadError)
  /// Called when an entry failed and won't be retried automatically, but its writer no longer waits for it. The entry
  /// stays in the outbox with the reason.
  func outbox(_ outbox: Outbox, didFail item: OutboxItem)
  /// Called when entries that could still be undone when their program ended have become drafts.
  func outbox(_ outbox: Outbox, didKeepAsDrafts entries: [OutgoingEntry])
}

extension OutboxObserver {
  public func outboxDidChange(_ outbox: Outbox) {}
  public func outbox(_ outbox: Outbox, didQueue item: OutboxItem, after error: DownloadError) {}
  public func outbox(_ outbox: Outbox, didFail item: OutboxItem) {}
  public func outbox(_ outbox: Outbox, didKeepAsDrafts entries: [OutgoingEntry]) {}
}
