import Foundation
import QwinkleServer
import QwinkleTesting
import Synchronization

/// Hostile clients that attack a port until ``end()``. They run on threads of this process.
final class Attack: Sendable {
  /// A client's number among the clients that do the same, and the number of rounds it has completed.
  struct Turn {
    let client: Int
    let round: Int
  }

  private struct Weak {
    weak var client: RawClient?
  }

  private struct State {
    var clients: [Weak] = []
    /// Number of connections at which closed connections are removed.
    var mostClients = 1000
    var connectionCount = 0
    var statuses: [Int: Int] = [:]
  }

  /// The source address of an attacker by default.
  static let address = "127.0.1.1"
  /// Source addresses of distributed attacks.
  static let addresses = (1...50).map { "127.0.1.\($0)" }

  let port: Int
  let target: HostileTarget
  private let state = Mutex(State())
  private let isOver = Atomic(false)
  private let threads = DispatchGroup()

  init(_ clients: some Sequence<HostileClient>, port: Int, target: HostileTarget) {
    DescriptorLimit.raise()
    self.port = port
    self.target = target
    for client in clients { client.attack(self) }
  }

  var isOn: Bool { !isOver.load(ordering: .relaxed) }

  var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// Number of received responses, by status.
  var statuses: [Int: Int] { state.withLock { $0.statuses } }

  /// Stops all clients and closes their connections.
  func end() async {
    isOver.store(true, ordering: .relaxed)
    let clients = state.withLock { $0.clients.compactMap(\.client) }
    // Unblocks threads that wait for a connection.
    for client in clients { client.end() }
    await withCheckedContinuation { done in threads.notify(queue: .global()) { done.resume() } }
  }

  func note(_ status: Int) { state.withLock { $0.statuses[status, default: 0] += 1 } }

  /// Opens a connection. ``end()`` closes it.
  func connect(from source: String = Attack.address, receiveBuffer: Int32? = nil) throws -> RawClient {
    let client = try RawClient(port: port, from: source, receiveBuffer: receiveBuffer, reportsSilence: false)
    state.withLock { state in
      state.connectionCount += 1
      state.clients.append(Weak(client: client))
      if state.clients.count > state.mostClients {
        state.clients.removeAll { $0.client == nil }
        state.mostClients = max(1000, 2 * state.clients.count)
      }
    }
    // The attack may have ended in the meantime.
    if !isOn { client.end() }
    return client
  }

  /// Repeats `work` for each of `count` clients until the end. Each client has a separate thread. Errors are ignored.
  ///
  /// - Parameters:
  ///   - sources: The addresses of the clients, in turn.
  ///   - pause: Milliseconds between two rounds. By default, all clients together make at most about a thousand rounds
  ///     a second. They share the machine's cores with the server, so faster clients would slow down any server.
  func run(
    _ count: Int = 1, from sources: [String] = [Attack.address], pause: Int? = nil,
    _ work: @escaping @Sendable (Turn, BlockingClient) throws -> Void
  ) {
    for number in 0..<count {
      let source = sources[number % sources.count]
      start { [self] in
        let client = BlockingClient(didAnswer: { self.note($0) }, open: { try self.connect(from: source) })
        var round = 0
        while isOn {
          try? work(Turn(client: number, round: round), client)
          round += 1
          Self.pause(milliseconds: pause ?? count)
        }
      }
    }
  }

  /// Holds connections open from a single thread. Each connection sends `opening`, and then a piece in each round.
  /// Connections that the server closes are replaced, at most about a thousand a second.
  ///
  /// - Parameters:
  ///   - most: The maximum number of bytes that each connection sends in pieces.
  ///   - reads: Whether responses are read.
  ///   - pause: Milliseconds between two rounds.
  func hold(
    _ count: Int, from sources: [String] = [Attack.address], receiveBuffer: Int32? = nil, opening: String,
    piece: [UInt8] = [], most: Int = .max, reads: Bool = true, pause: Int
  ) {
    start { [self] in
      var held = [(client: RawClient, sent: Int)?](repeating: nil, count: count)
      var openings = count
      while isOn {
        for place in held.indices where isOn {
          if let (client, sent) = held[place] {
            let more = send(piece.prefix(most - sent), to: client, reads: reads)
            held[place] = more.map { (client: client, sent: sent + $0) }
          } else if openings > 0 {
            openings -= 1
            let client = try? connect(from: sources[place % sources.count], receiveBuffer: receiveBuffer)
            try? client?.send(opening)
            held[place] = client.map { (client: $0, sent: 0) }
          }
        }
        openings = pause
        Self.pause(milliseconds: pause)
      }
    }
  }

  /// Sends some bytes and reads, without blocking. Returns the number of bytes sent, or nil if the connection ended.
  private func send(_ bytes: ArraySlice<UInt8>, to client: RawClient, reads: Bool) -> Int? {
    if reads {
      guard let received = client.readNow() else { return nil }
      if let status = Self.status(in: received) { note(status) }
    }
    return bytes.isEmpty ? 0 : client.sendNow(bytes)
  }

  /// Returns the status of the response that starts with `bytes`, if any.
  private static func status(in bytes: [UInt8]) -> Int? {
    guard bytes.starts(with: "HTTP/1.1 ".utf8) else { return nil }
    return Int(String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self))
  }

  /// Runs `work` on a separate thread. `work` has to return soon after the end.
  func start(_ work: @escaping @Sendable () -> Void) {
    threads.enter()
    Thread.detachNewThread { [threads] in
      work()
      threads.leave()
    }
  }

  static func pause(milliseconds: Int) { Thread.sleep(forTimeInterval: Double(milliseconds) / 1000) }
}
