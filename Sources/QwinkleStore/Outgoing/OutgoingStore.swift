import Dispatch
import Foundation
public import QwinkleModel
import Synchronization
public import Timekeeping

/// One account's drafts and outbox items: all that the user has written and that isn't known to have arrived at the
/// server. They persist even if the program is killed. Several programs can open the store, but each entry can be
/// claimed by only one of them at a time.
///
/// Most calls don't block on the file, which is opened on first use. Work runs in order on a serial queue and is
/// recorded in the activity ledger. If an entry can't be saved, it stays in memory, and later calls read it from there.
@MainActor
public final class OutgoingStore {
  /// The result of claiming a draft for a purpose.
  public struct Taken: Sendable {
    /// The draft, now claimed. Nil if no unclaimed draft was found.
    public var entry: OutgoingEntry?
    /// Number of other unclaimed drafts.
    public var others = 0
    /// Number of drafts claimed by other programs, or by another part of this program.
    public var heldElsewhere = 0

    public init() {}
  }

  /// Called with a message if the file is corrupt.
  public var didFindDamage: (@MainActor (String) -> Void)?

  /// Called after the result of ``list(done:)`` may have changed.
  public var didChangeList: (@MainActor () -> Void)?

  /// Called with the purposes for which ``hasPurpose(_:)`` has changed.
  public var didChangePurposes: (@MainActor (Set<String>) -> Void)?

  let file: LazyOutgoingDatabase
  private let work = DispatchQueue(label: "qwinkle.outgoing.work")
  private let ledger: ActivityLedger
  let clock: any ProgramClock
  /// Number of calls queued so far, not counting saves of drafts.
  private var calls = 0
  /// Number of holds on each entry. Each part of this program that uses an entry, such as a pane or the outbox, adds a
  /// hold.
  private(set) var holds: [String: Int] = [:]
  /// Entries that couldn't be saved, by id.
  private(set) var unsaved: [String: OutgoingEntry] = [:]
  /// Outbox items that couldn't be saved, by id.
  private var unsavedItems: [String: OutboxItem] = [:]
  /// Ids that are being deleted. If an earlier save of such an entry fails, the entry must not be kept in memory.
  /// Otherwise the next ``flush()`` would save it, and it would be sent twice.
  private var forgotten: Set<String> = []
  /// Purposes of entries, by entry id.
  private var purposesByID: [String: String] = [:] {
    didSet {
      guard purposesByID != oldValue else { return }
      let former = purposes
      purposes = Set(purposesByID.values)
      let changed = purposes.symmetricDifference(former)
      if !changed.isEmpty { didChangePurposes?(changed) }
    }
  }
  private var purposes: Set<String> = []

  /// Creates a store in `directory`, which is created on first use.
  public init(directory: String, ledger: ActivityLedger, clock: any ProgramClock) {
    file = LazyOutgoingDatabase(directory: directory)
    self.ledger = ledger
    self.clock = clock
  }

  /// Whether some entries couldn't be saved and will be lost when the program ends.
  public var hasUnsaved: Bool { !unsaved.isEmpty || !unsavedItems.isEmpty }

  /// Whether anything was ever saved here, or is about to be.
  public var exists: Bool { isUsed || OutgoingDatabase.exists(in: file.directory) }
  /// Whether this program has used the file, or is about to.
  private var isUsed = false

  // MARK: Entries

  /// Claims the most recently changed unclaimed draft for a purpose. If an entry for the purpose couldn't be saved and
  /// is only in memory, returns that entry instead. If an entry is returned, the caller must call ``release(_:)`` for
  /// it later. If the file can't be used, searches only entries in memory.
  public func take(_ purpose: EntryPurpose, done: @escaping @MainActor @Sendable (Taken, StoreError?) -> Void) {
    let key = purpose.key
    run("opening a draft") { file throws(StoreError) in
      try file.database().takeDraft(key)
    } then: { [weak self] result in
      guard let self else { return }
      var taken = (try? result.get()) ?? Taken()
      let inMemory = unsaved.values.filter { $0.purpose == key && holds[$0.id] == nil }
      if let entry = inMemory.first {
        // The unsaved entry in memory is newer than any saved draft, so release the draft that was claimed in the file.
        if let other = taken.entry { letGo(other.id) }
        taken.others += inMemory.count - 1 + (taken.entry == nil ? 0 : 1)
        taken.entry = entry
      }
      if let entry = taken.entry { hold(entry.id) }
      if case .failure(let error) = result { done(taken, error) } else { done(taken, nil) }
    }
  }

  /// Reports whether there is a draft for a purpose, claimed or not.
  public func has(_ purpose: EntryPurpose, done: @escaping @MainActor @Sendable (Bool) -> Void) {
    let key = purpose.key
    if unsaved.values.contains(where: { $0.purpose == key }) { return done(true) }
    guard exists else { return done(false) }
    run("finding a draft") { file throws(StoreError) in
      try file.database().has(key)
    } then: { result in
      done((try? result.get()) ?? false)
    }
  }

