import FoundationEssentials
public import QwinkleModel
import Timekeeping

/// Lists drafts, and changes drafts that no program has claimed. A program claims each draft that it has open.
extension OutgoingStore {
  /// Reports all drafts, most recently changed first, claimed or not. If the file can't be read, reports an error and
  /// the drafts in memory.
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

  /// Adds the entries in memory that couldn't be saved. They replace their saved versions, which are older.
  private func withUnsaved(_ entries: [SavedEntry]) -> [SavedEntry] {
    guard !unsaved.isEmpty else { return entries }
    let new = unsaved.values.sorted { $0.id < $1.id }.map {
      SavedEntry($0, number: 0, changedAt: clock.now, holder: holds[$0.id] == nil ? .nobody : .thisProgram)
    }
    return new + entries.filter { unsaved[$0.id] == nil }
  }

  /// Moves an unclaimed draft ahead of the others for its purpose, so that ``take(_:done:)`` finds it first. Reports
  /// the draft's holder, or nil if the draft doesn't exist.
  public func bringForward(
    _ id: String, done: @escaping @MainActor @Sendable (Result<SavedEntry.Holder?, StoreError>) -> Void
  ) {
    if unsaved[id] != nil { return done(.success(holds[id] == nil ? .nobody : .thisProgram)) }
    let now = clock.now
    run("opening a draft", { file throws(StoreError) in try file.database().bringForward(id, at: now) }, then: done)
  }

  /// Deletes an unclaimed draft and passes it to `done`, so that ``restore(_:done:)`` can undo the deletion. Passes nil
  /// if the draft is claimed or doesn't exist.
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

  /// Saves a deleted draft again without claiming it. If saving fails, the draft stays in memory, and `done` receives
  /// the error.
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

  /// Replaces an unclaimed draft with `entry`, which has the same id. Reports false if the draft is claimed or doesn't
  /// exist.
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

  /// Returns the drafts in `directory`, most recently changed first.
  nonisolated public static func saved(in directory: String) throws(StoreError) -> [SavedEntry] {
    guard OutgoingDatabase.exists(in: directory) else { return [] }
    let database = try OutgoingDatabase(directory: directory)
    defer { database.close() }
    return try saved(in: database)
  }

  /// Deletes an unclaimed draft in `directory`. Returns false if the draft is claimed or doesn't exist.
  nonisolated public static func discard(_ id: String, in directory: String) throws(StoreError) -> Bool {
    let database = try OutgoingDatabase(directory: directory)
    defer { database.close() }
    return try database.discard(id) != nil
  }
}
