public import QwinkleModel
import Timekeeping

/// The items of the outbox. Each is saved under the program that holds it; the others are told of, and left alone.
extension OutgoingStore {
  /// What the outbox has in it that this program didn't hold before.
  public struct Items: Sendable {
    /// Items that nobody held. This program holds them now.
    public var taken: [OutboxItem] = []
    /// Items of other running programs.
    public var elsewhere: [OutboxItem] = []
  }

  /// Whether an item may be sent now.
  public enum Begun: Sendable {
    case mayGo
    /// Another item must go first, of this program or another.
    case mustWait
    /// The item that it replies to is gone.
    case isOrphan
    /// Another program has it now.
    case isElsewhere
  }

  /// Takes the items that nobody holds. Reports nil if there is no file, or it can't be used.
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

  /// Saves an item, which takes the place of its draft or of `other`. Reports it with its position; nil if another
  /// program has it now.
  public func keep(
    _ item: OutboxItem, insteadOf other: String? = nil,
    done: @escaping @MainActor @Sendable (Result<OutboxItem?, StoreError>) -> Void
  ) {
    let now = clock.now
    run("saving the outbox") { file throws(StoreError) in
      try file.database().keep(item, insteadOf: other, at: now)
    } then: { [weak self] result in
      self?.noteKept(item, insteadOf: other, result)
      done(result)
    }
  }

  /// Saves new items in place of the draft `other`, all or nothing. Reports them with their positions.
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

  /// Notes that an item is being sent, unless another must go first.
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

  /// Deletes an item, as it became `qwink`. Reports false if that is what another item became: then the item stays.
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

  /// Makes an item a draft again, and ends the outbox's hold: others can take the draft, unless its writer holds it.
  public func makeDraft(
    of entry: OutgoingEntry, done: @escaping @MainActor @Sendable (Result<String, StoreError>) -> Void
  ) {
    holdOnce(entry.id)
    keep(entry, done: done)
    release(entry.id)
  }

  /// Claims the draft that an equal command has left. It stays held until ``release(_:)``.
  public func takeDraft(
    of command: GivenEntry, done: @escaping @MainActor @Sendable (OutgoingEntry?) -> Void
  ) {
    take(nil, where: { $0.given?.isSameCommand(as: command) ?? false }, done: done)
  }

  /// Takes a draft that says the same as `entry`, for the same purpose. It stays held until ``release(_:)``.
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

  /// Holds what no part of this program holds.
  public func holdOnce(_ id: String) {
    if !isHeld(id) { hold(id) }
  }

  /// The items in `directory`, whoever holds them, without drafts.
  nonisolated public static func items(in directory: String) throws(StoreError) -> [OutboxItem] {
    try OutgoingDatabase.items(in: directory).filter { $0.state != .draft }
  }
}
