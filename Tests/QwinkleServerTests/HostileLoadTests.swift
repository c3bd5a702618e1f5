import Foundation
import QwinkleModel
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Clients that want the server for themselves, and one that only reads.
@Suite(.serialized, .bounded) struct HostileLoadTests {
  /// What the attackers did, and the end of it.
  private final class Attack: Sendable {
    private struct State {
      var counts: [String: Int] = [:]
      var statuses: [String: Set<Substring>] = [:]
    }

    private let state = Mutex(State())
    private let isOver = Atomic(false)
    private let group = DispatchGroup()

    var isOn: Bool { !isOver.load(ordering: .relaxed) }

    /// Repeats `work` on a thread of its own until the end. It returns a response.
    func run(_ name: String, _ work: @escaping @Sendable () throws -> String) {
      group.enter()
      Thread.detachNewThread { [self] in
        while isOn {
          let response = (try? work()) ?? ""
          state.withLock { state in
            state.counts[name, default: 0] += 1
            if !response.isEmpty { state.statuses[name, default: []].insert(response.dropFirst(9).prefix(3)) }
          }
        }
        group.leave()
      }
    }

    func stop() { isOver.store(true, ordering: .relaxed) }

    func end() async {
      stop()
      await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
    }

    func statuses(_ name: String) -> Set<Substring> { state.withLock { $0.statuses[name] ?? [] } }

    var summary: String {
      state.withLock { $0.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ") }
    }
  }

  @Test func `a reader elsewhere waits at most ten times as long as on a quiet server`() async throws {
    DescriptorLimit.raise()
    try await withServedFront(passwordCost: .init()) { harness, front in
      _ = try harness.service.addQwinker(named: "anna", password: "correct horse")
      try harness.service.write { session in
        let anna = try #require(try session.accountID(named: "anna"))
        for number in 0..<60 {
          _ = try session.addStatus(NewStatus(account: anna, source: "\(number) the tea the garden"))
        }
      }
      let guess = try await Self.guess(harness)
      // What else the machine does may fall upon one round.
      var isHeld = false
      for _ in 0..<3 where !isHeld { isHeld = try await Self.round(front, harness.port, guess) }
      #expect(isHeld)
    }
  }

  /// Whether a reader waited at most ten times as long during an attack as before and after it.
  private static func round(_ front: HTTPFront, _ port: Int, _ guess: (head: String, body: String)) async throws -> Bool
  {
    let (reads, slow, idle) = Soak.isOn ? (3000, 200, 1000) : (200, 40, 200)
    let quiet = await times(reads, port)
    let attack = Attack()
    defer { attack.stop() }
    let words = String(repeating: "the-", count: 2000)
    for _ in 0..<3 {
      attack.run("searches") { try ask("GET /api/v2/search?q=\(words) HTTP/1.1", port) }
    }
    let long = String(repeating: "x", count: 80_000)
    attack.run("long addresses") { try ask("GET /\(long) HTTP/1.1", port) }
    for _ in 0..<2 { attack.run("wrong passwords") { try ask(guess.head, body: guess.body, port) } }
    let held = try (0..<idle).map { _ in try RawClient(port: port) }
    let writers = try (0..<slow).map { _ in try RawClient(port: port) }
    let page = "GET /api/v1/timelines/public?limit=40 HTTP/1.1\r\nHost: x\r\n\r\n"
    let readers = try (0..<slow).map { _ in try RawClient(port: port, receiveBuffer: 4096) }
    for reader in readers { try reader.send(String(repeating: page, count: 50)) }
    try await wait(for: "answers to the attackers", showing: { attack.summary }) {
      !attack.statuses("searches").isEmpty && !attack.statuses("wrong passwords").isEmpty
    }

    // The writers send a byte for each read.
    let loud = await times(reads, port) { try? writers[$0 % writers.count].send("G") }
    // The attack was one.
    #expect(front.connectionCount >= held.count)
    await attack.end()
    #expect(attack.statuses("searches").contains("200"))
    #expect(attack.statuses("long addresses") == ["414"])
    #expect(attack.statuses("wrong passwords").isSubset(of: ["403", "429", "503"]))
    let (before, during) = (max(late(quiet), late(await times(reads, port))), late(loud))
    print(
      "hostile load: a read took \(before) on the quiet server at p99, \(during) during \(attack.summary), "
        + "\(held.count) idle connections, \(writers.count) slow writers, \(readers.count) slow readers")
    return during <= max(before, .milliseconds(2)) * 10
  }

  /// How long each of so many reads took, from another address than the attackers'.
  private static func times(
    _ count: Int, _ port: Int, meanwhile: @escaping @Sendable (Int) -> Void = { _ in }
  ) async -> [Duration] {
    await RawClient.onThread {
      guard let client = try? RawClient(port: port, from: "127.0.0.2") else { return [] }
      let clock = ContinuousClock()
      return (0..<count).compactMap { number in
        meanwhile(number)
        // An address that nobody asked before, so that the database answers, not the cache.
        let path = "/api/v1/timelines/public?since_id=\(Int64.random(in: 0..<1 << 40))"
        let start = clock.now
        try? client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
        return client.response().hasPrefix("HTTP/1.1 200 ") ? clock.now - start : nil
      }
    }
  }

  /// The time that 99 of 100 stay under.
  private static func late(_ times: [Duration]) -> Duration {
    times.isEmpty ? .seconds(3600) : times.sorted()[times.count * 99 / 100]
  }

  private static func ask(_ line: String, body: String = "", _ port: Int) throws -> String {
    let client = try RawClient(port: port)
    try? client.send("\(line)\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return client.response()
  }

  /// A request that guesses a password.
  private static func guess(_ harness: Harness) async throws -> (head: String, body: String) {
    let form = try await RegisteredProgram.register(at: harness).open()
    let fields = form.fields + [("name", "anna"), ("password", "wrong"), ("answer", "allow")]
    let body = fields.map { "\(PercentEncoding.component($0.0))=\(PercentEncoding.component($0.1))" }
    return (
      "POST /oauth/authorize HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nCookie: \(form.cookie)",
      body.joined(separator: "&")
    )
  }
}
