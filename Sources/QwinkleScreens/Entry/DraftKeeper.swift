import FoundationEssentials
import QwinkleModel
import QwinkleStore
import Timekeeping

/// Saves the draft of one entry while the user types, for every screen with an editor. Steady typing doesn't postpone
/// saving.
@MainActor
final class DraftKeeper {
  /// A change is saved after `delay` at the latest. It is saved earlier after `maximumChanges` changes, or when the
  /// size of the text has changed by `maximumBytes`.
  private static let delay = Duration.milliseconds(400)
  private static let maximumChanges = 10
  private static let maximumBytes = 16

  private(set) var id = UUID().uuidString
  /// Called with the result of each save: nil if it succeeded.
  var didKeep: (@MainActor (StoreError?) -> Void)?
  /// Called when another program has changed the same draft. Both versions have been saved.
  var didPart: (@MainActor () -> Void)?

  private let purpose: EntryPurpose
  private let store: OutgoingStore?
  private let clock: any ProgramClock
  private var timer: ProgramTimer?
  /// Whether a draft was saved or loaded. The keeper then holds the draft in the store, so that it can't be opened
  /// elsewhere.
  private var isHeld = false
  /// Whether a saved draft is being loaded. Nothing is saved until loading ends.
  private var isTaking = false
  /// Incremented with each new entry, to detect a late result for an earlier entry.
  private var count = 0
  private var changeCount = 0
  private var size = 0
  private var savedSize = 0
  private var content: (@MainActor () -> OutgoingEntry?)?

  init(_ purpose: EntryPurpose, in store: OutgoingStore?, clock: any ProgramClock) {
    self.purpose = purpose
    self.store = store
    self.clock = clock
  }

  /// Loads a saved draft that isn't open elsewhere, unless this entry has been saved already. Calls `done` with the
  /// draft, if any, but never if this entry is closed or saved while the draft is loading.
  func take(_ done: @escaping @MainActor (OutgoingStore.Taken) -> Void) {
    guard let store, !isHeld else { return done(.init()) }
    let count = count
    isTaking = true
    store.take(purpose) { [weak self] taken, _ in
      if self?.count == count { self?.isTaking = false }
      guard let self, self.count == count, !isHeld else {
        // The entry was closed or saved while the draft was loading: release the draft.
        if let entry = taken.entry { store.release(entry.id) }
        return
      }
      if let entry = taken.entry {
        id = entry.id
        isHeld = true
        size = entry.entry.text.utf8.count
        savedSize = size
      }
      done(taken)
      scheduleKeeping()
    }
  }

  /// Schedules a save after a change that leaves the text with `size` bytes. `content` returns the entry to save. If it
  /// returns nil, the saved draft is deleted.
  func noteChange(size: Int, _ content: @escaping @MainActor () -> OutgoingEntry?) {
    self.content = content
    self.size = size
    changeCount += 1
    scheduleKeeping()
  }

  private func scheduleKeeping() {
    guard changeCount > 0, !isTaking else { return }
    if changeCount >= Self.maximumChanges || abs(size - savedSize) >= Self.maximumBytes { return keepPending() }
    guard timer == nil else { return }
    timer = clock.schedule(after: Self.delay) { [weak self] in self?.keepPending() }
  }

  /// Whether there are unsaved changes.
  var isPending: Bool { timer != nil || changeCount > 0 }

  func keepPending() {
    guard isPending, let content else { return }
    keep(content())
  }

  /// Saves `entry`, or deletes the saved draft if `entry` is nil. When `entry` is saved, the outbox item `message` is
  /// deleted in the same transaction.
  func keep(
    _ entry: OutgoingEntry?, insteadOf message: String? = nil, done: (@MainActor (StoreError?) -> Void)? = nil
  ) {
    timer = nil
    changeCount = 0
    savedSize = size
    guard let store else {
      done?(nil)
      return
    }
    guard let entry else {
      forget { done?($0) }
      return
    }
    if !isHeld {
      isHeld = true
      store.hold(id)
    }
    store.keep(entry, insteadOf: message) { [weak self] result in
      switch result {
      case .success(let id):
        if let self, self.id == entry.id, id != entry.id {
          self.id = id
          didPart?()
        }
        self?.didKeep?(nil)
        done?(nil)
      case .failure(let error):
        self?.didKeep?(error)
        done?(error)
      }
    }
  }

  /// Deletes the saved draft and starts a new entry.
  func forget(_ done: (@MainActor @Sendable (StoreError?) -> Void)? = nil) {
    let id = id
    guard detach() else {
      done?(nil)
      return
    }
    store?.forget(id, done: done)
  }

  /// Releases the saved draft, so that any screen can load it again, and starts a new entry.
  func leave() {
    let id = id
    if detach() { store?.release(id) }
  }

  /// Starts a new entry without releasing the saved draft, because the draft has another owner now. Returns whether a
  /// draft was saved or loaded.
  @discardableResult
  func detach() -> Bool {
    timer = nil
    changeCount = 0
    size = 0
    savedSize = 0
    content = nil
    isTaking = false
    count += 1
    id = UUID().uuidString
    defer { isHeld = false }
    return isHeld
  }
}
