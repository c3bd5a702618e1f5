import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// Random keys in several accounts or processes while other users change data on the servers. At the end, each store
/// equals its server.
@MainActor
@Suite(.bounded) struct EqualStoresTests {
  private static let actionCount = Soak.isOn ? 1000 : 25

  @Test(arguments: Soak.seeds(2, times: 5))
  func `two accounts on two servers in one process match their servers`(seed: UInt64) async throws {
    let program = try SeveralAccounts()
    defer { program.close() }
    await program.settle()
    var world = World(program.servers, seed: seed)
    for _ in 0..<Self.actionCount {
      if world.chance(of: 0.15) { await program.press("A", "Enter") }
      try await world.act(in: program, on: world.one(of: [0, 1]))
    }
    for index in 0...1 {
      await rest(program)
      if program.shownName != TwoServers.accounts[index] { await program.press("A", "Enter") }
      try await expectEqual(program, index, seed)
    }
  }

  @Test(arguments: Soak.seeds(2, times: 5))
  func `two processes with one account match its server`(seed: UInt64) async throws {
    let servers = try TwoServers()
    defer { servers.close() }
    let programs = try (0...1).map { _ in try SeveralAccounts(on: servers) }
    defer { for program in programs { program.close() } }
    for program in programs { await program.settle() }
    var world = World(servers, seed: seed)
    for _ in 0..<Self.actionCount { try await world.act(in: world.one(of: programs), on: 0) }
    // Each process fetches the changes of the other one.
    for _ in 0...1 { for program in programs { await rest(program) } }
    for program in programs { try await expectEqual(program, 0, seed) }
  }

  /// Closes every sheet and screen, refreshes, and waits for pending requests.
  private func rest(_ program: SeveralAccounts) async {
    await program.press("Esc", "Esc", "Esc", "1", "g", "g", "R")
    await program.pass(.seconds(70))
  }

  /// Expects that the account's memory and cache match its server.
  private func expectEqual(
    _ program: SeveralAccounts, _ index: Int, _ seed: UInt64, at location: SourceLocation = #_sourceLocation
  ) async throws {
    await program.press("1", "g", "g", "R", "2", "g", "g", "R", "3", "R", "4", "R")
    await program.pass(.seconds(70))
    let account = try #require(program.account(index))
    #expect(account.outbox.waitingCount == 0, "seed \(seed)", sourceLocation: location)
    let cache = try TimelineCache(
      directory: "\(program.servers.paths.cache)/\(TwoServers.accounts[index])", ledger: ActivityLedger())
    defer { cache.close() }
    for name in [TimelineName.public, .home] {
      let expected = try await program.servers.answer(to: .timeline(name, limit: 40), on: index).items
      let rows = account.timelines.timeline(name).items.prefix(expected.count)
      #expect(rows.map(State.init) == expected.map(State.init), "\(name.key), seed \(seed)", sourceLocation: location)
      let kept = cache.load(name, limit: expected.count).rows
      #expect(
        kept.map { $0.qwink.map(State.init) } == expected.map(State.init), "\(name.key) kept, seed \(seed)",
        sourceLocation: location)
    }
    let conversations = try await program.servers.answer(to: .conversations(limit: 40), on: index).items
    #expect(
      account.inbox.conversations.map { "\($0.lastQwink?.id.rawValue ?? "") \($0.isUnread)" }
        == conversations.map { "\($0.lastQwink?.id.rawValue ?? "") \($0.isUnread)" }, "seed \(seed)",
      sourceLocation: location)
    let notifications = try await program.servers.answer(to: .notifications(limit: 40), on: index).items
    #expect(
      account.notifications.notifications.prefix(notifications.count).map(\.id) == notifications.map(\.id),
      "seed \(seed)", sourceLocation: location)
  }

  /// The properties of a qwink that are compared.
  private struct State: Hashable, CustomStringConvertible {
    let description: String

    init(_ qwink: Qwink) {
      let shown = qwink.original
      description =
        "\(qwink.id) \(shown.text.plainText) f\(shown.isFavourite) b\(shown.isBoosted) m\(shown.isBookmarked)"
    }
  }

  /// Random events generated from a seed.
  @MainActor
  private struct World {
    private let servers: TwoServers
    private var random: SplitMix
    private var count = 0

    init(_ servers: TwoServers, seed: UInt64) {
      self.servers = servers
      random = SplitMix(seed: seed)
    }

    mutating func chance(of part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }

    mutating func one<Thing>(of things: [Thing]) -> Thing { things[Int.random(in: things.indices, using: &random)] }

    /// Presses one or more keys in the program, or performs an action of another user on the server at `index`.
    mutating func act(in program: SeveralAccounts, on index: Int) async throws {
      count += 1
      let me = ["mara", "nils"][index]
      switch Int.random(in: 0..<16, using: &random) {
      case 0, 1, 2: _ = try await servers.other(on: index, .post("Qwink \(count)"))
      case 3: _ = try await servers.other(on: index, .message("@\(me) \(count)"))
      case 4:
        let rows = try await servers.rowsOfOther(.public, on: index).filter { $0.author.userName == "other" }
        if !rows.isEmpty { _ = try await servers.other(on: index, .delete(one(of: rows).originalID)) }
      case 5:
        let rows = try await servers.rowsOfOther(.public, on: index).filter { $0.author.userName == "other" }
        if !rows.isEmpty {
          _ = try await servers.other(
            on: index, .edit(one(of: rows).originalID, Entry(text: "Edit \(count)", idempotencyKey: "edit \(count)")))
        }
      case 6, 7: await program.press(one(of: ["1", "2", "3", "4", "5"]))
      case 8: await program.press(one(of: ["j", "k", "G", "Home", "Enter", "Esc"]))
      case 9, 10: await program.press("Esc", "Esc", "1", one(of: ["f", "b", "m", "u"]))
      case 11:
        await program.press("Esc", "Esc", "1", "c")
        program.driver.type("Mine \(count)")
        await program.press(one(of: ["^D", "Esc"]), "Esc")
      case 12: await program.press("R")
      case 13:
        // A direct message, if there is a conversation.
        await program.press("Esc", "Esc", "3", "g", "g", "Enter")
        program.driver.type("Reply \(count)")
        await program.press("^D", "Esc", "Esc")
      default: await program.pass(.seconds(Int.random(in: 1...90, using: &random)))
      }
    }
  }
}
