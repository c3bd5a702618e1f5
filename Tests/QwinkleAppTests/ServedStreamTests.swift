import Foundation
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

/// Two clients listen to a real `qwinkle serve` over an unreliable link while a writer posts.
@MainActor
@Suite(.bounded) struct ServedStreamTests {
  private static let actCount = Soak.isOn ? 2000 : 120

  @Test(arguments: [true, false], [Soak.seed])
  func `both clients match the server after a flapping link`(hasSockets: Bool, seed: UInt64) async throws {
    try await Program.inNewHome { program in
      let token = try await program.makeUser("anna")
      try await program.serving("--unlimited") { url in
        let writer = LiveWriter(token, at: url, seed: seed)
        let clients = try (0...1).map {
          try LiveClient(token, at: url, in: "\(program.home)/\($0)", hasSockets: hasSockets)
        }
        try await wait(for: "a live timeline") { clients.allSatisfy(\.isLive) }
        var downs = 0
        for number in 0..<Self.actCount {
          if number.isMultiple(of: Self.actCount / 6) {
            // One link flaps while the other works.
            clients[downs % 2].link.condition = .flapping
            clients[(downs + 1) % 2].link.condition = .off
            downs += 1
          }
          try await writer.act()
          await Pace.rest(milliseconds: 25)
        }
        for client in clients { client.link.condition = .off }
        var expected = try await writer.rows(of: .home, 40)
        #expect(expected.count == 40)
        // After the many failures of a soak, the next reconnect may be minutes away.
        let patience: Duration = Soak.isOn ? .seconds(600) : Deadline.patience
        try await wait(
          for: "equal lists", within: patience, every: .milliseconds(50), showing: { rows(of: clients, expected) },
          until: { clients.allSatisfy { $0.isLive && $0.rows(40) == expected && $0.cachedRows(40) == expected } })
        // These changes arrive by the stream. Each can delete a row, so that a row moves up that was below the page
        // fetched after an outage. Such a row may have changed during the outage.
        let actCount = 5
        for _ in 0..<actCount { try await writer.act() }
        expected = try await writer.rows(of: .home, 40 - actCount)
        try await wait(for: "the latest posts", showing: { rows(of: clients, expected) }) {
          clients.allSatisfy { $0.rows(expected.count) == expected }
        }
        print(
          "served streams, \(hasSockets ? "WebSocket" : "events"): \(writer.count) acts, link changed \(downs) times")
        for client in clients { await client.close() }
        await writer.close()
      }
    }
  }

  /// Describes the differences between each client's rows and the server's, in memory and on disk.
  private func rows(of clients: [LiveClient], _ expected: [String]) -> String {
    clients.enumerated().map { number, client in
      let (rows, cached) = (client.rows(expected.count), client.cachedRows(expected.count))
      return "client \(number), \(client.isLive ? "live" : "not live"): \(rows.difference(from: expected)), "
        + "on disk: \(cached.difference(from: expected))"
    }.joined(separator: "\n")
  }
}
