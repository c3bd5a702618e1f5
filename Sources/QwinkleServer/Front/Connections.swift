import Synchronization

/// The open connections. When a new connection would exceed its client's budget (the limits of one client) or the limit
/// on all connections, an idle connection is closed to make room. Connections that never completed a request are closed
/// first, then the connection that has been idle longest. At the limit on all connections, the client with the most
/// connections may also lose a busy one.
final class Connections: Sendable {
  typealias ID = Int

  private struct Connection {
    let close: @Sendable () -> Void
    /// The connection's share of the client's budget. Nil for a proxy's connection, which carries requests of many
    /// clients.
    let share: Share?
    /// Value of ``State/last`` when the connection became idle, so a lower value means a longer idle time. Nil while a
    /// request is in progress.
    var idleSince: Int?
    /// Whether a request was answered on this connection.
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

  /// `mostOfSystem` is the number of connections that the system allows.
  init(_ budget: Budget, mostOfSystem: Int = .max) {
    self.budget = budget
    most =
      if case .held(_, let ofAll) = budget.limit(of: .connections) { min(ofAll, mostOfSystem) } else { mostOfSystem }
  }

  var count: Int { state.withLock { $0.count } }

  /// Adds a client's idle connection. If a limit is reached, closes another connection first, or returns nil if no
  /// other connection can be closed.
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

  /// Records whether a connection is idle.
  func set(_ id: ID, of client: Client, isIdle: Bool) {
    state.withLock { state in
      state.last += 1
      state.byClient[client]?[id]?.idleSince = isIdle ? state.last : nil
      if isIdle { state.byClient[client]?[id]?.isProven = true }
    }
  }

  /// Removes a closed connection.
  func remove(_ id: ID, of client: Client) {
    state.withLock { Self.remove(id, of: client, &$0) }
  }

  func closeAll() {
    let all = state.withLock { state in state.byClient.values.flatMap { $0.values.map(\.close) } }
    for close in all { close() }
  }

  /// Chooses the connection to close when `client` opens another connection at the limit on all connections. Removes it
  /// from `state` and returns it.
  private static func evictForAll(than client: Client, _ state: inout State) -> Connection? {
    let mine = state.byClient[client]?.count ?? 0
    guard let busiest = state.byClient.max(by: { $0.value.count < $1.value.count }) else { return nil }
    if let idle = evict(from: [busiest.key], &state) { return idle }
    // The client with the most connections loses even a busy one, such as a stream, if it has at least two more than
    // `client`.
    guard busiest.value.count > mine + 1 else { return evict(from: state.byClient.keys, &state) }
    return evict(from: [busiest.key], evenBusy: true, &state)
  }

  /// Chooses which of these clients' connections to close, removes it from `state` and returns it. A busy connection
  /// can be chosen only if `evenBusy` is true. Returns nil if no connection can be closed.
  private static func evict(
    from clients: some Sequence<Client>, evenBusy: Bool = false, _ state: inout State
  ) -> Connection? {
    var oldest: (rank: (Int, Int), id: ID, client: Client, connection: Connection)?
    for client in clients {
      for (id, connection) in state.byClient[client] ?? [:] {
        // Closing a proxy's busy connection would affect many clients.
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
