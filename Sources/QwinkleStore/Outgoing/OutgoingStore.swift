import Dispatch
import Foundation
public import QwinkleModel
import Synchronization
public import Timekeeping

/// What was written and is not known to have arrived, of one account: drafts, and what is on its way. It outlives the
/// program, however that ends. Several programs can have it open; each entry is held by one of them at most, or by
/// nobody.
///
/// Nothing here waits for the file, which is opened when it is first needed: work goes to a queue of its own, in order,
/// and is entered in the ledger. Where something cannot be written, it stays in memory, and is found there.
@MainActor
public final class OutgoingStore {
  /// What there is of a purpose.
  public struct Taken: Sendable {
    /// The entry, which is held from now on; nil where there is none that nobody holds.
    public var entry: OutgoingEntry?
    /// How many more there are that nobody holds.
    public var others = 0
    /// How many are held elsewhere: by another program, or another part of this one.
    public var heldElsewhere = 0

    /// Nothing.
    public init() {}

    init(entry: OutgoingEntry?, others: Int, heldElsewhere: Int) {
      self.entry = entry
      self.others = others
      self.heldElsewhere = heldElsewhere
    }
  }

  /// Told what was found wrong with the file, as a sentence.
  public var didFindDamage: (@MainActor (String) -> Void)?

  private let file: File
  private let work = DispatchQueue(label: "qwinkle.outgoing.work")
  private let ledger: ActivityLedger
  private let clock: any ProgramClock
  /// How many parts of this program hold each entry.
  private var holds: [String: Int] = [:]
  /// Entries that could not be written.
  private var unsaved: [String: OutgoingEntry] = [:]

  /// The entries in `directory`, which is made when there is something to keep.
  public init(directory: String, ledger: ActivityLedger, clock: any ProgramClock) {
    file = File(directory: directory)
    self.ledger = ledger
    self.clock = clock
  }

  /// Whether there is something that could not be written, and goes when the program ends.
  public var hasUnsaved: Bool { !unsaved.isEmpty }

  /// Whether anything was ever kept here.
  public var exists: Bool { OutgoingDatabase.exists(in: file.directory) }

  // MARK: Entries

  /// Gives the entry of a purpose that was changed last and that nobody holds, and holds it: each such call wants a
  /// ``release(_:)``. Where the file cannot be used, what is in memory is looked at alone.
  public func take(_ purpose: EntryPurpose, done: @escaping @MainActor @Sendable (Taken, StoreError?) -> Void) {
    let key = purpose.key
    run("taking up a draft") { file throws(StoreError) -> Taken in
      let found = try file.database().take(.entry, purpose: key, limit: 1) { Self.entry($0) != nil }
      return Taken(
        entry: found.contents.first.flatMap(Self.entry), others: found.others, heldElsewhere: found.heldElsewhere)
    } then: { [weak self] result in
      guard let self else { return }
      var taken = (try? result.get()) ?? Taken()
      let inMemory = unsaved.values.filter { $0.purpose == key && holds[$0.id] == nil }
      if let entry = inMemory.first {
        // It is newer than anything that could be written.
        if let other = taken.entry { letGo(other.id) }
        taken.others += inMemory.count - 1 + (taken.entry == nil ? 0 : 1)
        taken.entry = entry
      }
      if let entry = taken.entry { hold(entry.id) }
      if case .failure(let error) = result { done(taken, error) } else { done(taken, nil) }
    }
  }

  /// Finds out whether an entry is kept for a purpose, whoever holds it.
  public func has(_ purpose: EntryPurpose, done: @escaping @MainActor @Sendable (Bool) -> Void) {
    let key = purpose.key
    if unsaved.values.contains(where: { $0.purpose == key }) { return done(true) }
    guard exists else { return done(false) }
    run("looking for a draft") { file throws(StoreError) in
      try file.database().has(key)
    } then: { result in
      done((try? result.get()) ?? false)
    }
  }

