import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Commands print the id of the boosted qwink for a boost. Takahe accepts no other id.
@MainActor
@Suite(.bounded) struct BoostIDTests {
  nonisolated private static let boost: Qwink = {
    var boost = Qwink.sample(id: "boosted-7", text: "Kiosk", author: .sample("bob"))
    boost.id = "boost-8"
    boost.booster = .sample("cora")
    boost.boostedAt = boost.createdAt
    return boost
  }()

  @Test(arguments: [["timeline", "home"], ["timeline", "@cora"], ["notifications"]])
  func `a list prints the id of the boosted qwink`(arguments: [String]) async throws {
    let harness = CommandHarness(transport: {
      ScriptedTransport { request in
        let path = String(request.head.path?.prefix { $0 != "?" } ?? "")
        switch path {
        case "/api/v1/accounts/verify_credentials": return .json(WireEncoder.qwinker(.sample("mara"), ownNote: ""))
        case "/api/v1/accounts/lookup": return .json(WireEncoder.qwinker(.sample("cora")))
        case "/api/v1/notifications":
          let boost = Self.boost
          return .json(
            WireEncoder.notifications([
              AccountNotification(
                id: "3", kind: .boost, createdAt: boost.createdAt, qwinker: .sample("cora"), qwink: boost)
            ]))
        default: return .json(WireEncoder.qwinks([Self.boost]))
        }
      }
    })
    let outcome = try await harness.run(arguments)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("boosted-7") && !outcome.output.contains("boost-8"), "\(outcome)")
  }
}
