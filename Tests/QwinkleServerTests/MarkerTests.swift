import HTTPTypes
import QwinkleModel
import QwinkleServer
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@Suite(.bounded) struct MarkerTests {
  @concurrent
  private func save(
    _ harness: Harness, _ body: String, type: String = "application/json", token: String?
  ) async throws -> TransportResponse {
    try await harness.send(
      .post, "/api/v1/markers", token: token, headers: [.contentType: type], body: Array(body.utf8))
  }

  @Test(arguments: Front.allCases)
  func `read positions from JSON or forms are saved for each account`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let saved = try await save(harness, #"{"home":{"last_read_id":"101"}}"#, token: alice)
      let home = try WireDecoder.readPositions(from: saved.body)
      #expect(home.map(\.place) == [.home] && home.map(\.lastReadID) == ["101"])
      #expect(home.first?.updatedAt == harness.clock.now)
      let form = "application/x-www-form-urlencoded"
      for body in ["home[last_read_id]=102&notifications[last_read_id]=7", "home%5Blast_read_id%5D=103"] {
        #expect(try await save(harness, body, type: form, token: alice).head.status == .ok)
      }
      let both = "/api/v1/markers?timeline%5B%5D=home&timeline%5B%5D=notifications"
      let kept = try WireDecoder.readPositions(from: try await harness.get(both, token: alice).body)
      #expect(Set(kept.map { "\($0.place) \($0.lastReadID) \($0.version)" }) == ["home 103 3", "notifications 7 1"])
      let one = try await harness.get("/api/v1/markers?timeline=notifications", token: alice)
      #expect(try WireDecoder.readPositions(from: one.body).map(\.place) == [.notifications])
      for (target, token) in [("/api/v1/markers", alice), (both, bob)] {
        #expect(try await harness.get(target, token: token).text == "{}")
      }
      #expect(try await harness.get(both).head.status == .unauthorized)
      #expect(try await save(harness, "{}", token: nil).head.status == .unauthorized)
    }
  }

  @Test func `a marker with an outdated version is rejected as a conflict`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      #expect(try await save(harness, #"{"home":{"last_read_id":"1","version":0}}"#, token: alice).head.status == .ok)
      let late = try await save(harness, #"{"home":{"last_read_id":"2","version":0}}"#, token: alice)
      #expect(late.head.status == .conflict)
      #expect(late.errorMessage != nil)
      #expect(try await save(harness, #"{"home":{"last_read_id":2,"version":"1"}}"#, token: alice).head.status == .ok)
    }
  }

  @Test func `an invalid marker is rejected and an empty one is ignored`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      for body in [
        #"{"home":{"last_read_id":"x"}}"#, #"{"home":{"last_read_id":"-1"}}"#, #"{"home":{"version":1}}"#,
        #"{"elsewhere":{"last_read_id":"1"}}"#, #"{"home":"1"}"#,
      ] {
        let answer = try await save(harness, body, token: alice)
        #expect(answer.head.status == .unprocessableContent, "\(body)")
      }
      for body in [#"{"home":{"last_read_id":""}}"#, #"{"home":null}"#, "{}"] {
        #expect(try await save(harness, body, token: alice).text == "{}")
      }
      #expect(try await save(harness, "[1", token: alice).head.status == .badRequest)
    }
  }
}