  /// Returns whether there is a known draft for a purpose: one saved by this program or found by ``loadPurposes()``.
  public func hasPurpose(_ key: String) -> Bool { purposes.contains(key) }

  /// Loads the purposes of all saved drafts.
  public func loadPurposes() {
    guard exists else { return }
    run("listing drafts") { file throws(StoreError) in
      try file.database().purposes()
    } then: { [weak self] result in
      guard let self, let found = try? result.get() else { return }
      purposesByID.merge(found) { mine, _ in mine }
    }
  }

  /// Saves a draft that the caller has claimed, and removes the item `message` in the same transaction. Reports the
  /// entry's id. The id is new if another program has changed the entry in the meantime: both entries are then kept.
  public func keep(
    _ entry: OutgoingEntry, insteadOf message: String? = nil,
    done: @escaping @MainActor @Sendable (Result<String, StoreError>) -> Void
  ) {
    if unsaved[entry.id] != nil || unsavedItems[entry.id] != nil {
      unsaved[entry.id] = entry
      unsavedItems[entry.id] = nil
    }
    let earlier = withhold(message, replacedBy: entry.id)
    keep(OutgoingRow(entry), insteadOf: message) { [weak self] result in
      guard let self else { return }
      if case .failure = result { restore(earlier) }
      // The entry is a draft now and no longer an outbox item, even if saving failed.
      unsavedItems[entry.id] = nil
      purposesByID[(try? result.get()) ?? entry.id] = entry.purpose
      switch result {
      case .success(let id):
        unsaved[entry.id] = nil
        if id != entry.id { holds[id] = holds.removeValue(forKey: entry.id) }
      case .failure: if !forgotten.contains(entry.id) { unsaved[entry.id] = entry }
      }
      done(result)
      didChangeList?()
    }
  }

  /// Adds a hold on an entry for a part of the program.
  public func hold(_ id: String) { holds[id, default: 0] += 1 }

  /// Removes a hold on an entry. After the last hold, releases the claim, so that other programs can claim the entry.
  public func release(_ id: String) {
    guard let count = holds[id] else { return }
    holds[id] = count > 1 ? count - 1 : nil
    if count == 1 { letGo(id) }
  }

  private func letGo(_ id: String) {
    run("closing a draft") { file throws(StoreError) in
      try file.database().release(id)
    } then: { [weak self] _ in
      self?.didChangeList?()
    }
  }

  /// Updates an entry's known purpose.
  func noteReplaced(by entry: OutgoingEntry) {
    if purposesByID[entry.id] != nil { purposesByID[entry.id] = entry.purpose }
  }

  /// Removes a deleted entry from memory.
  func letGoOf(_ id: String) {
    holds[id] = nil
    unsaved[id] = nil
    unsavedItems[id] = nil
    purposesByID[id] = nil
  }

  /// Updates the unsaved state of an item before an attempt to save it, so that ``flush()`` doesn't save an earlier
  /// state after this one.
  func noteSaving(_ item: OutboxItem) {
    guard unsaved[item.id] != nil || unsavedItems[item.id] != nil else { return }
    unsaved[item.id] = nil
    unsavedItems[item.id] = item
  }

  /// Removes the unsaved state of a row that a queued save replaces, and returns it. Otherwise ``flush()`` would save
  /// the row after its replacement.
  func withhold(_ id: String?, replacedBy new: String? = nil) -> (entry: OutgoingEntry?, item: OutboxItem?) {
    guard let id, id != new else { return (nil, nil) }
    return (unsaved.removeValue(forKey: id), unsavedItems.removeValue(forKey: id))
  }

  /// Restores the unsaved state of a row whose replacement couldn't be saved.
  func restore(_ earlier: (entry: OutgoingEntry?, item: OutboxItem?)) {
    if let entry = earlier.entry, !forgotten.contains(entry.id) { unsaved[entry.id] = entry }
    if let item = earlier.item, !forgotten.contains(item.id) { unsavedItems[item.id] = item }
  }

  /// Updates the state in memory after an attempt to save an item.
  func noteSaved(_ item: OutboxItem, insteadOf other: String?, _ result: Result<OutboxItem?, StoreError>) {
    guard case .success = result else {
      if !forgotten.contains(item.id) { unsavedItems[item.id] = item }
      return
    }
    unsaved[item.id] = nil
    unsavedItems[item.id] = nil
    purposesByID[item.id] = nil
    if let other, other != item.id { letGoOf(other) }
    didChangeList?()
  }

  /// Returns whether any part of this program holds an entry.
  func isHeld(_ id: String) -> Bool { holds[id] != nil }

  /// Removes all holds on an entry. Doesn't release the claim in the file, which the outbox still needs.
  public func holdAlone(_ id: String) { holds[id] = nil }

  /// Deletes a claimed draft or item.
  public func forget(_ id: String, done: (@MainActor @Sendable (StoreError?) -> Void)? = nil) {
    letGoOf(id)
    remove(id, done: done)
  }

