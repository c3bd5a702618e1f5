import FoundationEssentials
public import QwinkleModel
import QwinkleService
public import QwinkleStore
import Timekeeping

/// What the server is to be told: posts, replies, edits, messages, deletions, reactions and follows. Each is on disk
/// before it is sent, with one attempt under way at a time, and leaves the outbox when it is known to have arrived.
/// What may have arrived is looked for before it is sent again, as some servers post twice what is sent twice.
///
/// Several programs can share it: each sends the items that it holds, and takes those of programs that have ended.
@MainActor
public final class Outbox {
  /// How often to look for items of other programs, at most.
  private static let reloadInterval = Duration.seconds(10)
  /// The wait for an item of another program that must go first.
  static let turnInterval: TimeInterval = 5

  let connection: AccountConnection
  let identity: Identity
  let timelines: Timelines
  let store: OutgoingStore?
  var queue = OutboxQueue()
  /// A number from 0 to 1 that differs from program to program. Tests replace it.
  public var jitter: @MainActor () -> Double = { Double.random(in: 0...1) }
  /// Qwinks that items became, in this run.
  var arrived: Set<Qwink.ID> = []
  /// Items sent once more under another key, as the server took them for equal ones.
  var sentAnew: Set<String> = []
  /// Searches for items that may have arrived, by item.
  var searches: [String: PostSearch] = [:]
  private var handlers: [OutboxItem.Kind: WeakHandler] = [:]
  private var conversations: WeakHandler?
  /// Entries whose writer waits for the outcome of the first attempt. If that is a refusal they are drafts again.
  var attended: Set<String> = []
  /// Entries that are drafts on disk while they are tried once: what a command sends.
  var once: Set<String> = []
  /// Items that couldn't be saved. They are sent all the same.
  var unsaved: Set<String> = []
  /// Items that can be looked for once it is known who I am.
  var needIdentity: Set<String> = []
  var timer: ProgramTimer?
  private var isStarted = false
  private var isLoading = false
  private var loadedAt: Duration?

  init(_ connection: AccountConnection, identity: Identity, timelines: Timelines, store: OutgoingStore?) {
    self.connection = connection
    self.identity = identity
    self.timelines = timelines
    self.store = store
  }

  func setHandler(_ handler: some OutboxHandler, of kinds: OutboxItem.Kind...) {
    for kind in kinds { handlers[kind] = WeakHandler(handler: handler) }
  }

  /// `handler` does what belongs to the messages of conversations.
  func setConversationHandler(_ handler: some OutboxHandler) { conversations = WeakHandler(handler: handler) }

  /// The handler of an item: for a message the conversations', unless a composer waits for its outcome.
  func handler(of item: OutboxItem) -> (any OutboxHandler)? {
    let isOfConversation = EntryPurpose.conversationWrittenIn(byKey: item.purpose) != nil
    return (isOfConversation && !attended.contains(item.id) ? conversations : handlers[item.kind])?.handler
  }

  // MARK: What is there

  /// All that waits, is under way or has failed, the one queued first first. Observers hear of changes.
  public var items: [OutboxItem] { queue.items }

  /// An item; nil if it was sent, or is a draft.
  public func item(_ id: String) -> OutboxItem? { queue[id] }

  /// How many items wait for the server, held ones not counted.
  public var waitingCount: Int {
    items.count { !$0.isHeld && ($0.state == .queued || $0.state == .uncertain || $0.state == .sending) }
  }

  /// Writes on their way to the server.
  var underWay: [UnderWay] { items.filter { queue.isBusy($0.id) }.map(\.underWay) }

  // MARK: Loading

  /// Loads what is there, sends it when its turn has come, and goes on doing so. Until then only what this program
  /// queues is known.
  public func start() {
    guard connection.isSignedIn, !isStarted else { return }
    isStarted = true
    reload()
  }

