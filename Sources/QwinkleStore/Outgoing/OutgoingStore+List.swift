import FoundationEssentials
public import QwinkleModel
import Timekeeping

/// The list of all entries, and what can be done with those that nobody has open.
extension OutgoingStore {
  /// Reports all entries, last changed first, whoever holds them; with an error, those that are in memory.
  public func list(done: @escaping @MainActor @Sendable ([SavedEntry], StoreError?) -> Void) {
    guard exists else { return done(withUnsaved([]), nil) }
    run("listing drafts") { file throws(StoreError) -> [SavedEntry] in
      try Self.saved(in: file.database())
    } then: { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let entries): done(withUnsaved(entries), nil)
      case .failure(let error): done(withUnsaved([]), error)
      }
    }
  }

  nonisolated private static func saved(in database: OutgoingDatabase) throws(StoreError) -> [SavedEntry] {
    try database.list().compactMap { row in
      entry(row.content).map {
        SavedEntry($0, number: row.number, changedAt: row.changedAt, holder: row.holder)
      }
    }
  }

  /// `entries` with what could not be saved, which is newer.
  private func withUnsaved(_ entries: [SavedEntry]) -> [SavedEntry] {
    guard !unsaved.isEmpty else { return entries }
    let new = unsaved.values.sorted { $0.id < $1.id }.map {
      SavedEntry($0, number: 0, changedAt: clock.now, holder: holds[$0.id] == nil ? .nobody : .thisProgram)
    }
    return new + entries.filter { unsaved[$0.id] == nil }
  }

  /// Makes an entry that nobody holds the first that ``take(_:done:)`` finds for its purpose. Reports who holds it;
  /// nil: it is gone.
  public func bringForward(
    _ id: String, done: @escaping @MainActor @Sendable (Result<SavedEntry.Holder?, StoreError>) -> Void
  ) {
    if unsaved[id] != nil { return done(.success(holds[id] == nil ? .nobody : .thisProgram)) }
    let now = clock.now
    run("opening a draft") { file throws(StoreError) in
      try file.database().bringForward(id, at: now)
    } then: {
      done($0)
    }
  }

  /// Deletes an entry that nobody holds. Reports it, for ``restore(_:)``; nil if it is held or gone.
  public func discard(
    _ id: String, done: @escaping @MainActor @Sendable (Result<OutgoingEntry?, StoreError>) -> Void
  ) {
    if let entry = unsaved[id], holds[id] == nil {
      letGoOf(id)
      done(.success(entry))
      didChangeList?()
      return
    }
    run("deleting a draft") { file throws(StoreError) in
      try file.database().discard(id)
    } then: { [weak self] result in
      guard let self else { return }
      let entry = result.map { $0.flatMap(Self.entry) }
      if case .success(.some) = entry { letGoOf(id) }
      done(entry)
      didChangeList?()
    }
  }

  /// Saves an entry again that was deleted, and leaves it to others. Reports an error if it is in memory only.
  public func restore(_ entry: OutgoingEntry, done: @escaping @MainActor @Sendable (StoreError?) -> Void) {
    hold(entry.id)
    keep(entry) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let id):
        release(id)
        done(nil)
      case .failure(let error):
        release(entry.id)
        done(error)
      }
    }
  }

  /// Replaces an entry that nobody holds by `entry`, which has its id. Reports false if it is held or gone.
  public func replace(
    by entry: OutgoingEntry, done: @escaping @MainActor @Sendable (Result<Bool, StoreError>) -> Void
  ) {
    let row = OutgoingRow(entry)
    let now = clock.now
    run("changing a draft") { file throws(StoreError) in
      try file.database().replace(by: row, at: now)
    } then: { [weak self] result in
      if case .success(true) = result { self?.noteReplaced(by: entry) }
      done(result)
      self?.didChangeList?()
    }
  }

  /// The entries in `directory`, last changed first, without opening them for writing elsewhere.
  nonisolated public static func saved(in directory: String) throws(StoreError) -> [SavedEntry] {
    guard OutgoingDatabase.exists(in: directory) else { return [] }
    let database = try OutgoingDatabase(directory: directory)
    defer { database.close() }
    return try saved(in: database)
  }

  /// Deletes an entry in `directory` that nobody holds. Returns false if it is held or gone.
  nonisolated public static func discard(_ id: String, in directory: String) throws(StoreError) -> Bool {
    let database = try OutgoingDatabase(directory: directory)
    defer { database.close() }
    return try database.discard(id) != nil
  }
}
