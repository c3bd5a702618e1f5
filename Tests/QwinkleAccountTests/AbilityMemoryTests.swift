import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// A 404 for one object doesn't mark the action as unsupported for other objects. The server in this suite answers any
/// action on the existing object `gone` with an error and performs actions on `fine`.
@MainActor
@Suite(.bounded) struct AbilityMemoryTests {
  /// An action on a qwink or a qwinker.
  struct Way: Sendable, CustomTestStringConvertible {
    let ability: Ability
    /// Performs the action on the object with an id. Returns the error, if any.
    let ask: @MainActor @Sendable (AccountConnection, String) async -> DownloadError?

    var testDescription: String { "\(ability)" }

    init<Answer>(
      _ ability: Ability, _ request: @escaping @Sendable (String) -> Request<Answer>,
      of need: @escaping @Sendable (String) -> AbilityNeed
    ) {
      self.ability = ability
      ask = { connection, id in
        do throws(DownloadError) {
          _ = try await connection.answer(to: request(id), needing: need(id))
          return nil
        } catch {
          return error
        }
      }
    }

    static func qwink<Answer>(
      _ ability: Ability, _ request: @escaping @Sendable (Qwink.ID) -> Request<Answer>
    ) -> Way {
      Way(ability, { request(Qwink.ID($0)) }, of: { AbilityNeed(ability, of: Qwink.ID($0)) })
    }

    static func qwinker<Answer>(
      _ ability: Ability, _ request: @escaping @Sendable (Qwinker.ID) -> Request<Answer>
    ) -> Way {
      Way(ability, { request(Qwinker.ID($0)) }, of: { AbilityNeed(ability, of: Qwinker.sample(id: Qwinker.ID($0))) })
    }
  }

  nonisolated private static let ways: [Way] = [
    .qwink(.pins) { .pin($0, isOn: true) }, .qwink(.threadMutes) { .muteThread($0, isOn: true) },
    .qwink(.editHistory) { .versions($0) }, .qwink(.polls) { .vote(in: Poll.ID($0.rawValue), for: [0]) },
    .qwinker(.mutes) { .mute($0) }, .qwinker(.blocks) { .block($0, isOn: true) },
    .qwinker(.notes) { .note("Tea", about: $0) }, .qwinker(.followerRemoval) { .removeFollower($0) },
  ]

  nonisolated private static func answer(_ request: TransportRequest, status: Int) -> TransportResponse {
    let path = request.head.path ?? ""
    if path.contains("/gone/") { return .text("<h1>Not here</h1>", status: status) }
    let qwink = Qwink.sample(id: "fine")
    switch path {
    case _ where path.hasSuffix("/history"):
      return .json(WireEncoder.versions([QwinkVersion(createdAt: qwink.createdAt, text: qwink.text)], by: qwink.author))
    case _ where path.hasPrefix("/api/v1/polls/"):
      return .json(WireEncoder.poll(Poll(id: "fine", options: [Poll.Option(title: "Tea", votesCount: 3)])))
    case _ where path.hasPrefix("/api/v1/statuses/"): return .json(WireEncoder.qwink(qwink))
    case _ where request.head.method == .post: return .json(WireEncoder.relationship(Relationship(id: "fine")))
    default: return .json(WireEncoder.qwinker(.sample()))
    }
  }

  private func makeAccount(_ transport: ScriptedTransport, _ ledger: ActivityLedger = ActivityLedger()) -> Account {
    let service = DownloadService(
      configuration: .init(serverURL: "https://tilde.example", token: "t"), ledger: ledger, transport: { transport })
    return Account(service: service, cache: nil, outgoing: nil, clock: VirtualClock(), isSignedIn: true)
  }

  @Test(arguments: ways, [404, 405, 501])
  func `only statuses 405 and 501 mark an ability as missing for all objects`(way: Way, status: Int) async {
    let connection = makeAccount(ScriptedTransport { Self.answer($0, status: status) }).connection
    let error = await way.ask(connection, "gone")
    if status == 404 {
      #expect(error == .unsupportedHere(host: "tilde.example", way.ability))
      #expect(error?.sentence == "tilde.example does not support \(way.ability.words), or not for this one.")
      #expect(connection.abilities.missing.isEmpty && connection.refusal(of: way.ability) == nil)
    } else {
      #expect(error == .unsupported(host: "tilde.example", way.ability))
      #expect(connection.abilities.missing == [way.ability])
    }
    #expect(await way.ask(connection, "fine") == nil)
  }

  @Test func `an action refused for an object is not retried until another succeeds`() async {
    let ledger = ActivityLedger()
    let transport = ScriptedTransport { Self.answer($0, status: 404) }
    let account = makeAccount(transport, ledger)
    func mute(_ id: Qwink.ID) async -> Int {
      account.muteThread(of: .sample(id: id), isOn: true) {}
      await ledger.settle()
      return transport.requests.count { $0.head.path == "/api/v1/statuses/\(id)/mute" }
    }
    #expect(await mute("gone") == 1)
    #expect(await mute("gone") == 1)
    #expect(await mute("fine") == 1)
    #expect(await mute("gone") == 2)
  }
}