  /// Takes the items of programs that have ended, and looks at those of others.
  func reload() {
    guard isStarted else { return }
    guard let store, !isLoading else { return go() }
    isLoading = true
    loadedAt = connection.clock.uptime
    store.takeItems { [weak self] found, _ in
      guard let self else { return }
      isLoading = false
      if let found {
        let before = queue.items
        makeDrafts(of: found.taken.filter { $0.state == .undoable })
        for item in found.taken where item.state != .undoable && !queue.isBusy(item.id) {
          queue.takeOver(item, at: connection.clock.now)
          if queue[item.id] != item { save(item.id) }
        }
        queue.setElsewhere(found.elsewhere)
        if queue.items != before { didChange() }
      }
      go()
    }
  }

  /// The server has answered something, after a time without answers if `wasOffline`.
  func noteAnswer(wasOffline: Bool) {
    if wasOffline { queue.hasten() }
    if isStarted, loadedAt.map({ connection.clock.uptime - $0 >= Self.reloadInterval }) ?? true {
      reload()
    } else {
      go()
    }
  }

  /// Somebody has signed in again: what waited for that goes now.
  func noteSignedInAgain() {
    queue.hasten()
    go()
  }

  // MARK: What the user does

  /// Puts an item into the outbox, on disk too, and sends it when its turn has come. It takes the place of its own
  /// draft and of `other`. If `isAttended`, a refusal of the first attempt makes it a draft again. `saved` gets the
  /// error if it can't be saved: it is sent all the same, but would be lost if the program ended now.
  public func send(
    _ item: OutboxItem, insteadOf other: String? = nil, isAttended: Bool = false,
    saved: (@MainActor @Sendable (StoreError?) -> Void)? = nil
  ) {
    guard !queue.isBusy(item.id) else { return }
    let item = current(item)
    if isAttended { attended.insert(item.id) }
    queue.put(item)
    queue.begin(item.id)
    didChange()
    guard let store else {
      queue.pause(item.id, until: item.nextAttempt)
      saved?(nil)
      return go()
    }
    store.hold(item.id)
    store.keep(item, insteadOf: other) { [weak self] result in
      guard let self else { return }
      queue.pause(item.id, until: item.nextAttempt)
      switch result {
      case .success(let kept?):
        if var now = queue[item.id] {
          now.position = kept.position
          queue.put(now)
        }
        saved?(nil)
      case .success(nil):
        // Another program has changed the draft: store both. The item may have changed too, or have been removed.
        guard let now = queue[item.id] else { return }
        let wasAttended = attended.contains(item.id)
        drop(item.id)
        return send(now.renamed(), insteadOf: other, isAttended: wasAttended, saved: saved)
      case .failure(let error):
        unsaved.insert(item.id)
        saved?(error)
      }
      didChange()
      go()
      tellIfWaiting(item.id)
    }
  }

  /// Tries once to send an entry, without waiting for others. Until it has arrived it is a draft on disk, so that
  /// nothing sends it later. `saved` gets the error if it can't be saved.
  func sendOnce(_ item: OutboxItem, saved: @escaping @MainActor @Sendable (StoreError?) -> Void) {
    let item = current(item)
    guard let entry = item.entry else { return }
    attended.insert(item.id)
    once.insert(item.id)
    queue.put(item)
    queue.begin(item.id)
    guard let store else {
      saved(nil)
      return attempt(item.id)
    }
    store.holdOnce(item.id)
    store.keep(entry.asDraft) { [weak self] result in
      if case .failure(let error) = result {
        self?.unsaved.insert(item.id)
        saved(error)
      } else {
        saved(nil)
      }
      self?.attempt(item.id)
    }
  }

  func attempt(_ id: String) {
    guard let item = queue[id] else { return }
    if item.entry?.isOpen == true {
      resolve(id)
    } else if item.isDoubtful {
      look(for: id)
    } else {
      begin(id)
    }
  }

  /// Tells the writer of an entry that others go first.
  func tellIfWaiting(_ id: String) {
    guard let item = queue[id], !queue.isBusy(id), attended.contains(id) else { return }
    let handler = handler(of: item)
    attended.remove(id)
    store?.holdAlone(id)
    handler?.outbox(self, didNotSend: item, .waits(nil), isAttended: true)
  }

