import FoundationEssentials
import QwinkleModel
import QwinkleStore
import Timekeeping

/// Has one entry written down as it is typed, whatever it is written in: within moments, however steadily somebody
/// types.
@MainActor
final class DraftKeeper {
  /// So long after it was typed something is written down at the latest; or when so much was typed since.
  private static let delay = Duration.milliseconds(400)
  private static let maximumChanges = 10
  private static let maximumBytes = 16

  /// Tells the entry that is being written from all others.
  private(set) var id = UUID().uuidString
  /// Told how writing it down went: nil where it went well.
  var didKeep: (@MainActor (StoreError?) -> Void)?
  /// Told that another program has changed the same entry, so that both are kept now.
  var didPart: (@MainActor () -> Void)?

  private let purpose: EntryPurpose
  private let store: OutgoingStore?
  private let clock: any ProgramClock
  private var timer: ProgramTimer?
  private var isHeld = false
  /// Whether what was kept is being taken up: until it is known what that is, there is nothing to write down.
  private var isTaking = false
  /// How many entries it went on to.
  private var count = 0
  private var changeCount = 0
  private var size = 0
  private var keptSize = 0
  /// Gives what is to be written down.
  private var content: (@MainActor () -> OutgoingEntry?)?

  init(_ purpose: EntryPurpose, in store: OutgoingStore?, clock: any ProgramClock) {
    self.purpose = purpose
    self.store = store
    self.clock = clock
  }

  /// Takes up what was kept and nobody holds, where nothing was kept of this one yet.
  func take(_ done: @escaping @MainActor (OutgoingStore.Taken) -> Void) {
    guard let store, !isHeld else { return done(.init()) }
    let count = count
    isTaking = true
    store.take(purpose) { [weak self] taken, _ in
      if self?.count == count { self?.isTaking = false }
      guard let self, self.count == count, !isHeld else {
        // It has been left, or was written on meanwhile: what was taken is for who comes next.
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

  /// Notes that something was typed, so that the text has `size` bytes now. `content` gives what is to be written down
  /// when it comes to that; nil: nothing.
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

  /// Whether something waits to be written down.
  var isPending: Bool { timer != nil || changeCount > 0 }

  /// Writes down what waits for that, now.
  func keepPending() {
    guard isPending, let content else { return }
    keep(content())
  }

  /// Writes `entry` down, or forgets what was where it is nil. `message` is forgotten in the same step.
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

  /// Forgets what was written down, and goes on with another entry.
  func forget(_ done: (@MainActor @Sendable (StoreError?) -> Void)? = nil) {
    let id = id
    guard detach() else {
      done?(nil)
      return
    }
    store?.forget(id, done: done)
  }

  /// Leaves what was written down to whoever wants it next, and goes on with another entry.
  func leave() {
    let id = id
    if detach() { store?.release(id) }
  }

  /// Goes on with another entry, as somebody else looks after what was written down. Returns whether something was.
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
