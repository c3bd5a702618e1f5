public import QwinkleModel
import QwinkleStore

/// The qwinks to which the user has saved an unfinished reply. Notifies observers when this set or the list of all
/// drafts changes.
@MainActor
public final class Drafts {
  private let store: OutgoingStore?
  private var isLoaded = false

  init(_ connection: AccountConnection, store: OutgoingStore?) {
    self.store = store
    store?.didChangeList = { [weak self] in
      guard let self else { return }
      connection.observers.forEach { $0.draftsDidChange(self) }
    }
    store?.didChangePurposes = { [weak self] in
      let qwinks = Set(
        $0.compactMap { key -> Qwink.ID? in
          if case .reply(let id)? = EntryPurpose.Kind(key: key) { id } else { nil }
        })
      guard let self, !qwinks.isEmpty else { return }
      connection.observers.forEach { $0.drafts(self, didChangeRepliesTo: qwinks) }
    }
  }

  /// Loads the saved drafts, once. Before that, ``hasReply(to:)`` only finds drafts saved by this program.
  public func load() {
    guard !isLoaded else { return }
    isLoaded = true
    store?.loadPurposes()
  }

  /// Whether an unfinished reply to `qwink` is saved.
  public func hasReply(to qwink: Qwink) -> Bool {
    store?.hasPurpose(EntryPurpose.reply(to: qwink).key) ?? false
  }
}

@MainActor
public protocol DraftsObserver: AnyObject {
  /// Called when replies to these qwinks were started, discarded or sent.
  func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>)
  /// Called when an entry was saved, opened, closed, discarded or sent.
  func draftsDidChange(_ drafts: Drafts)
}

extension DraftsObserver {
  public func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>) {}
  public func draftsDidChange(_ drafts: Drafts) {}
}