  /// Keeps an entry, which the caller holds. `done` hears its id: another one where another program has changed it
  /// meanwhile, as then both are kept. `message` is forgotten in the same step.
  public func keep(
    _ entry: OutgoingEntry, insteadOf message: String? = nil,
    done: @escaping @MainActor @Sendable (Result<String, StoreError>) -> Void
  ) {
    keep(OutgoingRow(entry), insteadOf: message) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let id):
        unsaved[entry.id] = nil
        if id != entry.id { holds[id] = holds.removeValue(forKey: entry.id) }
      case .failure: unsaved[entry.id] = entry
      }
      done(result)
    }
  }

  /// Notes that one more part of the program holds an entry.
  public func hold(_ id: String) { holds[id, default: 0] += 1 }

  /// Ends one hold. When nobody holds it any more, the entry is left to whoever wants it next.
  public func release(_ id: String) {
    guard let count = holds[id] else { return }
    holds[id] = count > 1 ? count - 1 : nil
    if count == 1 { letGo(id) }
  }

  private func letGo(_ id: String) {
    run("leaving a draft") { file throws(StoreError) in
      try file.database().release(id)
    } then: { _ in
    }
  }

  /// Forgets an entry that is held.
  public func forget(_ id: String, done: (@MainActor @Sendable (StoreError?) -> Void)? = nil) {
    holds[id] = nil
    unsaved[id] = nil
    remove(id, done: done)
  }

  /// Forgets an entry that is held, as it has become `qwink`.
  public func forget(_ id: String, arrivedAs qwink: Qwink.ID) {
    holds[id] = nil
    unsaved[id] = nil
    let now = clock.now
    run("forgetting what arrived") { file throws(StoreError) in
      try file.database().remove(id, arrivedAs: qwink.rawValue, at: now)
    } then: { _ in
    }
  }

  private func remove(_ id: String, done: (@MainActor @Sendable (StoreError?) -> Void)?) {
    // What was never written needs no file.
    guard file.isOpen || exists else {
      done?(nil)
      return
    }
    run("forgetting a draft") { file throws(StoreError) in
      try file.database().remove(id)
    } then: { result in
      if case .failure(let error) = result { done?(error) } else { done?(nil) }
    }
  }

  // MARK: Messages

  /// Gives the messages of conversations that nobody holds, in the order in which they were written, and holds them.
  public func takeMessages(done: @escaping @MainActor @Sendable ([OutgoingMessage]) -> Void) {
    guard exists else { return done([]) }
    run("taking up messages") { file throws(StoreError) in
      let found = try file.database().take(.message, limit: .max, isOldestFirst: true) { Self.message($0) != nil }
      return found.contents.compactMap(Self.message)
    } then: { result in
      done((try? result.get()) ?? [])
    }
  }

  /// Keeps a message, which is held here then. `draft`, an entry, is forgotten in the same step.
  public func keep(
    _ message: OutgoingMessage, insteadOf draft: String? = nil,
    done: @escaping @MainActor @Sendable (StoreError?) -> Void
  ) {
    keep(OutgoingRow(message), insteadOf: draft) { [weak self] result in
      switch result {
      case .success:
        if let draft {
          self?.holds[draft] = nil
          self?.unsaved[draft] = nil
        }
        done(nil)
      case .failure(let error): done(error)
      }
    }
  }

  /// Forgets a message that is held here.
  public func forget(message id: String) { remove(id, done: nil) }

  // MARK: What arrived

  /// Notes what an entry became, so that it is not taken for what became of another one with the same words.
  public func noteArrived(_ qwink: Qwink.ID) {
    let now = clock.now
    run("noting what arrived") { file throws(StoreError) in
      try file.database().noteArrived(qwink.rawValue, at: now)
    } then: { _ in
    }
  }

  /// Gives what entries became, of this program and others.
  public func arrived(done: @escaping @MainActor @Sendable (Set<Qwink.ID>) -> Void) {
    run("reading what arrived") { file throws(StoreError) in
      try file.database().arrived()
    } then: { result in
      done(Set(((try? result.get()) ?? []).map { Qwink.ID($0) }))
    }
  }

  // MARK: Ending

  /// Waits until everything is written that was to be. What could not be written is tried once more.
  public func flush() {
    for entry in unsaved.values { keep(entry) { _ in } }
    work.sync {}
  }

  /// Writes what waits to be, and leaves everything to whoever wants it next. To be called before the process ends;
  /// what comes later opens the file again.
  public func close() {
    flush()
    work.sync { [file] in file.close { $0.close() } }
  }

  /// Lets go of the file as a program does that is killed. For tests.
  public func abandon() {
    work.sync { [file] in file.close { $0.abandon() } }
  }

  /// Refuses writes, as a full disk does, or no longer. For tests.
  public func setReadOnly(_ isOn: Bool) {
    work.sync { [file] in (try? file.database())?.setReadOnly(isOn) }
  }

  /// The entries in `directory`, whoever holds them, in the order in which they were begun.
  nonisolated public static func entries(in directory: String) throws(StoreError) -> [OutgoingEntry] {
    try OutgoingDatabase.contents(.entry, in: directory).compactMap(entry)
  }

  /// The messages in `directory`, whoever holds them, in the order in which they were written.
  nonisolated public static func messages(in directory: String) throws(StoreError) -> [OutgoingMessage] {
    try OutgoingDatabase.contents(.message, in: directory).compactMap(message)
  }

  // MARK: Helpers

  nonisolated private static func entry(_ data: Data) -> OutgoingEntry? {
    // Those of earlier versions have been made anew.
    try? JSONDecoder().decode(OutgoingEntry.self, from: data)
  }

  nonisolated private static func message(_ data: Data) -> OutgoingMessage? {
    try? JSONDecoder().decode(OutgoingMessage.self, from: data)
  }

  /// Has a row written. What waits to be written already is written as it is now.
  private func keep(
    _ row: OutgoingRow, insteadOf other: String?,
    done: @escaping @MainActor @Sendable (Result<String, StoreError>) -> Void
  ) {
    guard file.wait(with: row, insteadOf: other, done) else { return }
    let now = clock.now
    run("keeping what was written") { file throws(StoreError) -> [@MainActor @Sendable () -> Void] in
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

  /// Does something with the file on its queue, and says on the main actor what came of it.
  private func run<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable (File) throws(StoreError) -> Value,
    then: @escaping @MainActor @Sendable (Result<Value, StoreError>) -> Void
  ) {
    let activity = ledger.begin(name)
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

/// The file, which is opened when it is first needed. What is done with it is done on one queue.
private final class File: Sendable {
  /// A row that waits to be written, and who wants to know what came of it.
  struct Waiting {
    var row: OutgoingRow
    var other: String?
    var done: [@MainActor @Sendable (Result<String, StoreError>) -> Void]
  }

  /// Unchecked because `OutgoingDatabase` is not `Sendable`: only the work queue uses it; others only ask whether it is
  /// open.
  private struct Opened: @unchecked Sendable {
    var database: OutgoingDatabase?
    var remark: String?
  }

  let directory: String
  private let opened = Mutex(Opened())
  private let waiting = Mutex<[String: Waiting]>([:])

  init(directory: String) {
    self.directory = directory
  }

  var isOpen: Bool { opened.withLock { $0.database != nil } }

  func database() throws(StoreError) -> OutgoingDatabase {
    if let database = opened.withLock({ $0 }).database { return database }
    // Where that fails, the next who needs it tries again.
    let database = try OutgoingDatabase(directory: directory)
    let new = Opened(database: database, remark: database.remark)
    opened.withLock { $0 = new }
    return database
  }

  func takeRemark() -> String? {
    opened.withLock { opened in
      defer { opened.remark = nil }
      return opened.remark
    }
  }

  func close(_ end: (OutgoingDatabase) -> Void) {
    guard let database = opened.withLock({ $0 }).database else { return }
    end(database)
    opened.withLock { $0 = Opened() }
  }

  /// Notes what is to be written. Returns false where that has been asked for already and not been done.
  func wait(
    with row: OutgoingRow, insteadOf other: String?,
    _ done: @escaping @MainActor @Sendable (Result<String, StoreError>) -> Void
  ) -> Bool {
    waiting.withLock { waiting in
      let former = waiting[row.id]
      waiting[row.id] = Waiting(row: row, other: other ?? former?.other, done: (former?.done ?? []) + [done])
      return former == nil
    }
  }

  func takeWaiting(_ id: String) -> Waiting? {
    waiting.withLock { $0.removeValue(forKey: id) }
  }
}
