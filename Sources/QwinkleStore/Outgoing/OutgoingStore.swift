import Dispatch
import Foundation
public import QwinkleModel
import Synchronization
public import Timekeeping

/// One account's entries that are not known to have arrived: drafts, and those on their way. They outlive the program,
/// however it ends. Several programs can have the store open; each entry is held by at most one of them.
///
/// Calls don't wait for the file, which is opened on first use: work runs in order on a queue of its own and is entered
/// in the ledger. An entry that can't be saved stays in memory and is found there.
@MainActor
public final class OutgoingStore {
  /// The result of taking a purpose's entry.
  public struct Taken: Sendable {
    /// The entry, held from now on; nil if there is none that nobody holds.
    public var entry: OutgoingEntry?
    /// How many more entries nobody holds.
    public var others = 0
    /// How many are held elsewhere: by another program, or another part of this one.
    public var heldElsewhere = 0

    /// An empty result.
    public init() {}

    init(entry: OutgoingEntry?, others: Int, heldElsewhere: Int) {
      self.entry = entry
      self.others = others
      self.heldElsewhere = heldElsewhere
    }
  }

  /// Called with a sentence if the file was found damaged.
  public var didFindDamage: (@MainActor (String) -> Void)?

  /// Called after ``list(done:)`` would report something else.
  public var didChangeList: (@MainActor () -> Void)?

  /// Called with the purposes for which ``hasPurpose(_:)`` answers otherwise now.
  public var didChangePurposes: (@MainActor (Set<String>) -> Void)?

  let file: LazyOutgoingDatabase
  private let work = DispatchQueue(label: "qwinkle.outgoing.work")
  private let ledger: ActivityLedger
  let clock: any ProgramClock
  /// How many parts of this program hold each entry.
  private(set) var holds: [String: Int] = [:]
  /// Entries that couldn't be saved, by id.
  private(set) var unsaved: [String: OutgoingEntry] = [:]
  /// Items of the outbox that couldn't be saved, by id.
  private var unsavedItems: [String: OutboxItem] = [:]
  /// Ids that are being deleted. A save that was requested before and fails must not keep its content in memory, as the
  /// next ``flush()`` would save it: what was sent already would be sent again.
  private var forgotten: Set<String> = []
  /// The purposes of entries, by the entries' ids.
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

  /// The store in `directory`, which is created on first use.
  public init(directory: String, ledger: ActivityLedger, clock: any ProgramClock) {
    file = LazyOutgoingDatabase(directory: directory)
    self.ledger = ledger
    self.clock = clock
  }

  /// Whether there are entries that couldn't be saved and will be lost when the program ends.
  public var hasUnsaved: Bool { !unsaved.isEmpty || !unsavedItems.isEmpty }

  /// Whether anything was ever saved here, or is about to be.
  public var exists: Bool { isUsed || OutgoingDatabase.exists(in: file.directory) }
  /// Whether this program has done something with the file, or is about to.
  private var isUsed = false

  // MARK: Entries

  /// Takes the purpose's entry that was changed last and that nobody holds. It stays held until ``release(_:)`` is
  /// called as often as this was. If the file can't be used, only memory is searched.
  public func take(_ purpose: EntryPurpose, done: @escaping @MainActor @Sendable (Taken, StoreError?) -> Void) {
    let key = purpose.key
    run("opening a draft") { file throws(StoreError) -> Taken in
      let found = try file.database().takeDraft(key)
      return Taken(entry: found.entry, others: found.others, heldElsewhere: found.heldElsewhere)
    } then: { [weak self] result in
      guard let self else { return }
      var taken = (try? result.get()) ?? Taken()
      let inMemory = unsaved.values.filter { $0.purpose == key && holds[$0.id] == nil }
      if let entry = inMemory.first {
        // It is newer than anything that was saved.
        if let other = taken.entry { letGo(other.id) }
        taken.others += inMemory.count - 1 + (taken.entry == nil ? 0 : 1)
        taken.entry = entry
      }
      if let entry = taken.entry { hold(entry.id) }
      if case .failure(let error) = result { done(taken, error) } else { done(taken, nil) }
    }
  }

  /// Reports whether there is an entry for a purpose, whoever holds it.
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

  /// Whether an entry for a purpose is known: saved by this program, or found by ``loadPurposes()``.
  public func hasPurpose(_ key: String) -> Bool { purposes.contains(key) }

  /// Finds out which purposes there are entries for, if anything was ever saved.
  public func loadPurposes() {
    guard exists else { return }
    run("listing drafts") { file throws(StoreError) in
      try file.database().purposes()
    } then: { [weak self] result in
      guard let self, let found = try? result.get() else { return }
      purposesByID.merge(found) { mine, _ in mine }
    }
  }

