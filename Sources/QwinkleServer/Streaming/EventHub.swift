import Synchronization

/// Tells listeners what happens, in the order in which it was saved. Nobody who posts waits for it.
final class EventHub: Sendable {
  typealias ID = Int

  /// A connection that listens.
  struct Listener: Sendable {
    let listening: Listening
    var streams: Set<StreamName>
    /// Takes a message at once. Called by one task at a time.
    let deliver: @Sendable (StreamMessage) -> Void
    /// Ends the connection, as its token counts no longer.
    let end: @Sendable () -> Void
  }

  /// Listeners that are told the same.
  struct Group: Hashable, Sendable {
    var viewer: Int64?
    var origin: Origin
  }

  private struct State {
    var listeners: [ID: Listener] = [:]
    var last = 0
    var events: [ServiceEvent] = []
    var isWorking = false
  }

  /// The most events that wait. More are only lost if the database can't be read for long.
  private static let mostWaiting = 10_000
  private static let mostAtOnce = 100

  private let state = Mutex(State())
  private let count = Atomic(0)

  /// The number of listeners.
  var listenerCount: Int { count.load(ordering: .relaxed) }

  func add(_ listener: Listener) -> ID {
    state.withLock { state in
      state.last += 1
      state.listeners[state.last] = listener
      count.store(state.listeners.count, ordering: .relaxed)
      return state.last
    }
  }

  /// Changes what a listener listens to.
  func change(_ id: ID, _ change: (inout Set<StreamName>) -> Void) {
    state.withLock { state in
      guard var listener = state.listeners.removeValue(forKey: id) else { return }
      change(&listener.streams)
      state.listeners[id] = listener
    }
  }

  func remove(_ id: ID) {
    state.withLock { state in
      state.listeners[id] = nil
      count.store(state.listeners.count, ordering: .relaxed)
    }
  }

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
    let isFirst = state.withLock { state in
      if state.events.count < Self.mostWaiting { state.events.append(event) }
      defer { state.isWorking = true }
      return !state.isWorking
    }
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
        let messages = await service.messages(about: events, to: group, streams)
        for post in messages { deliver(post, to: group) }
      }
    }
  }

  private func deliver(_ post: StreamPost, to group: Group) {
    let listeners = state.withLock { state in
      state.listeners.values.filter { listener in
        listener.listening.viewer == group.viewer && listener.listening.origin == group.origin
          && listener.streams.contains(post.stream) && (!post.isNotification || listener.listening.hearsNotifications)
      }
    }
    for listener in listeners { listener.deliver(post.message) }
  }

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
