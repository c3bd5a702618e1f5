import FoundationEssentials
public import QwinkleModel
import QwinkleService
public import QwinkleStore
import Timekeeping

/// Pending changes to send to the server: posts, replies, edits, messages, deletions, reactions and follows.
///
/// An item is saved before it is sent, has at most one attempt in progress, and is removed once its arrival is
/// confirmed. An item that may have arrived is searched for before it is sent again, because some servers would post it
/// twice.
///
/// Several programs can share the outbox. Each program sends its own items and adopts the items of programs that have
/// exited.
@MainActor
public final class Outbox {
  /// Minimum time between checks for items of other programs.
  private static let reloadInterval = Duration.seconds(10)
  /// Delay before an item is tried again when another program's item must be sent first.
  static let turnInterval: TimeInterval = 5

  let connection: AccountConnection
  let identity: Identity
  let timelines: Timelines
  let store: OutgoingStore?
  var queue = OutboxQueue()
  /// Requests in progress.
  var downloads: [DownloadIdentifier: Download] = [:]
  /// A random number from 0 to 1 that differs between programs and varies the time of retries. Tests replace it.
  public var jitter: @MainActor () -> Double = { Double.random(in: 0...1) }
  /// Qwinks posted from items during this run.
  var arrived: Set<Qwink.ID> = []
  /// Items sent again under another key, because the server had returned the qwink of an equal item.
  var sentAnew: Set<String> = []
  /// Searches for items that may have arrived, by item id.
  var searches: [String: PostSearch] = [:]
  private var handlers: [OutboxItem.Kind: WeakHandler] = [:]
  private var conversations: WeakHandler?
  /// Entries whose writer waits for the outcome of the first attempt. If the server rejects such an entry, it becomes a
  /// draft again.
  var attended: Set<String> = []
  /// Entries that a command tries to send once. They are saved as drafts during the attempt.
  var once: Set<String> = []
  /// Items that couldn't be saved. They are sent anyway.
  var unsaved: Set<String> = []
  /// Items that can be searched for only after the user's account has loaded.
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

  /// Sets the handler of messages written in conversations.
  func setConversationHandler(_ handler: some OutboxHandler) { conversations = WeakHandler(handler: handler) }

  /// Returns the handler of an item. A message in a conversation has the conversation handler, unless a composer waits
  /// for its outcome.
  func handler(of item: OutboxItem) -> (any OutboxHandler)? {
    let isOfConversation = if case .conversation? = item.entry?.kind { true } else { false }
    return (isOfConversation && !attended.contains(item.id) ? conversations : handlers[item.kind])?.handler
  }

  // MARK: Items

  /// All items, oldest first, including failed items, items that can still be undone, and the items of other programs.
  /// Observers are notified of changes.
  public var items: [OutboxItem] { queue.items }

  /// Returns an item, or nil if it was sent or is a draft.
  public func item(_ id: String) -> OutboxItem? { queue[id] }

  /// Number of items waiting for the server, excluding items on hold.
  public var waitingCount: Int {
    items.count { !$0.isHeld && ($0.state == .queued || $0.state == .uncertain || $0.state == .sending) }
  }

  /// Writes in progress.
  var inProgress: [WriteKind] { items.filter { queue.isBusy($0.id) }.map(\.writeKind) }

  // MARK: Loading

  /// Loads the saved items and schedules them. Before that, the outbox contains only items queued by this program.
  public func start() {
    guard connection.isSignedIn, !isStarted else { return }
    isStarted = true
    reload()
  }