  /// Saves a draft that the caller holds, and removes the item `message` in the same transaction. Calls `done` with the
  /// entry's id, which is new if another program has changed the entry meanwhile: then both are kept.
  public func keep(
    _ entry: OutgoingEntry, insteadOf message: String? = nil,
    done: @escaping @MainActor @Sendable (Result<String, StoreError>) -> Void
  ) {
    keep(OutgoingRow(entry), insteadOf: message) { [weak self] result in
      guard let self else { return }
      // An item that was made a draft is none any more, whether or not that could be saved.
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

  /// Adds a hold, for one more part of the program.
  public func hold(_ id: String) { holds[id, default: 0] += 1 }

  /// Ends one hold. After the last one others can take the entry.
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

  /// Notes an entry's new purpose.
  func noteReplaced(by entry: OutgoingEntry) {
    if purposesByID[entry.id] != nil { purposesByID[entry.id] = entry.purpose }
  }

  /// Forgets in memory what is deleted.
  func letGoOf(_ id: String) {
    holds[id] = nil
    unsaved[id] = nil
    unsavedItems[id] = nil
    purposesByID[id] = nil
  }

  /// Notes that an item was saved, or couldn't be.
  func noteKept(_ item: OutboxItem, insteadOf other: String?, _ result: Result<OutboxItem?, StoreError>) {
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

  /// Whether a part of this program holds an entry.
  func isHeld(_ id: String) -> Bool { holds[id] != nil }

  /// Ends all holds but that of the outbox.
  public func holdAlone(_ id: String) { holds[id] = nil }

  /// Deletes a draft or an item that is held.
  public func forget(_ id: String, done: (@MainActor @Sendable (StoreError?) -> Void)? = nil) {
    letGoOf(id)
    remove(id, done: done)
  }

  private func remove(_ id: String, done: (@MainActor @Sendable (StoreError?) -> Void)?) {
    // Without a file nothing was ever saved.
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

  /// Records the qwink that an entry became, so that it isn't matched with another entry with the same words.
  public func noteArrived(_ qwink: Qwink.ID) {
    let now = clock.now
    run("recording what arrived") { file throws(StoreError) in
      try file.database().noteArrived(qwink.rawValue, at: now)
    } then: { _ in
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

  /// Tries failed saves once more, and waits until all work is done.
  public func flush() {
    for entry in unsaved.values { keep(entry) { _ in } }
    for item in unsavedItems.values { keep(item) { _ in } }
    work.sync {}
  }

  /// Saves what is pending and releases everything. Call it before the process ends; later calls reopen the file.
  public func close() {
    flush()
    work.sync { [file] in file.close { $0.close() } }
  }

  /// Closes the file the way a kill would. For tests.
  public func abandon() {
    work.sync { [file] in file.close { $0.abandon() } }
  }

  /// Refuses writes, like a full disk, or allows them again. For tests.
  public func setReadOnly(_ isOn: Bool) {
    work.sync { [file] in (try? file.database())?.setReadOnly(isOn) }
  }

  /// The entries in `directory`, drafts and those of the outbox, whoever holds them, in the order they were begun.
  nonisolated public static func entries(in directory: String) throws(StoreError) -> [OutgoingEntry] {
    try OutgoingDatabase.items(in: directory).filter { OutgoingMessage($0) == nil }.compactMap(\.entry)
  }

  /// The messages of conversations in `directory`, whoever holds them, in the order they were written.
  nonisolated public static func messages(in directory: String) throws(StoreError) -> [OutgoingMessage] {
    try OutgoingDatabase.items(in: directory).compactMap(OutgoingMessage.init)
  }

  // MARK: Helpers

  nonisolated static func entry(_ data: Data) -> OutgoingEntry? {
    // Entries of earlier versions have already been converted.
    try? JSONDecoder().decode(OutgoingEntry.self, from: data)
  }

  /// Saves a row. If it is already waiting to be saved, its newest state is saved.
  private func keep(
    _ row: OutgoingRow, insteadOf other: String?,
    done: @escaping @MainActor @Sendable (Result<String, StoreError>) -> Void
  ) {
    guard file.wait(with: row, insteadOf: other, done) else { return }
    let now = clock.now
    run("saving drafts") { file throws(StoreError) -> [@MainActor @Sendable () -> Void] in
      guard let waiting = file.takeWaiting(row.id) else { return [] }
      let result: Result<String, StoreError>
      do throws(StoreError) {
        result = .success(try file.database().keep(waiting.row, insteadOf: waiting.other, at: now))
      } catch {
        result = .failure(error)
      }
      return waiting.done.map { done in { done(result) } }
    } then: { result in
      for done in (try? result.get()) ?? [] { done() }
    }
  }

  /// Runs `body` with the file on its queue, and passes the result to `then` on the main actor.
  func run<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable (LazyOutgoingDatabase) throws(StoreError) -> Value,
    then: @escaping @MainActor @Sendable (Result<Value, StoreError>) -> Void
  ) {
    let activity = ledger.begin(name)
    isUsed = true
    work.async { [file, weak self] in
      let result: Result<Value, StoreError>
      do throws(StoreError) {
        result = .success(try body(file))
      } catch {
        result = .failure(error)
      }
      let remark = file.takeRemark()
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
