public import QwinkleModel
import QwinkleStore

/// Which qwinks I have begun to reply to. Tells observers when that, or the list of all drafts, changes.
@MainActor
public final class Drafts {
  private let connection: AccountConnection
  private let store: OutgoingStore?
  private var isLoaded = false

  init(_ connection: AccountConnection, store: OutgoingStore?) {
    self.connection = connection
    self.store = store
    store?.didChangeList = { [weak self] in
      guard let self else { return }
      connection.observers.forEach { $0.draftsDidChange(self) }
    }
    store?.didChangePurposes = { [weak self] in
      let qwinks = Set($0.compactMap(EntryPurpose.qwinkRepliedTo(byKey:)))
      guard let self, !qwinks.isEmpty else { return }
      connection.observers.forEach { $0.drafts(self, didChangeRepliesTo: qwinks) }
    }
  }

  /// Reads what is kept, once. Until then only what this program saves is known.
  public func load() {
    guard !isLoaded else { return }
    isLoaded = true
    store?.loadPurposes()
  }

  /// Whether a reply to `qwink` is kept that has not arrived.
  public func hasReply(to qwink: Qwink) -> Bool {
    store?.hasPurpose(EntryPurpose.reply(to: qwink).key) ?? false
  }
}
