import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// A server performs due work on time. An embedded service sets no timer.
@Suite(.bounded) struct AlarmTests {
  @Test @MainActor func `due work reaches streams on time without a request`() async throws {
    try await withServedFront { harness, _ in
      let tokens = try harness.people("anna", "ben")
      try harness.follow("ben", by: "anna")
      let stream = try await StreamClient.open(.events, "user", port: harness.port, token: tokens[0])
      let date = WireDate.text(harness.clock.now.addingTimeInterval(900))
      let planned = try await harness.submit(
        "/api/v1/statuses", [("status", "later"), ("scheduled_at", date)], token: tokens[1])
      #expect(planned.head.status == .ok)
      try await Self.whenDue(at: .seconds(900), harness.clock)
      let poll = [("poll[options][]", "a"), ("poll[options][]", "b"), ("poll[expires_in]", "300")]
      let asked = try await harness.submit("/api/v1/statuses", [("status", "which?")] + poll, token: tokens[1])
      let id = try #require(asked.object["poll"] as? [String: Any])["id"] as? String
      _ = try await harness.submit(
        "/api/v1/polls/\(try #require(id))/votes", [("choices[]", "0")], token: tokens[0])
      #expect(await stream.next()?.payload.contains("which?") == true)
      // The timer is set for the earlier of the two.
      try await Self.whenDue(at: .seconds(300), harness.clock)
      await harness.clock.advance(by: .seconds(300))
      #expect(await stream.next()?.member("type") == "poll")
      try await Self.whenDue(at: .seconds(900), harness.clock)
      await harness.clock.advance(by: .seconds(600))
      let posted = await stream.next()
      #expect(posted?.name == "update" && posted?.payload.contains("later") == true)
    }
  }

  @Test @MainActor func `overdue work is done when the server starts`() async throws {
    try await withDirectory { directory in
      let clock = VirtualClock()
      let service = try Service(
        directory: directory, welcome: "", owner: "", clock: clock, passwordCost: .quick)
      let harness = Harness(
        service: service, transport: service.transport(), authority: "localhost", directory: directory, clock: clock)
      let token = try service.addQwinker(named: "anna")
      let date = WireDate.text(clock.now.addingTimeInterval(900))
      _ = try await harness.submit("/api/v1/statuses", [("status", "later"), ("scheduled_at", date)], token: token)
      // An embedded service sets no timer.
      #expect(clock.nextDue == nil)
      service.close()
      await clock.advance(by: .seconds(1000))
      let served = try Service(
        directory: directory, welcome: "", owner: "", clock: clock, passwordCost: .quick, use: .served)
      try await withHTTPFront(of: served) { _ in
        let count = try served.write { try $0.numbers("SELECT count(*) FROM statuses") }
        #expect(count == [1])
      }
    }
  }

  @Test func `planned work is added to the agenda only when its transaction commits`() async throws {
    struct Refused: Error {}
    try await withDirectory { directory in
      let service = try Service(
        directory: directory, welcome: "", owner: "", clock: VirtualClock(), passwordCost: .quick)
      try service.write { session in
        session.plan(2000)
        #expect(service.agenda.next == nil)
      }
      #expect(service.agenda.next == 2000)
      _ = try? service.write { session in
        session.plan(1000)
        throw Refused()
      }
      #expect(service.agenda.next == 2000)
      service.close()
    }
  }

  /// Waits until the timer is set for `time`.
  private static func whenDue(at time: Duration, _ clock: VirtualClock) async throws {
    try await wait(for: "a timer at \(time)", showing: { "\(String(describing: clock.nextDue))" }) {
      clock.nextDue == time
    }
  }
}
