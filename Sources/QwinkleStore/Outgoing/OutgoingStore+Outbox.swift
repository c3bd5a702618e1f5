public import QwinkleModel
import Timekeeping

/// Items of the outbox. Each is claimed by at most one program. Items of other programs are reported but not changed.
extension OutgoingStore {
  /// Outbox items that this program hadn't claimed before.
  public struct Items: Sendable {
    /// Items that were unclaimed. This program has claimed them now.
    public var taken: [OutboxItem] = []
    /// Items of other running programs.
    public var elsewhere: [OutboxItem] = []
  }

  /// Whether an item may be sent now.
  public enum Begun: Sendable {
    case mayGo
    /// Another item must be sent first, by this program or another.
    case mustWait
    /// The item that it replies to no longer exists.
    case isOrphan
    /// Another program has claimed the item.
    case isElsewhere
  }

  /// Claims all unclaimed items. Reports nil if the file doesn't exist or can't be used.
  public func takeItems(done: @escaping @MainActor @Sendable (Items?, StoreError?) -> Void) {
    guard exists else { return done(nil, nil) }
    run("loading the outbox") { file throws(StoreError) -> Items in
      let found = try file.database().takeItems()
      return Items(taken: found.taken, elsewhere: found.elsewhere)
    } then: { result in
      switch result {
      case .success(let items): done(items, nil)
      case .failure(let error): done(nil, error)
      }
    }
  }

  /// Saves an item in place of its draft or of `other`. Reports the item with its position, or nil if another program
  /// has claimed it.
  public func keep(
    _ item: OutboxItem, insteadOf other: String? = nil,
    done: @escaping @MainActor @Sendable (Result<OutboxItem?, StoreError>) -> Void
  ) {
    let now = clock.now
    run("saving the outbox") { file throws(StoreError) in
      try file.database().keep(item, insteadOf: other, at: now)
    } then: { [weak self] result in
      self?.noteSaved(item, insteadOf: other, result)
      done(result)
    }
  }

  /// Saves new items in place of the draft `other`, in one transaction. Reports the items with their positions.
  public func keep(
    all items: [OutboxItem], insteadOf other: String? = nil,
    done: @escaping @MainActor @Sendable (Result<[OutboxItem], StoreError>) -> Void
  ) {
    let now = clock.now
    run("saving the outbox") { file throws(StoreError) in
      try file.database().keep(all: items, insteadOf: other, at: now)
    } then: { [weak self] result in
      if case .success = result, let other { self?.letGoOf(other) }
      done(result)
      self?.didChangeList?()
    }
  }

  /// Marks an item as being sent, unless another item must be sent first.
  public func begin(
    _ item: OutboxItem, done: @escaping @MainActor @Sendable (Result<Begun, StoreError>) -> Void
  ) {
    let now = clock.now
    run("saving the outbox") { file throws(StoreError) in
      try file.database().begin(item, at: now)
    } then: {
      done($0)
    }
  }

  /// Deletes an item that became `qwink`. Reports false, and doesn't delete it, if another item became that qwink.
  public func remove(
    _ id: String, arrivedAs qwink: Qwink.ID, done: @escaping @MainActor @Sendable (Result<Bool, StoreError>) -> Void
  ) {
    let now = clock.now
    run("saving the outbox") { file throws(StoreError) in
      try file.database().remove(id, arrivedAs: qwink.rawValue, at: now)
    } then: { [weak self] result in
      if case .success(true) = result { self?.letGoOf(id) }
      done(result)
    }
  }

  /// Turns an item back into a draft and releases the outbox's hold. Other programs can then claim the draft, unless it
  /// is open in this program.
  public func makeDraft(
    of entry: OutgoingEntry, done: @escaping @MainActor @Sendable (Result<String, StoreError>) -> Void
  ) {
    holdOnce(entry.id)
    keep(entry, done: done)
    release(entry.id)
  }

  /// Claims a draft left by an identical command, until ``release(_:)`` is called.
  public func takeDraft(
    of command: GivenEntry, done: @escaping @MainActor @Sendable (OutgoingEntry?) -> Void
  ) {
    take(nil, where: { $0.given?.isSameCommand(as: command) ?? false }, done: done)
  }

  /// Claims a draft with the same content and purpose as `entry`, until ``release(_:)`` is called.
  public func takeEqual(to entry: OutgoingEntry, done: @escaping @MainActor @Sendable (OutgoingEntry?) -> Void) {
    take(entry.purpose, where: { $0.entry.saysSame(as: entry.entry) }, done: done)
  }

  private func take(
    _ purpose: String?, where isIt: @escaping @Sendable (OutgoingEntry) -> Bool,
    done: @escaping @MainActor @Sendable (OutgoingEntry?) -> Void
  ) {
    run("opening a draft") { file throws(StoreError) in
      try file.database().takeDraft(purpose, where: isIt).entry
    } then: { [weak self] result in
      let found = (try? result.get()) ?? nil
      if let found { self?.hold(found.id) }
      done(found)
    }
  }

  /// Adds a hold unless this program already has one.
  public func holdOnce(_ id: String) {
    if !isHeld(id) { hold(id) }
  }

  /// Returns the items in `directory` without drafts, claimed or not.
  nonisolated public static func items(in directory: String) throws(StoreError) -> [OutboxItem] {
    try OutgoingDatabase.items(in: directory).filter { $0.state != .draft }
  }
}
