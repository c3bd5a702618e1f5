import FoundationEssentials
public import QwinkleModel
import QwinkleService
public import QwinkleStore
import Timekeeping

/// Does what belongs to the items of a kind.
@MainActor
protocol OutboxHandler: AnyObject {
  /// The item as it is to be sent now.
  func outbox(_ outbox: Outbox, willSend item: OutboxItem) -> OutboxItem
  /// The server has done what an item says.
  func outbox(_ outbox: Outbox, didSend item: OutboxItem, as answer: OutboxAnswer)
  /// An item was not sent. It stays in the outbox unless it was refused. `isAttended`: its writer waits for this.
  func outbox(_ outbox: Outbox, didNotSend item: OutboxItem, _ ending: OutboxEnding, isAttended: Bool)
  /// An item was discarded.
  func outbox(_ outbox: Outbox, didDiscard item: OutboxItem)
  /// A qwink that an item replies to is gone.
  func outbox(_ outbox: Outbox, didMiss id: Qwink.ID)
}

extension OutboxHandler {
  func outbox(_ outbox: Outbox, willSend item: OutboxItem) -> OutboxItem { item }
  func outbox(_ outbox: Outbox, didDiscard item: OutboxItem) {}
  func outbox(_ outbox: Outbox, didMiss id: Qwink.ID) {}
}

/// What the server answered to an item.
enum OutboxAnswer {
  case qwink(Qwink)
  case relationship(Relationship)
  case none
}

/// How sending an item ended without success.
enum OutboxEnding {
  /// It waits, and is sent again by itself.
  case waits(DownloadError?)
  /// It is refused. Nothing more happens by itself.
  case refused(DownloadError)
  /// It may have arrived, and nobody can say.
  case notLookedFor(DownloadError)
  /// An earlier text of it had arrived. This one was not sent.
  case arrivedBefore(Qwink)
}

/// What the server is to be told: posts, replies, edits, messages, deletions, reactions and follows. Each is on disk
/// before it is sent, with one attempt under way at a time, and leaves the outbox when it is known to have arrived. What
/// may have arrived is looked for before it is sent again, as some servers post twice what is sent twice.
///
/// Several programs can share it: each sends the items that it holds, and takes those of programs that have ended.
@MainActor
public final class Outbox {
  /// How often to look for items of other programs, at most.
  private static let reloadInterval = Duration.seconds(10)
  /// The wait for an item of another program that must go first.
  private static let turnInterval: TimeInterval = 5

  let connection: AccountConnection
  let identity: Identity
  let timelines: Timelines
  let store: OutgoingStore?
  var queue = OutboxQueue()
  /// A number from 0 to 1 that differs from program to program. Tests replace it.
  public var jitter: @MainActor () -> Double = { Double.random(in: 0...1) }
  /// Qwinks that items became, in this run.
  var arrived: Set<Qwink.ID> = []
  /// Searches for items that may have arrived, by item.
  var searches: [String: PostSearch] = [:]
  private var handlers: [OutboxItem.Kind: WeakHandler] = [:]
  private var conversations: WeakHandler?
  /// Entries whose writer waits for the outcome of the first attempt. If that is a refusal they are drafts again.
  private var attended: Set<String> = []
  /// Entries that are drafts on disk while they are tried once: what a command sends.
  private var once: Set<String> = []
  /// Items that couldn't be saved. They are sent all the same.
  private var unsaved: Set<String> = []
  /// Items that can be looked for once it is known who I am.
  var needIdentity: Set<String> = []
  private var timer: ProgramTimer?
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

