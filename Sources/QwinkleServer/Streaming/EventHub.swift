import LibC
import Synchronization

/// Sends events to listeners in the order in which they were committed. A write only adds its event to a queue. A
/// single task processes the queue later, outside transactions.
final class EventHub: Sendable {
  typealias ID = Int

  /// A connection that receives events.
  struct Listener: Sendable {
    let listening: Listening
    var streams: Set<StreamChannel>
    /// Sends a message without blocking. Called by one task at a time.
    let deliver: @Sendable (StreamMessage) -> Void
    /// Closes the connection because its token was revoked or it may have missed an event.
    let end: @Sendable () -> Void
    /// Returns when the messages passed to ``deliver`` have been handled.
    var settle: @Sendable () async -> Void = {}

    fileprivate func place(of stream: StreamChannel) -> StreamIndex.Place {
      StreamIndex.Place(viewer: listening.viewer, stream: stream)
    }
  }

  private struct State {
    var listeners: [ID: Listener] = [:]
    var index = StreamIndex()
    var lastID = 0
    var events: [ServiceEvent] = []
    var isWorking = false
  }

  /// Maximum number of queued events. It is only reached if the database can't be read for a long time. The next event
  /// then empties the queue and closes all connections, and clients fetch the missed items.
  private static let mostWaiting = 10_000
  private static let mostAtOnce = 100
  /// Number of connections that receive a message before waiting requests get a turn. Sending to one connection takes
  /// about 30 µs.
  private static let connectionsAtOnce = 32
  /// Maximum number of streams per connection.
  static let mostStreams = 100

  private let state = Mutex(State())
  private let count = Atomic(0)

  var listenerCount: Int { count.load(ordering: .relaxed) }

  func add(_ listener: Listener) -> ID {
    state.withLock { state in
      state.lastID += 1
      let id = state.lastID
      var listener = listener
      listener.streams = Set(listener.streams.map { state.index.insert(id, at: listener.place(of: $0)) })
      state.listeners[id] = listener
      count.store(state.listeners.count, ordering: .relaxed)
      return id
    }
  }

  /// Adds a stream to a listener. Does nothing if the listener already has the stream or was removed.
  ///
  /// - Throws: ``Refusal`` if the listener or its client has too many streams.
  func subscribe(_ id: ID, to stream: StreamChannel) throws(Refusal) {
    try state.withLock { (state) throws(Refusal) in
      guard var listener = state.listeners[id], !listener.streams.contains(stream) else { return }
      let count = listener.streams.count + 1
      guard count <= Self.mostStreams else { throw Refusal.tooManyStreams }
      try listener.listening.subscriptions?.resize(to: count)
      listener.streams.insert(state.index.insert(id, at: listener.place(of: stream)))
      state.listeners[id] = listener
    }
  }

  func unsubscribe(_ id: ID, from stream: StreamChannel) {
    state.withLock { state in
      guard var listener = state.listeners[id], listener.streams.remove(stream) != nil else { return }
      state.index.remove(id, from: listener.place(of: stream))
      try? listener.listening.subscriptions?.resize(to: listener.streams.count)
      state.listeners[id] = listener
    }
  }

  func remove(_ id: ID) {
    state.withLock { state in
      guard let listener = state.listeners.removeValue(forKey: id) else { return }
      for stream in listener.streams { state.index.remove(id, from: listener.place(of: stream)) }
      listener.listening.subscriptions?.release()
      count.store(state.listeners.count, ordering: .relaxed)
    }
  }

  /// Returns the listeners that subscribe to `stream` and belong to the account `viewer`, or are signed out if `viewer`
  /// is nil.
  func listeners(of viewer: Int64?, at stream: StreamChannel) -> [Listener] {
    state.withLock { state in
      state.index.listeners(at: StreamIndex.Place(viewer: viewer, stream: stream)).compactMap { state.listeners[$0] }
    }
  }

  /// Queues an event, unless there are no listeners. Called after the event is committed, in the order of commits.
  func publish(_ event: ServiceEvent, _ service: Service) {
    guard listenerCount > 0 else { return }
    let (isFirst, lagging) = state.withLock { state -> (Bool, [Listener]) in
      var lagging: [Listener] = []
      if state.events.count >= Self.mostWaiting {
        state.events = []
        lagging = Array(state.listeners.values)
      }
      state.events.append(event)
      defer { state.isWorking = true }
      return (!state.isWorking, lagging)
    }
    for listener in lagging { listener.end() }
    if isFirst { Task { await work(service) } }
  }

  @concurrent
  private func work(_ service: Service) async {
    while true {
      let (events, accounts) = state.withLock { state in
        let next = Array(state.events.prefix(Self.mostAtOnce))
        state.events.removeFirst(next.count)
        if next.isEmpty { state.isWorking = false }
        return (next, state.index.accounts)
      }
      if events.isEmpty { return }
      guard let items = await service.streamItems(of: events, for: accounts) else {
        endAll()
        continue
      }
      await send(items, service)
    }
  }

  private func send(_ items: [StreamItem], _ service: Service) async {
    let shared = SharedMessages()
    for (viewer, streams) in audiences(of: items) {
      if let posts = await service.posts(about: items, at: streams, for: viewer, shared: shared) {
        for post in posts { await deliver(post, to: viewer) }
      } else {
        for stream in Set(streams.values.joined()) {
          for listener in listeners(of: viewer, at: stream) { listener.end() }
        }
      }
    }
  }

  /// Returns the streams that each item possibly belongs to. The result is keyed by the listening account, which is nil
  /// for signed-out listeners, and then by the item's position. Streams without listeners are omitted.
  private func audiences(of items: [StreamItem]) -> [Int64?: [Int: Set<StreamChannel>]] {
    state.withLock { state in
      var audiences: [Int64?: [Int: Set<StreamChannel>]] = [:]
      for (position, item) in items.enumerated() {
        for place in state.index.places(for: item) {
          audiences[place.viewer, default: [:]][position, default: []].insert(place.stream)
        }
      }
      return audiences
    }
  }

  private func deliver(_ post: StreamPost, to viewer: Int64?) async {
    let message = post.message
    var count = 0
    for listener in listeners(of: viewer, at: post.stream) {
      if post.isNotification, !listener.listening.hearsNotifications { continue }
      listener.deliver(message)
      count += 1
      if count.isMultiple(of: Self.connectionsAtOnce) { await listener.settle() }
    }
  }

  /// The number of events that aren't being sent yet.
  var queueLength: Int { state.withLock { $0.events.count } }

  /// Whether events are still queued or being sent.
  var isTelling: Bool { state.withLock { $0.isWorking } }

  private func endAll() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.end() }
  }

  /// Closes the connections for which `isGone` returns true.
  func end(where isGone: (Listening) -> Bool) {
    let ended = state.withLock { state in state.listeners.values.filter { isGone($0.listening) } }
    for listener in ended { listener.end() }
  }

  /// The credentials of all connections.
  var credentials: Set<Credential> {
    state.withLock { Set($0.listeners.values.compactMap(\.listening.credential)) }
  }

  /// The users of this host whose connections these are.
  var unixUsers: Set<uid_t> {
    state.withLock { Set($0.listeners.values.compactMap(\.listening.unixUser)) }
  }
}

extension Refusal {
  static let tooManyStreams = invalid("Too many streams: the limit is \(EventHub.mostStreams) for a connection.")
}
