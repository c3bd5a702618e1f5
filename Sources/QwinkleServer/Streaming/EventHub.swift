import Synchronization

/// Sends events to listeners, in the order in which they were saved. A write only adds its event to a queue: the work
/// for listeners is done later, by one task, outside of transactions.
final class EventHub: Sendable {
  typealias ID = Int

  /// A connection that listens.
  struct Listener: Sendable {
    let listening: Listening
    fileprivate(set) var streams: Set<StreamName>
    /// Takes a message without waiting. Called by one task at a time.
    let deliver: @Sendable (StreamMessage) -> Void
    /// Ends the connection: its token was revoked, or it may have missed an event.
    let end: @Sendable () -> Void

    init(
      listening: Listening, streams: Set<StreamName>, deliver: @escaping @Sendable (StreamMessage) -> Void,
      end: @escaping @Sendable () -> Void
    ) {
      self.listening = listening
      self.streams = streams
      self.deliver = deliver
      self.end = end
    }

    fileprivate func place(of stream: StreamName) -> StreamIndex.Place {
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

  /// The most queued events. More are queued only if the database can't be read for long: then all connections end, and
  /// clients fetch what they missed.
  private static let mostWaiting = 10_000
  private static let mostAtOnce = 100
  /// The most streams of one connection.
  static let mostStreams = 100

  private let state = Mutex(State())
  private let count = Atomic(0)

  /// The number of listeners.
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

  /// Adds a stream to a listener's.
  ///
  /// - Throws: ``Refusal`` if the listener or its client has too many.
  func subscribe(_ id: ID, to stream: StreamName) throws(Refusal) {
    try state.withLock { (state) throws(Refusal) in
      guard var listener = state.listeners[id], !listener.streams.contains(stream) else { return }
      let count = listener.streams.count + 1
      guard count <= Self.mostStreams else { throw Refusal.tooManyStreams }
      try listener.listening.subscriptions?.resize(to: count)
      listener.streams.insert(state.index.insert(id, at: listener.place(of: stream)))
      state.listeners[id] = listener
    }
  }

  /// Removes a stream from a listener's.
  func unsubscribe(_ id: ID, from stream: StreamName) {
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

  /// The listeners of an account, or signed-out listeners, that have a stream.
  func listeners(of viewer: Int64?, at stream: StreamName) -> [Listener] {
    state.withLock { state in
      state.index.listeners(at: StreamIndex.Place(viewer: viewer, stream: stream)).compactMap { state.listeners[$0] }
    }
  }

  /// Queues an event. Called once the event is saved, in the order of saving.
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
    for (viewer, streams) in audiences(of: items) {
      if let posts = await service.posts(about: items, at: streams, for: viewer) {
        for post in posts { deliver(post, to: viewer) }
      } else {
        for stream in Set(streams.values.joined()) {
          for listener in listeners(of: viewer, at: stream) { listener.end() }
        }
      }
    }
  }

  /// The streams with listeners that items may be for, by account and by the items' positions.
  private func audiences(of items: [StreamItem]) -> [Int64?: [Int: Set<StreamName>]] {
    state.withLock { state in
      var audiences: [Int64?: [Int: Set<StreamName>]] = [:]
      for (position, item) in items.enumerated() {
        for place in state.index.places(for: item) {
          audiences[place.viewer, default: [:]][position, default: []].insert(place.stream)
        }
      }
      return audiences
    }
  }

  private func deliver(_ post: StreamPost, to viewer: Int64?) {
    let message = post.message
    for listener in listeners(of: viewer, at: post.stream) {
      if post.isNotification, !listener.listening.hearsNotifications { continue }
      listener.deliver(message)
    }
  }

  /// Whether a saved event was not sent yet.
  var isTelling: Bool { state.withLock { $0.isWorking } }

  private func endAll() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.end() }
  }

  /// Ends the connections whose tokens are among these.
  func end(tokens: Set<String>) {
    let ended = state.withLock { state in
      state.listeners.values.filter { $0.listening.tokenHash.map(tokens.contains) == true }
    }
    for listener in ended { listener.end() }
  }

  /// The hashes of the listeners' tokens.
  var tokens: Set<String> {
    state.withLock { Set($0.listeners.values.compactMap(\.listening.tokenHash)) }
  }
}

extension Refusal {
  static let tooManyStreams = invalid("Too many streams: the limit is \(EventHub.mostStreams) for a connection.")
}
