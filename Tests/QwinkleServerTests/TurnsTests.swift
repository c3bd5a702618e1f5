import QwinkleModel
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// The order in which clients get access to the database.
@Suite(.bounded) struct TurnsTests {
  private let clock = VirtualClock()

  /// Enters for each client, in this order, and records the order of access.
  private func waitAll(_ clients: [String], _ kind: Turns.Kind, _ turns: Turns, _ entered: Lines) async throws -> [Task<
    Void, Never
  >] {
    var tasks: [Task<Void, Never>] = []
    for (index, name) in clients.enumerated() {
      let waitingBefore = Set(clients).reduce(0) { $0 + turns.waitingCount(kind, .address($1)) }
      tasks.append(
        Task {
          await turns.enter(kind, .address(name))
          entered.add(name)
        })
      try await wait(for: "place \(index) in the queue") {
        Set(clients).reduce(0) { $0 + turns.waitingCount(kind, .address($1)) } == waitingBefore + 1
      }
    }
    return tasks
  }

  @Test func `the client with the least recent use is next and equal clients alternate`() async throws {
    let turns = Turns(clock: clock)
    await turns.enter(.write, .address("a"))
    let entered = Lines()
    let tasks = try await waitAll(["a", "a", "b", "b", "c", "c"], .write, turns, entered)
    // `a` has used the most, `b` a little, `c` nothing yet.
    turns.leave(.write, .address("a"), used: .seconds(2))
    for (client, time) in [("b", 1), ("c", 0), ("c", 3), ("b", 0), ("a", 0)] {
      let count = entered.all.count
      try await wait(for: "the next client", showing: { "\(entered.all)" }) { entered.all.count > max(0, count - 1) }
      turns.leave(.write, .address(client), used: .seconds(time))
    }
    try await wait(for: "all clients", showing: { "\(entered.all)" }) { entered.all.count == 6 }
    #expect(entered.all == ["b", "c", "c", "b", "a", "a"])
    for task in tasks { await task.value }
  }

  @Test func `writes of accounts and addresses alternate regardless of their use`() {
    let turns = Turns(clock: clock)
    let entered = Lines()
    // The account has used more than all addresses together.
    turns.enter(.write, .account(1)) {}
    for name in ["a", "b", "c", "d"] { turns.enter(.write, .address(name)) { entered.add(name) } }
    for _ in 0..<2 { turns.enter(.write, .account(1)) { entered.add("account") } }
    turns.leave(.write, .account(1), used: .seconds(4))
    for _ in 0..<5 {
      guard let name = entered.all.last else { break }
      turns.leave(.write, name == "account" ? .account(1) : .address(name), used: .zero)
    }
    #expect(entered.all == ["a", "account", "b", "account", "c", "d"])
  }

  @Test func `a post takes its account's turn once the server knows the account of its token`() async throws {
    try await withServedFront { harness, _ in
      let alice = try harness.service.addQwinker(named: "alice")
      let own = try await harness.get("/api/v1/accounts/verify_credentials", token: alice)
      let id = try #require((own.object["id"] as? String).flatMap(Int64.init))
      _ = try await harness.post("first", token: alice)
      let turns = harness.service.budget.turns
      await turns.enter(.write, .address("other"))
      let posting = Task { try await harness.post("second", token: alice) }
      try await wait(for: "the post") { turns.waitingCount(.write, .account(id)) == 1 }
      turns.leave(.write, .address("other"), used: .zero)
      #expect(try await posting.value.text.plainText == "second")
      // A revoked token no longer counts as the account.
      let known = harness.service.budget.knownAccounts
      #expect(known.client(ofToken: alice, else: .address("a")) == .account(id))
      try harness.service.revokeTokens(of: "alice")
      _ = try await harness.send(Entry(text: "third", idempotencyKey: "3"), token: alice)
      #expect(known.client(ofToken: alice, else: .address("a")) == .address("a"))
    }
  }

  @Test func `past use is forgotten after twenty seconds`() async throws {
    let turns = Turns(clock: clock)
    await turns.enter(.write, .address("a"))
    turns.leave(.write, .address("a"), used: .seconds(5))
    await clock.advance(by: .seconds(21))
    await turns.enter(.write, .address("b"))
    let entered = Lines()
    let tasks = try await waitAll(["a", "c"], .write, turns, entered)
    turns.leave(.write, .address("b"), used: .seconds(1))
    try await wait(for: "the next client") { !entered.all.isEmpty }
    #expect(entered.all == ["a"])
    turns.leave(.write, .address("a"), used: .zero)
    for task in tasks { await task.value }
  }

  @Test func `long reads leave one place for quick reads`() async throws {
    let turns = Turns(clock: clock)
    for number in 0..<(Readers.places - 1) {
      await turns.enter(.read, .address("\(number)"))
      #expect(turns.lengthen())
    }
    await turns.enter(.read, .address("quick"))
    // The read has to start over in the queue of long reads.
    #expect(!turns.lengthen())
    turns.leave(.read, .address("quick"), used: Turns.quickRead)
    let entered = Lines()
    let tasks = try await waitAll(["quick"], .longRead, turns, entered)
    await turns.enter(.read, .address("other"))
    turns.leave(.read, .address("other"), used: .zero)
    #expect(entered.all.isEmpty)
    turns.leave(.longRead, .address("0"), used: .seconds(1))
    for task in tasks { await task.value }
  }

  @Test(arguments: [(5, ["light", "heavy"]), (7, ["heavy", "light"])])
  func `a long read is not starved because waiting offsets past use`(
    seconds: Int, order: [String]
  ) async throws {
    let turns = Turns(clock: clock)
    await turns.enter(.longRead, .address("heavy"))
    turns.leave(.longRead, .address("heavy"), used: .seconds(3))
    for number in 0..<Readers.places { await turns.enter(.read, .address("\(number)")) }
    let entered = Lines()
    let long = try await waitAll(["heavy"], .longRead, turns, entered)
    // 6 seconds of waiting offset 3 seconds of use.
    await clock.advance(by: .seconds(seconds))
    let quick = try await waitAll(["light"], .read, turns, entered)
    turns.leave(.read, .address("0"), used: .zero)
    try await wait(for: "the first") { !entered.all.isEmpty }
    let first = entered.all[0]
    turns.leave(first == "heavy" ? .longRead : .read, .address(first), used: .zero)
    for task in long + quick { await task.value }
    #expect(entered.all == order)
  }
}
