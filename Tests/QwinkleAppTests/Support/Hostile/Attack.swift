import Foundation
import QwinkleServer
import QwinkleTesting
import Synchronization

/// Hostile clients at work on one port, until ``end()``. They run in this process, on threads.
final class Attack: Sendable {
  /// A client's place among those that do the same, and how often it has done it.
  struct Turn {
    let client: Int
    let round: Int
  }

  private struct Weak {
    weak var client: RawClient?
  }

  private struct State {
    var clients: [Weak] = []
    /// Number of connections at which the closed ones are removed.
    var mostClients = 1000
    var connectionCount = 0
    var statuses: [Int: Int] = [:]
  }

  /// The address of an attacker who has no other.
  static let address = "127.0.1.1"
  /// Fifty addresses.
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

  /// Number of connections opened so far.
  var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// How often each status was received.
  var statuses: [Int: Int] { state.withLock { $0.statuses } }

  /// Stops all clients and closes their connections.
  func end() async {
    isOver.store(true, ordering: .relaxed)
    let clients = state.withLock { $0.clients.compactMap(\.client) }
    // Threads that wait for a connection go on.
    for client in clients { client.end() }
    await withCheckedContinuation { done in threads.notify(queue: .global()) { done.resume() } }
  }

  /// Counts a response.
  func note(_ status: Int) { state.withLock { $0.statuses[status, default: 0] += 1 } }

  /// Opens a connection, which ``end()`` closes.
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
    // It may have missed the end.
    if !isOn { client.end() }
    return client
  }

  /// Repeats `work` for each of `count` clients, on a thread of its own, until the end. Errors are ignored.
  ///
  /// - Parameters:
  ///   - sources: The addresses of the clients, in turns.
  ///   - pause: Milliseconds between two rounds. By default, all clients together make at most about a thousand rounds
  ///     a second: they share the machine's cores with the server, so faster ones would slow down any server.
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

  /// Keeps connections open from one thread: each sends `opening`, and then a piece in each round. Those that the
  /// server closes are replaced, at most about a thousand a second.
  ///
  /// - Parameters:
  ///   - most: The number of bytes in pieces that each connection sends.
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

  /// Sends some bytes and reads, without waiting. Returns the number of bytes sent, or nil if the connection ended.
  private func send(_ bytes: ArraySlice<UInt8>, to client: RawClient, reads: Bool) -> Int? {
    if reads {
      guard let received = client.readNow() else { return nil }
      if let status = Self.status(in: received) { note(status) }
    }
    return bytes.isEmpty ? 0 : client.sendNow(bytes)
  }

  /// The status of the response that starts with `bytes`.
  private static func status(in bytes: [UInt8]) -> Int? {
    guard bytes.starts(with: "HTTP/1.1 ".utf8) else { return nil }
    return Int(String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self))
  }

  /// Runs `work` on a thread of its own. It has to return soon after the end.
  func start(_ work: @escaping @Sendable () -> Void) {
    threads.enter()
    Thread.detachNewThread { [threads] in
      work()
      threads.leave()
    }
  }

  static func pause(milliseconds: Int) { Thread.sleep(forTimeInterval: Double(milliseconds) / 1000) }
}