  private func remove(_ id: String, done: (@MainActor @Sendable (StoreError?) -> Void)?) {
    // Without a file, nothing was ever saved.
    guard exists else {
      done?(nil)
      return
    }
    forgotten.insert(id)
    run("deleting a draft") { file throws(StoreError) in
      try file.database().remove(id)
    } then: { [weak self] result in
      self?.forgotten.remove(id)
      if case .failure(let error) = result { done?(error) } else { done?(nil) }
      self?.didChangeList?()
    }
  }

  // MARK: Arrivals

  /// Records the qwink that an entry became, so that the qwink isn't matched with another entry of the same text.
  public func noteArrived(_ qwink: Qwink.ID) {
    let now = clock.now
    run("recording what arrived") { file throws(StoreError) in
      try file.database().noteArrived(qwink.rawValue, at: now)
    }
  }

  /// Reports the qwinks that entries became, in this program and others.
  public func arrived(done: @escaping @MainActor @Sendable (Set<Qwink.ID>) -> Void) {
    run("reading what arrived") { file throws(StoreError) in
      try file.database().arrived()
    } then: { result in
      done(Set(((try? result.get()) ?? []).map { Qwink.ID($0) }))
    }
  }

  // MARK: Ending

  /// Retries failed saves and waits for all pending work.
  public func flush() {
    for entry in unsaved.values { keep(entry) { _ in } }
    for item in unsavedItems.values { keep(item) { _ in } }
    work.sync {}
  }

  /// Like ``flush()``, and frees SQLite's page caches, for example before the process is suspended.
  public func flushAndReleaseMemory() {
    flush()
    work.sync { [file] in file.opened?.releaseMemory() }
  }

  /// Saves pending entries and releases all claims. Call it before the process ends. Later calls reopen the file.
  public func close() {
    flush()
    work.sync { [file] in
      file.opened?.close()
      file.opened = nil
    }
  }

  /// Closes the file as if the program were killed. For tests.
  public func abandon() {
    work.sync { [file] in
      file.opened?.abandon()
      file.opened = nil
    }
  }

  /// Simulates a full disk by refusing writes, or allows them again. For tests.
  public func setReadOnly(_ isOn: Bool) {
    work.sync { [file] in (try? file.database())?.setReadOnly(isOn) }
  }

  /// Returns all drafts and outbox entries in `directory`, claimed or not, oldest first. Doesn't return conversation
  /// messages.
  nonisolated public static func entries(in directory: String) throws(StoreError) -> [OutgoingEntry] {
    try OutgoingDatabase.items(in: directory).filter { OutgoingMessage($0) == nil }.compactMap(\.entry)
  }

  /// Returns all outgoing conversation messages in `directory`, claimed or not, oldest first.
  nonisolated public static func messages(in directory: String) throws(StoreError) -> [OutgoingMessage] {
    try OutgoingDatabase.items(in: directory).compactMap(OutgoingMessage.init)
  }

  // MARK: Helpers

  nonisolated static func entry(_ data: Data) -> OutgoingEntry? {
    // No conversion is needed: opening the file has already converted the entries of earlier versions.
    try? JSONDecoder().decode(OutgoingEntry.self, from: data)
  }

  /// Saves a row. If the row is already queued for saving, only its newest state is saved, unless another call was
  /// queued in between: moving the save before that call would change the call's result.
  private func keep(
    _ row: OutgoingRow, insteadOf other: String?,
    done: @escaping @MainActor @Sendable (Result<String, StoreError>) -> Void
  ) {
    let slot = LazyOutgoingDatabase.Slot(row: row.id, calls: calls)
    guard file.wait(with: row, in: slot, insteadOf: other, done) else { return }
    let now = clock.now
    enqueue("saving drafts") { file throws(StoreError) -> [@MainActor @Sendable () -> Void] in
      guard let waiting = file.takeWaiting(slot) else { return [] }
      let result = Result { () throws(StoreError) in
        try file.database().keep(waiting.row, insteadOf: waiting.others, at: now)
      }
      return waiting.done.map { done in { done(result) } }
    } then: { result in
      for done in (try? result.get()) ?? [] { done() }
    }
  }

  /// Runs `body` with the file on the work queue, and passes the result to `then` on the main actor.
  func run<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable (LazyOutgoingDatabase) throws(StoreError) -> Value,
    then: @escaping @MainActor @Sendable (Result<Value, StoreError>) -> Void = { _ in }
  ) {
    calls += 1
    enqueue(name, body, then: then)
  }

  private func enqueue<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable (LazyOutgoingDatabase) throws(StoreError) -> Value,
    then: @escaping @MainActor @Sendable (Result<Value, StoreError>) -> Void
  ) {
    let activity = ledger.begin(name)
    isUsed = true
    work.async { [file, weak self] in
      let result = Result { () throws(StoreError) in try body(file) }
      let remark = file.opened?.remark
      file.opened?.remark = nil
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          if let remark { self?.didFindDamage?(remark) }
          then(result)
          activity.end()
        }
      }
    }
  }
}
