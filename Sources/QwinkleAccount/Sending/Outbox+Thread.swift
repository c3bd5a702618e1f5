import FoundationEssentials
public import QwinkleModel
public import QwinkleStore

/// Sending threads. All parts are saved together before the first is sent, and each waits for the previous part. A
/// failed part stays in the outbox and blocks the rest.
extension Outbox {
  /// Delay before a part is tried again if the previous part has become a draft again. Only the user can send that
  /// draft.
  static let draftInterval: TimeInterval = 60

  /// Adds the parts of a thread to the outbox, replacing the draft `other`. If they can't be saved, `saved` receives
  /// the error and none of them is sent.
  public func send(
    thread items: [OutboxItem], insteadOf other: String? = nil,
    saved: @escaping @MainActor @Sendable (StoreError?) -> Void
  ) {
    let items = items.map { current($0) }
    guard let store else {
      take(items)
      return saved(nil)
    }
    for item in items { store.hold(item.id) }
    store.keep(all: items, insteadOf: other) { [weak self] result in
      switch result {
      case .success(let stored):
        self?.take(stored)
        saved(nil)
      case .failure(let error):
        for item in items { store.holdAlone(item.id) }
        saved(error)
      }
    }
  }

  private func take(_ items: [OutboxItem]) {
    for item in items { queue.put(item) }
    didChange()
    go()
  }
}
