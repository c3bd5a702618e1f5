import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct FollowRequestTests {
  nonisolated private static let hana = Qwinker.sample("hana", displayName: "Hana")
  nonisolated private static let authorize = "POST /api/v1/follow_requests/hana-id/authorize"
  nonisolated private static let reject = "POST /api/v1/follow_requests/hana-id/reject"

  private func notifications(columns: Int = 100) async throws -> Screen {
    let server = ScriptedTimeline([1])
    list(requests: ["3"], on: server)
    for call in [Self.authorize, Self.reject] {
      server.api.answer(call) { _ in
        .json(WireEncoder.relationship(Relationship(id: "hana-id", isFollowedBy: call == Self.authorize)))
      }
    }
    let screen = try await Screen.settled(server, columns: columns)
    await screen.press("4")
    return screen
  }

  /// Lists Hana's requests, newest first, above a follow by erin.
  private func list(requests: [AccountNotification.ID], on server: ScriptedTimeline) {
    let requests = requests.map {
      AccountNotification(id: $0, kind: .followRequest, createdAt: ScriptedTimeline.start, qwinker: Self.hana)
    }
    let follow = AccountNotification(
      id: "2", kind: .follow, createdAt: ScriptedTimeline.start, qwinker: .sample("erin"))
    server.api.pages("GET /api/v1/notifications", of: requests + [follow]) { WireEncoder.notifications($0) }
  }

  private func follows(_ qwinker: Qwinker) -> String { MainWords.requestAnswered(of: qwinker, accepted: true) }

  private func posts(_ screen: Screen) -> [String] { screen.server.api.asked.filter { $0.hasPrefix("POST /api/v1/f") } }

  @Test func `A accepts a follow request once`() async throws {
    let screen = try await notifications()
    let (accept, refuse) = (try Screen.hint(for: .acceptFollow), try Screen.hint(for: .refuseFollow))
    #expect(screen.status.contains(accept) && screen.status.contains(refuse))
    await screen.press("A")
    #expect(screen.status.contains(follows(Self.hana)))
    #expect(screen.text.contains("Hana \(NotificationWords.answered(accepted: true))"))
    #expect(!screen.status.contains(accept))
    await screen.press("A")
    #expect(posts(screen) == [Self.authorize])
  }

  @Test func `X rejects a request after a question`() async throws {
    let screen = try await notifications()
    await screen.press("X")
    #expect(screen.text.contains(ActionWords.refuseQuestion(Self.hana)))
    await screen.press("n")
    #expect(posts(screen).isEmpty)
    await screen.press("X", "y")
    #expect(posts(screen) == [Self.reject])
    #expect(screen.status.contains(MainWords.requestAnswered(of: Self.hana, accepted: false)))
    #expect(screen.text.contains("Hana \(NotificationWords.answered(accepted: false))"))
  }

  @Test func `requests can be answered in the list of requests`() async throws {
    let server = ScriptedTimeline([1])
    server.api.pages("GET /api/v1/follow_requests", of: [Self.hana, .sample("erin")]) { WireEncoder.qwinkers($0) }
    for call in [Self.authorize, "POST /api/v1/follow_requests/erin-id/reject"] {
      server.api.answer(call) { _ in .json(WireEncoder.relationship(Relationship(id: "some-id"))) }
    }
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press(":")
    screen.type("requests")
    await screen.press("Enter")
    let (accept, refuse) = (try Screen.hint(for: .acceptFollow), try Screen.hint(for: .refuseFollow))
    #expect(screen.status.contains(accept) && screen.status.contains(refuse))
    await screen.press("A")
    #expect(screen.status.contains(follows(Self.hana)))
    #expect(!screen.text.contains("Hana"))
    await screen.press("X", "y")
    #expect(screen.status.contains(MainWords.requestAnswered(of: .sample("erin"), accepted: false)))
    #expect(screen.text.contains(QwinkerListWords.nothing(in: .requesters)))
    #expect(!screen.status.contains(accept))
  }

  @Test func `accepting a request that no longer exists is reported`() async throws {
    let screen = try await notifications()
    screen.server.api.answer(Self.authorize) { _ in .json(WireEncoder.error("Record not found"), status: 404) }
    await screen.press("A")
    #expect(screen.status.contains(MainWords.requestAnswered(of: Self.hana, accepted: nil)))
  }

  @Test func `an answer that failed to arrive can be sent again`() async throws {
    let screen = try await notifications()
    screen.server.api.fail(Self.authorize, with: .timedOut(host: ScriptedTimeline.host))
    await screen.press("A")
    #expect(screen.status.contains(FailureWords.failed(FailureWords.answering(accepts: true))))
    screen.server.api.fail(Self.authorize, with: nil)
    await screen.press("A")
    #expect(screen.status.contains(follows(Self.hana)))
  }

  @Test func `an account without a request can't be accepted or rejected`() async throws {
    let screen = try await notifications()
    let accept = try Screen.hint(for: .acceptFollow)
    #expect(screen.status.contains(accept))
    await screen.press("j")
    #expect(!screen.status.contains(accept))
    await screen.press("A", "X")
    #expect(posts(screen).isEmpty)
  }

  @Test func `a repeated request can be answered again`() async throws {
    let screen = try await notifications()
    await screen.press("A")
    list(requests: ["4", "3"], on: screen.server)
    await screen.press("R", "g", "g")
    #expect(screen.text.contains("Hana \(NotificationWords.verb(of: .followRequest))"))
    await screen.press("A")
    #expect(posts(screen) == [Self.authorize, Self.authorize])
  }
}