  /// Adopts the items of programs that have ended, and updates the list of other programs' items.
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
          queue.adopt(item, at: connection.clock.now)
          if queue[item.id] != item { save(item.id) }
        }
        queue.setElsewhere(found.elsewhere)
        if queue.items != before { didChange() }
      }
      go()
    }
  }

  /// Called when the server has responded. `wasOffline` is true if earlier requests got no response.
  func noteAnswer(wasOffline: Bool) {
    if wasOffline { queue.hasten() }
    if isStarted, loadedAt.map({ connection.clock.uptime - $0 >= Self.reloadInterval }) ?? true {
      reload()
    } else {
      go()
    }
  }

  /// Called when the user has signed in again. Sends the items that waited for the sign-in.
  func noteSignedInAgain() {
    queue.hasten()
    go()
  }

  // MARK: Actions of the user

  /// Adds an item to the outbox, saves it, and schedules it. The item replaces its own draft and the draft `other`. If
  /// `isAttended` is true and the server rejects the first attempt, the item becomes a draft again. If the item can't
  /// be saved, `saved` receives the error; the item is sent anyway, but would be lost if the program exited. Does
  /// nothing if the item is already being saved or sent.
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
      case .success(let stored?):
        if var now = queue[item.id] {
          now.position = stored.position
          queue.put(now)
        }
        saved?(nil)
      case .success(nil):
        // Another program has changed the draft in the meantime: store both. This item may have changed too, or have
        // been removed.
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

  /// Tries once to send an entry, without waiting for other items. Until the entry has arrived, it is saved as a draft,
  /// so that it isn't sent later. `saved` receives nil, or the error if the entry can't be saved.
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

  /// Notifies an entry's writer if other items must be sent first.
  func tellIfWaiting(_ id: String) {
    guard let item = queue[id], !queue.isBusy(id), attended.contains(id) else { return }
    let handler = handler(of: item)
    attended.remove(id)
    store?.holdAlone(id)
    handler?.outbox(self, didNotSend: item, .waits(nil), isAttended: true)
  }

  /// Prevents an item from being sent until ``release(_:)`` is called. Has no effect on an item that is already being
  /// sent.
  public func hold(_ id: String) { set(id) { $0.isHeld = true } }

  /// Releases an item that is on hold.
  public func release(_ id: String) { set(id) { $0.isHeld = false } }

  /// Sends an item now, without waiting for the time of its next attempt. Retries a failed item, after a search if it
  /// may have arrived.
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

  /// Replaces a change that hasn't been sent. A busy item isn't saved now, because it is saved again before it is sent.
  func replace(_ id: String, by change: OutgoingChange) {
    queue.change(id) { $0.content = .change(change) }
    if !queue.isBusy(id) { save(id) }
    didChange()
  }

  /// Removes a change that hasn't been sent.
  func withdraw(_ id: String) {
    drop(id)
    store?.forget(id)
    didChange()
    go()
  }

  /// Whether the user can change an item now: no request for it is in progress, and no other program has claimed it.
  public func mayChange(_ id: String) -> Bool {
    guard let item = queue[id] else { return false }
    return !item.isElsewhere && !queue.isBusy(id) && item.state != .sending
  }

  /// Deletes an item, unless it can't be changed now. The server may already have received an uncertain item. If the
  /// item can't be deleted from disk, another program might send it. The item is then restored and put on hold, and
  /// `failed` receives the error.
  public func discard(_ id: String, failed: (@MainActor @Sendable (StoreError) -> Void)? = nil) {
    guard mayChange(id), let item = queue[id] else { return }
    drop(id)
    store?.forget(id) { [weak self] error in
      guard let error else { return }
      self?.revert(item, because: error)
      failed?(error)
    }
    handler(of: item)?.outbox(self, didDiscard: item)
    didChange()
    go()
  }

  private func revert(_ item: OutboxItem, because error: StoreError) {
    guard queue[item.id] == nil else { return }
    var item = item
    item.isHeld = true
    item.reason = error.sentence
    queue.put(item)
    store?.hold(item.id)
    save(item.id)
    didChange()
  }

  /// Turns an entry into a draft again. `done` receives the draft after it was saved. The next composer with the same
  /// purpose, such as a reply to the same qwink, opens this draft. `done` receives nil if the item can't be changed now
  /// or isn't an entry.
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

  /// Removes an item from memory. Its replacement has already removed it from disk.
  func forget(_ id: String) {
    drop(id)
    didChange()
    go()
  }

  /// Removes the parent's id from a failed message in a conversation. A retry then replies to the conversation's last
  /// message that still exists.
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
    connection.noteInProgress()
  }
}

extension Outbox: AccountObserver {
  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    replaceID(id, by: qwink.originalID)
  }

  /// Resumes the searches that had to wait for the user's account.
  public func identityDidChange(_ identity: Identity) {
    for item in items where needIdentity.contains(item.id) { queue.pause(item.id, until: nil) }
    needIdentity = []
    go()
  }
}
