import Synchronization

/// The open connections, counted in all and by client. Where there is no room for another, one that waits for a request
/// is closed for it: first one that had none yet, of these the one that waits longest.
final class Connections: Sendable {
  /// A number for each connection.
  typealias ID = Int

  private struct Connection {
    let close: @Sendable () -> Void
    /// When it began to wait, as a number that grows; nil while a request is under way.
    var idleSince: Int?
    /// Whether a request was answered on it.
    var isProven = false
  }

  private struct State {
    var byClient: [String: [ID: Connection]] = [:]
    var count = 0
    var last = 0
  }

  private let most: Int
  private let mostOfOne: Int
  private let state = Mutex(State())

  init(most: Int, mostOfOne: Int) {
    self.most = most
    self.mostOfOne = mostOfOne
  }

  /// The number of open connections.
  var count: Int { state.withLock { $0.count } }

  /// Adds a client's connection, which waits for a request. Returns nil if there is no room, as all others are busy.
  ///
  /// - Parameter isProxy: Whether it is a proxy's, which has the connections of many.
  func admit(_ client: String, isProxy: Bool = false, close: @escaping @Sendable () -> Void) -> ID? {
    let (id, evicted) = state.withLock { state -> (ID?, (@Sendable () -> Void)?) in
      var evicted: Connection?
      if !isProxy, state.byClient[client, default: [:]].count >= mostOfOne {
        evicted = Self.evict(from: [client], &state)
        if evicted == nil { return (nil, nil) }
      } else if state.count >= most {
        let busiest = state.byClient.max { $0.value.count < $1.value.count }?.key
        evicted = busiest.flatMap { Self.evict(from: [$0], &state) } ?? Self.evict(from: state.byClient.keys, &state)
        if evicted == nil { return (nil, nil) }
      }
      state.last += 1
      state.count += 1
      state.byClient[client, default: [:]][state.last] = Connection(close: close, idleSince: state.last)
      return (state.last, evicted?.close)
    }
    evicted?()
    return id
  }

  /// Says whether a connection waits for a request.
  func set(_ id: ID, of client: String, isIdle: Bool) {
    state.withLock { state in
      state.last += 1
      state.byClient[client]?[id]?.idleSince = isIdle ? state.last : nil
      if isIdle { state.byClient[client]?[id]?.isProven = true }
    }
  }

  /// Forgets a connection, which has ended.
  func remove(_ id: ID, of client: String) {
    state.withLock { Self.remove(id, of: client, &$0) }
  }

  /// Closes all connections.
  func closeAll() {
    let all = state.withLock { state in state.byClient.values.flatMap { $0.values.map(\.close) } }
    for close in all { close() }
  }

  /// Forgets the connection to close, of those of some clients; nil if none waits.
  private static func evict(from clients: some Sequence<String>, _ state: inout State) -> Connection? {
    var oldest: (rank: (Int, Int), id: ID, client: String, connection: Connection)?
    for client in clients {
      for (id, connection) in state.byClient[client] ?? [:] {
        guard let since = connection.idleSince else { continue }
        let rank = (connection.isProven ? 1 : 0, since)
        if rank < oldest?.rank ?? (.max, .max) { oldest = (rank, id, client, connection) }
      }
    }
    guard let oldest else { return nil }
    remove(oldest.id, of: oldest.client, &state)
    return oldest.connection
  }

  private static func remove(_ id: ID, of client: String, _ state: inout State) {
    guard state.byClient[client]?.removeValue(forKey: id) != nil else { return }
    state.count -= 1
    if state.byClient[client]?.isEmpty == true { state.byClient[client] = nil }
  }
}
