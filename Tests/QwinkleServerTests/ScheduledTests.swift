import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Scheduled qwinks.
@Suite(.bounded) struct ScheduledTests {
  @concurrent
  private func plan(
    _ text: String, in seconds: TimeInterval, _ more: [(String, String)] = [], key: String = "", at harness: Harness,
    token: String
  ) async throws -> TransportResponse {
    var headers = HTTPFields()
    if let name = HTTPField.Name("Idempotency-Key"), !key.isEmpty { headers[name] = key }
    let date = WireDate.text(harness.clock.now.addingTimeInterval(seconds))
    return try await harness.submit(
      "/api/v1/statuses", [("status", text), ("scheduled_at", date)] + more, token: token, headers: headers)
  }

  @Test(arguments: Front.allCases)
  func `a scheduled qwink can be listed and changed and removed by its author only`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let more = [
        ("visibility", "unlisted"), ("poll[options][]", "a"), ("poll[options][]", "b"), ("poll[expires_in]", "300"),
      ]
      let planned = try await plan("later", in: 3600, more, at: harness, token: alice)
      #expect(planned.head.status == .ok)
      let id = try #require(planned.object["id"] as? String)
      let parameters = try #require(planned.object["params"] as? [String: Any])
      #expect(parameters["text"] as? String == "later" && parameters["visibility"] as? String == "unlisted")
      #expect((parameters["poll"] as? [String: Any])?["options"] as? [String] == ["a", "b"])
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items.isEmpty)
      #expect(try await harness.get("/api/v1/scheduled_statuses", token: alice).text.contains(id))
      #expect(try await harness.get("/api/v1/scheduled_statuses", token: bob).text == "[]")
      let path = "/api/v1/scheduled_statuses/\(id)"
      #expect(try await harness.get(path, token: bob).head.status == .notFound)

      let later = WireDate.text(harness.clock.now.addingTimeInterval(7200))
      let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
      let moved = try await harness.send(
        .put, path, token: alice, headers: form, body: Array("scheduled_at=\(later)".utf8))
      #expect(moved.object["scheduled_at"] as? String == later)
      let soon = WireDate.text(harness.clock.now.addingTimeInterval(200))
      let refused = try await harness.send(
        .put, path, token: alice, headers: form, body: Array("scheduled_at=\(soon)".utf8))
      #expect(refused.head.status == .unprocessableContent)
      #expect(try await plan("too soon", in: 200, at: harness, token: alice).head.status == .unprocessableContent)
      #expect(
        try await plan("for nobody", in: 3600, [("visibility", "direct")], at: harness, token: alice).head.status
          == .unprocessableContent)
      #expect(try await harness.send(.delete, path, token: bob).head.status == .notFound)
      #expect(try await harness.send(.delete, path, token: alice).head.status == .ok)
      #expect(try await harness.get("/api/v1/scheduled_statuses", token: alice).text == "[]")
    }
  }

  @Test @MainActor func `a scheduled qwink is posted once at its time with all its parts`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let root = try await harness.post("root", token: bob)
      let due = harness.clock.now.addingTimeInterval(600)
      let more = [
        ("in_reply_to_id", root.id.rawValue), ("spoiler_text", "care"), ("poll[options][]", "a"),
        ("poll[options][]", "b"), ("poll[expires_in]", "300"),
      ]
      let first = try await plan("@bob later #tag", in: 600, more, key: "k", at: harness, token: alice)
      let again = try await plan("@bob later #tag", in: 600, more, key: "k", at: harness, token: alice)
      #expect(first.object["id"] as? String == again.object["id"] as? String)
      await harness.clock.advance(by: .seconds(599))
      #expect(try await harness.page("/api/v1/timelines/public").items.count == 1)
      await harness.clock.advance(by: .seconds(31))
      let page = try await harness.page("/api/v1/timelines/public")
      let posted = try #require(page.items.first)
      #expect(page.items.count == 2 && posted.text.plainText == "@bob later #tag")
      #expect(posted.inReplyTo == root.id && posted.contentWarning == "care" && posted.poll?.options.count == 2)
      #expect(abs(posted.createdAt.timeIntervalSince(due)) < 1)
      #expect(try await harness.get("/api/v1/scheduled_statuses", token: alice).text == "[]")
      let heard = try await harness.get("/api/v1/notifications", token: bob)
      #expect(try WireDecoder.notifications(from: heard.body, link: nil).items.map(\.kind) == [.mention])
      let repeated = try await plan("@bob later #tag", in: 600, more, key: "k", at: harness, token: alice)
      #expect(try WireDecoder.qwink(from: repeated.body).id == posted.id)
    }
  }

  @Test @MainActor func `overdue qwinks are posted at the next start`() async throws {
    try await withDirectory { directory in
      let clock = VirtualClock()
      func harness() throws -> Harness {
        let service = try Service(
          directory: directory, welcome: "", owner: "", clock: clock, passwordCost: .quick)
        return Harness(
          service: service, transport: service.transport(), authority: "localhost", directory: directory, clock: clock)
      }
      let first = try harness()
      let alice = try first.service.addQwinker(named: "alice")
      _ = try await plan("later", in: 600, at: first, token: alice)
      first.service.close()
      await clock.advance(by: .seconds(86_400))
      let second = try harness()
      #expect(try await second.page("/api/v1/timelines/public").items.map(\.text.plainText) == ["later"])
    }
  }

  @Test @MainActor func `a qwink that can't be posted stays scheduled and blocks no other`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      _ = try harness.service.addQwinker(named: "bob")
      _ = try await plan("@bob secret", in: 600, [("visibility", "direct")], at: harness, token: alice)
      _ = try await plan("open", in: 601, at: harness, token: alice)
      try harness.service.removeUser(named: "bob")
      await harness.clock.advance(by: .seconds(700))
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items.map(\.text.plainText) == ["open"])
      #expect(try await harness.get("/api/v1/scheduled_statuses", token: alice).text.contains("@bob secret"))
    }
  }

  @Test @MainActor func `a scheduled post that fails is rolled back and sends no events`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let picture = ("media_ids[]", try await harness.upload(token: alice).id.rawValue)
      let planned = try await plan("@bob look", in: 600, [picture], at: harness, token: alice)
      #expect(planned.head.status == .ok)
      // Due at the same time, so that it gets the ids of the failed post and its notification.
      _ = try await plan("@bob open", in: 600, at: harness, token: alice)
      try harness.service.write { try $0.run("DELETE FROM media") }
      let listeners = HubListeners(harness.service)
      listeners.add("bob", viewer: try harness.id(of: "bob"), at: [.notifications, .everyone(isLocal: false)])
      await harness.clock.advance(by: .seconds(700))
      let posted = try await harness.page("/api/v1/timelines/home", token: alice).items
      #expect(posted.map(\.text.plainText) == ["@bob open"])
      let heard = try await harness.get("/api/v1/notifications", token: bob)
      #expect(try WireDecoder.notifications(from: heard.body, link: nil).items.map(\.qwink?.id) == [posted.first?.id])
      #expect(try await harness.get("/api/v1/scheduled_statuses", token: alice).text.contains("@bob look"))
      // The failed post isn't retried.
      #expect(try harness.service.write { try $0.nextDue() } == nil)
      let deliveries = try await listeners.next()
      #expect(deliveries.map(\.event).sorted() == ["notification", "update"])
      #expect(deliveries.allSatisfy { $0.payload.contains("open") }, "\(deliveries)")
    }
  }
}
