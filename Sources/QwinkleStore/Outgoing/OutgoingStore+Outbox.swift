public import QwinkleModel
import Timekeeping

/// Methods for the items of the outbox. At most one program claims each item. This program reports the items of other
/// programs, but doesn't change them.
extension OutgoingStore {
  /// Outbox items that this program hadn't claimed before.
  public struct Items: Sendable {
    /// Items that no program had claimed. This program has claimed them now.
    public var taken: [OutboxItem] = []
    /// Items that other running programs have claimed.
    public var elsewhere: [OutboxItem] = []
  }

  /// Whether an item may be sent now.
  public enum Begun: Sendable {
    case mayGo
    /// Another item must be sent first, by this program or another.
    case mustWait
    /// The queued item to which this item replies no longer exists.
    case isOrphan
    /// Another program has claimed the item.
    case isElsewhere
  }

  /// Claims all unclaimed items. Reports nil if the file doesn't exist or can't be used.
  public func takeItems(done: @escaping @MainActor @Sendable (Items?, StoreError?) -> Void) {
    guard exists else { return done(nil, nil) }
    run("loading the outbox") { file throws(StoreError) in
      try file.database().takeItems()
    } then: { result in
      switch result {
      case .success(let items): done(items, nil)
      case .failure(let error): done(nil, error)
      }
    }
  }

  /// Saves an item, which replaces its draft, and removes `other` in the same transaction. Reports the saved item with
  /// its position, or nil if another program has claimed it.
  public func keep(
    _ item: OutboxItem, insteadOf other: String? = nil,
    done: @escaping @MainActor @Sendable (Result<OutboxItem?, StoreError>) -> Void
  ) {
    let now = clock.now
    noteSaving(item)
    let earlier = withhold(other, replacedBy: item.id)
    run("saving the outbox") { file throws(StoreError) in
      try file.database().keep(item, insteadOf: other, at: now)
    } then: { [weak self] result in
      if case .failure = result { self?.restore(earlier) }
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
    let earlier = withhold(other)
    run("saving the outbox") { file throws(StoreError) in
      try file.database().keep(all: items, insteadOf: other, at: now)
    } then: { [weak self] result in
      if case .failure = result { self?.restore(earlier) }
      if case .success = result, let other { self?.letGoOf(other) }
      done(result)
      self?.didChangeList?()
    }
  }

  /// Saves an item that the caller has marked as being sent, unless another item must be sent first or another program
  /// has claimed the item. Reports whether the item may be sent.
  public func begin(
    _ item: OutboxItem, done: @escaping @MainActor @Sendable (Result<Begun, StoreError>) -> Void
  ) {
    let now = clock.now
    run("saving the outbox", { file throws(StoreError) in try file.database().begin(item, at: now) }, then: done)
  }

  /// Deletes an item that has arrived at the server as `qwink`. If `qwink` is already recorded as the result of another
  /// item, reports false and doesn't delete the item.
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

  /// Turns an item back into a draft and releases the outbox's hold. A hold marks an entry as used by a part of this
  /// program. Unless another part holds the draft, other programs can then claim it.
  public func makeDraft(
    of entry: OutgoingEntry, done: @escaping @MainActor @Sendable (Result<String, StoreError>) -> Void
  ) {
    holdOnce(entry.id)
    keep(entry, done: done)
    release(entry.id)
  }

  /// Claims a draft that an earlier, identical command has left, and passes it to `done`; nil if no such draft is
  /// found. The claim lasts until the caller calls ``release(_:)``.
  public func takeDraft(
    of command: GivenEntry, done: @escaping @MainActor @Sendable (OutgoingEntry?) -> Void
  ) {
    take(nil, where: { $0.given?.isSameCommand(as: command) ?? false }, done: done)
  }

  /// Claims a draft with the same content and purpose as `entry`. The claim lasts until the caller calls
  /// ``release(_:)``.
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

  /// Adds a hold on an entry, unless a part of this program already holds the entry.
  public func holdOnce(_ id: String) {
    if !isHeld(id) { hold(id) }
  }

  /// Returns all outbox items in `directory`, claimed or not. Doesn't return drafts.
  nonisolated public static func items(in directory: String) throws(StoreError) -> [OutboxItem] {
    try OutgoingDatabase.items(in: directory).filter { $0.state != .draft }
  }
}
