import Synchronization

/// Tells listeners what happens, in the order in which it was saved. Nobody who posts waits for it.
final class EventHub: Sendable {
  typealias ID = Int
  /// Counts what listeners have changed.
  typealias Moment = Int

  /// A connection that listens.
  struct Listener: Sendable {
    let listening: Listening
    var streams: Set<StreamName>
    /// Takes a message at once. Called by one task at a time.
    let deliver: @Sendable (StreamMessage) -> Void
    /// Ends the connection: its token counts no longer, or it may have missed something.
    let end: @Sendable () -> Void
    /// When it began to listen to what it listens to.
    fileprivate var since: Moment = 0

    init(
      listening: Listening, streams: Set<StreamName>, deliver: @escaping @Sendable (StreamMessage) -> Void,
      end: @escaping @Sendable () -> Void
    ) {
      self.listening = listening
      self.streams = streams
      self.deliver = deliver
      self.end = end
    }
  }

  /// Listeners that are told the same.
  struct Group: Hashable, Sendable {
    var viewer: Int64?
    var origin: Origin
  }

  private struct State {
    var listeners: [ID: Listener] = [:]
    var moment = 0
    var events: [ServiceEvent] = []
    var isWorking = false
  }

  /// The most events that wait. More come only if the database can't be read for long: then all connections end, and
  /// clients fetch what they missed.
  private static let mostWaiting = 10_000
  private static let mostAtOnce = 100

  private let state = Mutex(State())
  private let count = Atomic(0)

  /// The number of listeners.
  var listenerCount: Int { count.load(ordering: .relaxed) }

  func add(_ listener: Listener) -> ID {
    state.withLock { state in
      state.moment += 1
      state.listeners[state.moment] = listener
      state.listeners[state.moment]?.since = state.moment
      count.store(state.listeners.count, ordering: .relaxed)
      return state.moment
    }
  }

  /// Changes what a listener listens to.
  func change(_ id: ID, _ change: (inout Set<StreamName>) -> Void) {
    state.withLock { state in
      guard var listener = state.listeners.removeValue(forKey: id) else { return }
      change(&listener.streams)
      state.moment += 1
      listener.since = state.moment
      state.listeners[id] = listener
    }
  }

  func remove(_ id: ID) {
    state.withLock { state in
      state.listeners[id] = nil
      count.store(state.listeners.count, ordering: .relaxed)
    }
  }

  /// Now, for ``ServiceEvent/deleted(_:_:_:)``.
  var moment: Moment { state.withLock { $0.moment } }

  /// The streams that are listened to, by listeners who are told the same.
  var groups: [Group: Set<StreamName>] {
    state.withLock { state in
      state.listeners.values.reduce(into: [:]) { groups, listener in
        groups[Group(viewer: listener.listening.viewer, origin: listener.listening.origin), default: []].formUnion(
          listener.streams)
      }
    }
  }

  /// Tells those concerned. Called once the event is saved, in the order of saving.
  func publish(_ event: ServiceEvent, _ service: Service) {
    guard listenerCount > 0 else { return }
    let (isFirst, lagging) = state.withLock { state -> (Bool, [Listener]) in
      var lagging: [Listener] = []
      if state.events.count >= Self.mostWaiting {
        state.events = []
        lagging = Array(state.listeners.values)
      } else if case .deleted(_, _, let moment) = event {
        // Nobody knows whether these could see it, and they may have read it before it went.
        lagging = state.listeners.values.filter { $0.since > moment }
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
      let events = state.withLock { state in
        let next = Array(state.events.prefix(Self.mostAtOnce))
        state.events.removeFirst(next.count)
        if next.isEmpty { state.isWorking = false }
        return next
      }
      if events.isEmpty { return }
      for (group, streams) in groups {
        guard let messages = await service.messages(about: events, to: group, streams) else {
          for listener in listeners(in: group) { listener.end() }
          continue
        }
        for post in messages { deliver(post, to: group) }
      }
    }
  }

  private func deliver(_ post: StreamPost, to group: Group) {
    for listener in listeners(in: group)
    where listener.streams.contains(post.stream) && (!post.isNotification || listener.listening.hearsNotifications) {
      listener.deliver(post.message)
    }
  }

  private func listeners(in group: Group) -> [Listener] {
    state.withLock { state in
      state.listeners.values.filter { $0.listening.viewer == group.viewer && $0.listening.origin == group.origin }
    }
  }

  /// Whether something that was saved has not been told yet.
  var isTelling: Bool { state.withLock { $0.isWorking } }

  /// Ends the connections whose tokens are among these.
  func end(tokens: Set<String>) {
    let ended = state.withLock { state in
      state.listeners.values.filter { $0.listening.tokenHash.map(tokens.contains) == true }
    }
    for listener in ended { listener.end() }
  }

  /// The hashes of the tokens that listeners came with.
  var tokens: Set<String> {
    state.withLock { Set($0.listeners.values.compactMap(\.listening.tokenHash)) }
  }
}
