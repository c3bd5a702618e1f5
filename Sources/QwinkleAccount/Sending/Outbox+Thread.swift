import FoundationEssentials
public import QwinkleModel
public import QwinkleStore

/// Sending a thread: its parts are on disk together before the first is sent, and each waits for the one before. A part
/// that fails holds up the rest, and stays in the outbox.
extension Outbox {
  /// The wait for an item that is a draft again, which only its writer ends.
  static let draftInterval: TimeInterval = 60

  /// Puts the parts of a thread into the outbox in place of the draft `other`. `saved` gets the error if they can't be
  /// saved: then none of them is sent.
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
      case .success(let kept):
        self?.take(kept)
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
