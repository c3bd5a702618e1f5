import Synchronization

/// The open connections. Where a client has no room for another in its budget, or the system has none, a connection
/// that waits for a request is closed for it: first one that had none yet, of these the one that waits longest.
final class Connections: Sendable {
  /// A number for each connection.
  typealias ID = Int

  private struct Connection {
    let close: @Sendable () -> Void
    /// Its place in the client's budget; nil for a proxy's connection, which has the requests of many clients.
    let share: Share?
    /// When it began to wait, as a number that grows; nil while a request is under way.
    var idleSince: Int?
    /// Whether a request was answered on it.
    var isProven = false
  }

  private struct State {
    var byClient: [Client: [ID: Connection]] = [:]
    var count = 0
    var last = 0
  }

  private let budget: Budget
  private let most: Int
  private let state = Mutex(State())

  /// `mostOfSystem` is the number that the system has room for.
  init(_ budget: Budget, mostOfSystem: Int = .max) {
    self.budget = budget
    most =
      if case .held(_, let ofAll) = budget.limit(of: .connections) { min(ofAll, mostOfSystem) } else { mostOfSystem }
  }

  /// The number of open connections.
  var count: Int { state.withLock { $0.count } }

  /// Adds a client's connection, which waits for a request. Returns nil if there is no room, as all others are busy.
  func admit(_ client: Client, isProxy: Bool = false, close: @escaping @Sendable () -> Void) -> ID? {
    var closed: [Connection] = []
    defer { for connection in closed { connection.close() } }
    return state.withLock { state in
      func makeRoom(_ evicted: Connection?) -> Bool {
        evicted?.share?.release()
        if let evicted { closed.append(evicted) }
        return evicted != nil
      }
      if state.count >= most, !makeRoom(Self.evictForAll(than: client, &state)) { return nil }
      var share = isProxy ? nil : try? budget.take(.connections, for: client)
      while !isProxy, share == nil {
        guard makeRoom(Self.evict(from: [client], &state)) else { return nil }
        share = try? budget.take(.connections, for: client)
      }
      state.last += 1
      state.count += 1
      state.byClient[client, default: [:]][state.last] = Connection(close: close, share: share, idleSince: state.last)
      return state.last
    }
  }

  /// Notes whether a connection waits for a request.
  func set(_ id: ID, of client: Client, isIdle: Bool) {
    state.withLock { state in
      state.last += 1
      state.byClient[client]?[id]?.idleSince = isIdle ? state.last : nil
      if isIdle { state.byClient[client]?[id]?.isProven = true }
    }
  }

  /// Removes a connection that has ended.
  func remove(_ id: ID, of client: Client) {
    state.withLock { Self.remove(id, of: client, &$0) }
  }

  /// Closes all connections.
  func closeAll() {
    let all = state.withLock { state in state.byClient.values.flatMap { $0.values.map(\.close) } }
    for close in all { close() }
  }

  /// Removes and returns the connection to close when the system has no room for another of a client's.
  private static func evictForAll(than client: Client, _ state: inout State) -> Connection? {
    let mine = state.byClient[client]?.count ?? 0
    guard let busiest = state.byClient.max(by: { $0.value.count < $1.value.count }) else { return nil }
    if let idle = evict(from: [busiest.key], &state) { return idle }
    // A client with more connections than this one has to give up a busy one, such as a stream.
    guard busiest.value.count > mine + 1 else { return evict(from: state.byClient.keys, &state) }
    return evict(from: [busiest.key], evenBusy: true, &state)
  }

  /// Removes and returns the connection to close, of those of some clients; nil if none waits.
  private static func evict(
    from clients: some Sequence<Client>, evenBusy: Bool = false, _ state: inout State
  ) -> Connection? {
    var oldest: (rank: (Int, Int), id: ID, client: Client, connection: Connection)?
    for client in clients {
      for (id, connection) in state.byClient[client] ?? [:] {
        // A proxy's connection has the requests of many clients.
        let mayBeBusy = evenBusy && connection.share != nil
        guard let since = connection.idleSince ?? (mayBeBusy ? id : nil) else { continue }
        let rank = (connection.idleSince == nil ? 2 : connection.isProven ? 1 : 0, since)
        if rank < oldest?.rank ?? (.max, .max) { oldest = (rank, id, client, connection) }
      }
    }
    guard let oldest else { return nil }
    remove(oldest.id, of: oldest.client, &state)
    return oldest.connection
  }

  private static func remove(_ id: ID, of client: Client, _ state: inout State) {
    guard state.byClient[client]?.removeValue(forKey: id) != nil else { return }
    state.count -= 1
    if state.byClient[client]?.isEmpty == true { state.byClient[client] = nil }
  }
}