  func handler(of item: OutboxItem) -> (any OutboxHandler)? {
    let isOfConversation = EntryPurpose.conversationWrittenIn(byKey: item.purpose) != nil
    return (isOfConversation ? conversations : handlers[item.kind])?.handler
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
        for item in found.taken where !queue.isBusy(item.id) {
          queue.takeOver(item, at: connection.clock.now)
          if queue[item.id] != item { save(item.id) }
        }
        queue.setElsewhere(found.elsewhere)
        didChange()
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

  // MARK: What the user does

  /// Puts an item into the outbox, on disk too, and sends it when its turn has come. It takes the place of its own draft
  /// and of `other`. If `isAttended`, a refusal of the first attempt makes it a draft again. `saved` gets the error if it
  /// can't be saved: it is sent all the same, but would be lost if the program ended now.
  public func send(
    _ item: OutboxItem, insteadOf other: String? = nil, isAttended: Bool = false,
    saved: (@MainActor @Sendable (StoreError?) -> Void)? = nil
  ) {
    guard !queue.isBusy(item.id) else { return }
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
        // Another program has changed its draft: both are kept.
        let wasAttended = attended.contains(item.id)
        drop(item.id)
        return send(item.renamed(), insteadOf: other, isAttended: wasAttended, saved: saved)
      case .failure(let error):
        unsaved.insert(item.id)
        saved?(error)
      }
      didChange()
      go()
      tellIfWaiting(item.id)
    }
  }

  /// Tries once to send an entry, without waiting for others. Until it has arrived it is a draft on disk, so that nothing
  /// sends it later. `saved` gets the error if it can't be saved.
  func sendOnce(_ item: OutboxItem, saved: @escaping @MainActor @Sendable (StoreError?) -> Void) {
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

  private func attempt(_ id: String) {
    guard let item = queue[id] else { return }
    if item.isDoubtful { look(for: id) } else { begin(id) }
  }

  /// Tells the writer of an entry that others go first.
  private func tellIfWaiting(_ id: String) {
    guard let item = queue[id], !queue.isBusy(id), attended.remove(id) != nil else { return }
    store?.holdAlone(id)
    handler(of: item)?.outbox(self, didNotSend: item, .waits(nil), isAttended: true)
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

  /// Deletes an item, unless it can't be changed now. It may have arrived if it is uncertain.
  public func discard(_ id: String) {
    guard mayChange(id), let item = queue[id] else { return }
    drop(id)
    store?.forget(id)
    handler(of: item)?.outbox(self, didDiscard: item)
    didChange()
    go()
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

  private func makeDraft(_ entry: OutgoingEntry, done: (@MainActor @Sendable () -> Void)? = nil) {
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

  private func drop(_ id: String) {
    queue.remove(id)
    attended.remove(id)
    unsaved.remove(id)
    once.remove(id)
    searches[id] = nil
  }

  // MARK: Sending

  /// Sends or looks for all whose turn has come.
  func go() {
    guard connection.isSignedIn else { return }
    for item in queue.ready(at: connection.clock.now) {
      // One may have changed the turn of the next.
      guard queue.ready(at: connection.clock.now).contains(where: { $0.id == item.id }) else { continue }
      queue.begin(item.id)
      attempt(item.id)
    }
    schedule()
  }

  private func schedule() {
    let now = connection.clock.now
    timer = queue.nextAttempt(after: now).map { date in
      let wait = Duration.milliseconds(Int64((date.timeIntervalSince(now) * 1000).rounded(.up)))
      return connection.clock.schedule(after: wait) { [weak self] in self?.go() }
    }
  }

  /// Notes on disk that an item may have arrived from now on, then sends it.
  func begin(_ id: String) {
    guard let queued = queue[id] else { return }
    searches[id] = nil
    var item = handler(of: queued)?.outbox(self, willSend: queued) ?? queued
    item.state = .sending
    if item.kind != .edit, var entry = item.entry, let sent = entry.sent {
      if !entry.attempts.contains(where: { $0.entry.idempotencyKey == sent.idempotencyKey }) {
        let now = connection.clock.now
        entry.attempts.append(
          .init(entry: sent, at: now, serverDate: connection.serverDate(at: now), known: timelines.ownIDs))
      }
      item.entry = entry
    }
    queue.put(item)
    guard let store, !unsaved.contains(id) else { return request(item) }
    if once.contains(id), let entry = item.entry {
      return store.keep(entry.asDraft) { [weak self] _ in self?.request(item) }
    }
    store.begin(item) { [weak self] result in
      guard let self, queue[id] != nil else { return }
      if case .success(.mayGo) = result { return request(item) }
      queue.put(queued)
      switch result {
      case .success(.mayGo): break
      case .success(.mustWait):
        queue.pause(id, until: connection.clock.now.addingTimeInterval(Self.turnInterval))
        reload()
      case .success(.isOrphan):
        queue.end(id, .refused(reason: Self.orphanReason), at: connection.clock.now, jitter: 0)
        save(id)
      case .success(.isElsewhere):
        drop(id)
        reload()
      case .failure(let error):
        queue.change(id) { $0.reason = error.sentence }
        queue.pause(id, until: connection.clock.now.addingTimeInterval(OutboxQueue.firstWait))
      }
      didChange()
      go()
    }
  }

  private static let orphanReason = "What this replies to was discarded."

  private func request(_ item: OutboxItem) {
    didChange()
    ask(for: item) { [weak self] result in
      guard let self, let item = queue[item.id] else { return }
      switch result {
      case .success(let answer): didSend(item, as: answer)
      case .failure(let error): didFail(item, with: error)
      }
    }
  }

  /// Ends an item that the server has done. `isFound`: it was found among my qwinks, where it may be an equal one.
  func didSend(_ item: OutboxItem, as answer: OutboxAnswer, isFound: Bool = false) {
    guard case .qwink(let qwink) = answer, item.entry != nil, item.kind != .edit else {
      store?.forget(item.id)
      return finish(item, as: answer)
    }
    guard let store, !unsaved.contains(item.id) else {
      guard arrived.insert(qwink.id).inserted else { return sendAnew(item, isFound: isFound) }
      store?.forget(item.id)
      store?.noteArrived(qwink.id)
      return finish(item, as: answer)
    }
    store.remove(item.id, arrivedAs: qwink.id) { [weak self] result in
      guard let self else { return }
      arrived.insert(qwink.id)
      if case .success(false) = result { return sendAnew(item, isFound: isFound) }
      finish(item, as: answer)
    }
  }

  private func finish(_ item: OutboxItem, as answer: OutboxAnswer) {
    let waiting = items.filter { $0.waitsFor == item.id && !$0.isElsewhere }
    drop(item.id)
    if case .qwink(let qwink) = answer {
      for waiting in waiting { queue.change(waiting.id) { $0.reply(to: qwink.id) } }
    }
    handler(of: item)?.outbox(self, didSend: item, as: answer)
    didChange()
    go()
  }

  /// Goes on with an item whose qwink is what another, equal item became. If the server took it for that one, it is sent
  /// under another key; if it was only found, it is looked for again.
  private func sendAnew(_ item: OutboxItem, isFound: Bool) {
    queue.pause(item.id, until: nil)
    queue.change(item.id) { item in
      item.state = item.isDoubtful ? .uncertain : .queued
      guard !isFound else { return }
      item.state = .queued
      item.entry?.attempts = []
      item.entry?.sent?.idempotencyKey = UUID().uuidString
    }
    save(item.id)
    didChange()
    go()
  }

  private func didFail(_ item: OutboxItem, with error: DownloadError) {
    if item.kind != .edit, let key = item.entry?.sent?.idempotencyKey {
      queue.change(item.id) { $0.entry?.noteFailure(error, ofKey: key) }
    }
    end(item.id, error.outboxFailure(isRepeatable: item.entry == nil || item.kind == .edit), .of(error))
  }

  /// Ends an attempt without success.
  func end(_ id: String, _ failure: OutboxQueue.Failure, _ ending: OutboxEnding) {
    queue.end(id, failure, at: connection.clock.now, jitter: jitter())
    searches[id] = nil
    guard let item = queue[id] else { return }
    let wasAttended = attended.remove(id) != nil
    if once.contains(id) || (item.state == .failed && (item.change != nil || wasAttended)) {
      drop(id)
      if let entry = item.entry {
        makeDraft(entry.asDraft)
      } else {
        store?.forget(id)
      }
    } else {
      save(id)
      // Whoever wrote it need not have it open any longer.
      if wasAttended { store?.holdAlone(id) }
    }
    handler(of: item)?.outbox(self, didNotSend: item, ending, isAttended: wasAttended)
    if item.state == .failed, queue[id] != nil {
      connection.observers.forEach { $0.outbox(self, didFail: item) }
    } else if item.change != nil, item.attemptCount == 1, case .waits(let error?) = ending {
      connection.observers.forEach { $0.outbox(self, didQueue: item, after: error) }
    }
    didChange()
    go()
  }

  /// Saves an item's state.
  func save(_ id: String) {
    guard let store, let item = queue[id], !item.isElsewhere, !once.contains(id) else { return }
    store.keep(item) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let kept?):
        unsaved.remove(id)
        if queue[id]?.position == 0 {
          queue.change(id) { $0.position = kept.position }
        }
      case .success(nil):
        // Another program has it.
        guard !queue.isBusy(id) else { return }
        drop(id)
        reload()
      case .failure: break
      }
    }
  }

  func didChange() {
    connection.observers.forEach { $0.outboxDidChange(self) }
    connection.noteUnderWay()
  }
}

extension Outbox: AccountObserver {
  /// What may have arrived can be looked for now.
  public func identityDidChange(_ identity: Identity) {
    for item in items where needIdentity.contains(item.id) { queue.pause(item.id, until: nil) }
    needIdentity = []
    go()
  }
}

private struct WeakHandler {
  weak var handler: (any OutboxHandler)?
}