  /// Holds an item until ``release(_:)``. What is being sent can't be held.
  public func hold(_ id: String) { set(id) { $0.isHeld = true } }

  /// Lets a held item be sent.
  public func release(_ id: String) { set(id) { $0.isHeld = false } }

  /// Sends an item now, whatever it waits for by time. A failed one is tried again, after it was looked for if it may
  /// have arrived.
  public func sendNow(_ id: String) {
    set(id) { item in
      item.isHeld = false
      item.nextAttempt = nil
      if item.state == .failed { item.state = item.isDoubtful ? .uncertain : .queued }
    }
  }

  private func set(_ id: String, _ body: (inout OutboxItem) -> Void) {
    guard mayChange(id) else { return }
    queue.change(id) { $0.endUndoable() }
    queue.change(id, body)
    save(id)
    didChange()
    go()
  }

  /// Replaces a change that has not been sent. One that is being saved is saved again before it is sent.
  func replace(_ id: String, by change: OutgoingChange) {
    queue.change(id) { $0.content = .change(change) }
    if !queue.isBusy(id) { save(id) }
    didChange()
  }

  /// Removes a change that has not been sent.
  func withdraw(_ id: String) {
    drop(id)
    store?.forget(id)
    didChange()
    go()
  }

  /// Whether the user can change an item now: no request for it is under way, and no other program has it.
  public func mayChange(_ id: String) -> Bool {
    guard let item = queue[id] else { return false }
    return !item.isElsewhere && !queue.isBusy(id) && item.state != .sending
  }

  /// Deletes an item, unless it can't be changed now. It may have arrived if it is uncertain. One that can't be deleted
  /// from the disk comes back, held, or another program might send it: `failed` gets the error then.
  public func discard(_ id: String, failed: (@MainActor @Sendable (StoreError) -> Void)? = nil) {
    guard mayChange(id), let item = queue[id] else { return }
    drop(id)
    store?.forget(id) { [weak self] error in
      guard let error else { return }
      self?.takeBack(item, because: error)
      failed?(error)
    }
    handler(of: item)?.outbox(self, didDiscard: item)
    didChange()
    go()
  }

  private func takeBack(_ item: OutboxItem, because error: StoreError) {
    guard queue[item.id] == nil else { return }
    var item = item
    item.isHeld = true
    item.reason = error.sentence
    queue.put(item)
    store?.hold(item.id)
    save(item.id)
    didChange()
  }

  /// Makes an entry a draft again. `done` gets it once it is saved; the next composer for its purpose finds it. Nil:
  /// it can't be changed now, or is no entry.
  public func edit(_ id: String, done: @escaping @MainActor @Sendable (OutgoingEntry?) -> Void) {
    guard mayChange(id), let entry = queue[id]?.entry?.asDraft else { return done(nil) }
    drop(id)
    makeDraft(entry) { done(entry) }
    didChange()
    go()
  }

  func makeDraft(_ entry: OutgoingEntry, done: (@MainActor @Sendable () -> Void)? = nil) {
    guard let store else {
      done?()
      return
    }
    store.makeDraft(of: entry) { _ in done?() }
  }

  /// Forgets an item that was removed from the disk together with what took its place.
  func forget(_ id: String) {
    drop(id)
    didChange()
    go()
  }

  /// Has an entry that failed reply to nothing, until it is sent again.
  func dropParent(of id: String) {
    queue.change(id) { $0.entry?.sent?.inReplyTo = nil }
    save(id)
  }

  func drop(_ id: String) {
    queue.remove(id)
    attended.remove(id)
    unsaved.remove(id)
    once.remove(id)
    searches[id] = nil
    sentAnew.remove(id)
  }

  func didChange() {
    connection.observers.forEach { $0.outboxDidChange(self) }
    connection.noteUnderWay()
  }
}

extension Outbox: AccountObserver {
  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    replaceID(id, by: qwink.originalID)
  }

  /// What may have arrived can be looked for now.
  public func identityDidChange(_ identity: Identity) {
    for item in items where needIdentity.contains(item.id) { queue.pause(item.id, until: nil) }
    needIdentity = []
    go()
  }
}
