import FoundationEssentials
import QwinkleModel
import QwinkleStore
import Timekeeping

/// Saves one entry while it is being typed, in any editor: within moments, also during steady typing.
@MainActor
final class DraftKeeper {
  /// A change is saved after this delay at the latest; earlier after this many changes or bytes.
  private static let delay = Duration.milliseconds(400)
  private static let maximumChanges = 10
  private static let maximumBytes = 16

  /// The id of the current entry.
  private(set) var id = UUID().uuidString
  /// Called with the result of each save: nil if it succeeded.
  var didKeep: (@MainActor (StoreError?) -> Void)?
  /// Called when another program has changed the same entry, so that both versions are kept now.
  var didPart: (@MainActor () -> Void)?

  private let purpose: EntryPurpose
  private let store: OutgoingStore?
  private let clock: any ProgramClock
  private var timer: ProgramTimer?
  private var isHeld = false
  /// Whether a saved draft is being loaded. Nothing is saved until it is known.
  private var isTaking = false
  /// The number of entries so far; a late answer for an earlier one doesn't match.
  private var count = 0
  private var changeCount = 0
  private var size = 0
  private var keptSize = 0
  /// Returns what to save.
  private var content: (@MainActor () -> OutgoingEntry?)?

  init(_ purpose: EntryPurpose, in store: OutgoingStore?, clock: any ProgramClock) {
    self.purpose = purpose
    self.store = store
    self.clock = clock
  }

  /// Loads a saved draft that nobody holds, unless this entry has been saved already.
  func take(_ done: @escaping @MainActor (OutgoingStore.Taken) -> Void) {
    guard let store, !isHeld else { return done(.init()) }
    let count = count
    isTaking = true
    store.take(purpose) { [weak self] taken, _ in
      if self?.count == count { self?.isTaking = false }
      guard let self, self.count == count, !isHeld else {
        // The entry was left or has been saved meanwhile: release the draft for the next taker.
        if let entry = taken.entry { store.release(entry.id) }
        return
      }
      if let entry = taken.entry {
        id = entry.id
        isHeld = true
        size = entry.entry.text.utf8.count
        keptSize = size
      }
      done(taken)
      scheduleKeeping()
    }
  }

  /// Notes a change after which the text has `size` bytes. `content` returns what to save when it is time to; nil:
  /// nothing.
  func noteChange(size: Int, _ content: @escaping @MainActor () -> OutgoingEntry?) {
    self.content = content
    self.size = size
    changeCount += 1
    scheduleKeeping()
  }

  private func scheduleKeeping() {
    guard changeCount > 0, !isTaking else { return }
    if changeCount >= Self.maximumChanges || abs(size - keptSize) >= Self.maximumBytes { return keepPending() }
    guard timer == nil else { return }
    timer = clock.schedule(after: Self.delay) { [weak self] in self?.keepPending() }
  }

  /// Whether there are unsaved changes.
  var isPending: Bool { timer != nil || changeCount > 0 }

  /// Saves pending changes now.
  func keepPending() {
    guard isPending, let content else { return }
    keep(content())
  }

  /// Saves `entry`, or deletes the saved draft if it is nil. `message` is deleted in the same transaction.
  func keep(
    _ entry: OutgoingEntry?, insteadOf message: String? = nil, done: (@MainActor (StoreError?) -> Void)? = nil
  ) {
    timer = nil
    changeCount = 0
    keptSize = size
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

  /// Deletes the saved draft and starts another entry.
  func forget(_ done: (@MainActor @Sendable (StoreError?) -> Void)? = nil) {
    let id = id
    guard detach() else {
      done?(nil)
      return
    }
    store?.forget(id, done: done)
  }

  /// Releases the saved draft for the next taker and starts another entry.
  func leave() {
    let id = id
    if detach() { store?.release(id) }
  }

  /// Starts another entry and leaves the saved draft to another owner. Returns whether there was one.
  @discardableResult
  func detach() -> Bool {
    timer = nil
    changeCount = 0
    size = 0
    keptSize = 0
    content = nil
    isTaking = false
    count += 1
    id = UUID().uuidString
    defer { isHeld = false }
    return isHeld
  }
}
