import HTTPTypes
@testable import QwinkleReplay
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@Suite(.bounded) struct CassetteTransportTests {
  @Test func `recorded responses, errors and redirects are replayed`() async throws {
    let server = AnsweringTransport { request in
      switch request.head.path {
      case "/gone": .failure(.refused(host: "tilde.example"))
      case "/old":
        .success(.with("", status: 302, type: nil, fields: [("Location", "https://tilde.example/new?token=abcdefgh")]))
      default: .success(.with("[1]", fields: [("Link", "<https://tilde.example/x?max_id=3>; rel=\"next\"")]))
      }
    }
    let clock = VirtualClock()
    let recorder = RecordingTransport(server, clock: clock)
    _ = try await recorder.send(.to("/api?limit=2"))
    await #expect(throws: TransportError.refused(host: "tilde.example")) { try await recorder.send(.to("/gone")) }
    _ = try await recorder.send(.to("/old"))

    let file = try recorder.cassette.har()
    let replay = CassetteTransport(try Cassette(har: file))
    let answer = try await replay.send(.to("/api?limit=2"))
    #expect(answer.text == "[1]" && answer.head.status == .ok)
    #expect(
      HTTPField.Name("Link").flatMap { answer.head.headerFields[$0] }
        == "<https://tilde.example/x?max_id=3>; rel=\"next\"")
    await #expect(throws: TransportError.refused(host: "tilde.example")) { try await replay.send(.to("/gone")) }
    let redirect = try await replay.send(.to("/old"))
    #expect(redirect.head.headerFields[.location] == "https://tilde.example/new?token=scrubbed")
  }

  @Test func `transports that share a cassette record in one order`() async throws {
    let server = AnsweringTransport { .success(.with($0.head.path ?? "")) }
    let first = RecordingTransport(server, clock: VirtualClock())
    let pictures = RecordingTransport(server, sharing: first)
    _ = try await first.send(.to("/api"))
    _ = try await pictures.send(.to("/picture"))
    _ = try await first.send(.to("/next"))
    let replay = CassetteTransport(first.cassette)
    for path in ["/api", "/picture", "/next"] { #expect(try await replay.send(.to(path)).text == path) }
    #expect(pictures.cassette.entries.count == 3)
  }

  @Test func `equal requests get their responses in order and then the last again`() async throws {
    let replay = CassetteTransport(
      Cassette(entries: [
        .to("https://a.example/t?a=1&b=2", answer: "one"), .to("https://a.example/u", answer: "other"),
        .to("https://a.example/t?b=2&a=1", answer: "two"),
      ]))
    for expected in ["one", "two", "two", "two"] {
      #expect(try await replay.send(.to("/t?b=2&a=1", host: "a.example")).text == expected)
    }
    // On another host, for example because the recorded server is stopped.
    #expect(try await replay.send(.to("/u", host: "b.example")).text == "other")
  }

  @Test func `a response from the same host is preferred`() async throws {
    let replay = CassetteTransport(
      Cassette(entries: [.to("https://a.example/i", answer: "a"), .to("https://b.example/i", answer: "b")]))
    #expect(try await replay.send(.to("/i", host: "b.example")).text == "b")
    #expect(try await replay.send(.to("/i", host: "b.example")).text == "b")
    #expect(try await replay.send(.to("/i", host: "c.example")).text == "a")
  }

  @Test func `bodies are compared by field and a write is answered as often as recorded`() async throws {
    let replay = CassetteTransport(
      Cassette(entries: [
        .to("https://a.example/p", "POST", body: "status=One&visibility=direct", answer: "one"),
        .to(
          "https://a.example/p", "POST", body: "{\"a\":1,\"b\":[\"x\",true]}", type: "application/json", answer: "two"),
      ]))
    let json = try await replay.send(.to("/p", .post, body: "{ \"b\": [\"x\", true], \"a\": 1 }", type: "text/json"))
    #expect(json.text == "two")
    let form = TransportRequest.to("/p", .post, body: "visibility=direct&status=One", type: TransportRequest.formType)
    #expect(try await replay.send(form).text == "one")
    await #expect(
      throws: TransportError.local(reason: "All responses to POST /p are used up. The last is entry 1.")
    ) { try await replay.send(form) }
    let other = TransportRequest.to("/p", .post, body: "status=Two&visibility=direct", type: TransportRequest.formType)
    await #expect(
      throws: TransportError.local(
        reason: "The cassette has no response to POST /p. Entry 1 has other fields: status.")
    ) { try await replay.send(other) }
  }

  @Test(arguments: [
    ("/api/v1/timelines/hom", "GET /api/v1/timelines/home?limit=40", 1),
    ("/api/v1/timelines/home?limit=20", "GET /api/v1/timelines/home?limit=40", 1),
    ("/api/v1/accounts/8/statuses", "GET /api/v1/accounts/7/statuses", 2),
    ("/api/v1/statuses", "POST /api/v1/statuses", 3),
  ])
  func `an unknown request names the nearest entry`(path: String, nearest: String, number: Int) async {
    let replay = CassetteTransport(
      Cassette(entries: [
        .to("https://a.example/api/v1/timelines/home?limit=40", answer: ""),
        .to("https://a.example/api/v1/accounts/7/statuses", answer: ""),
        .to("https://a.example/api/v1/statuses", "POST", body: "status=x", answer: ""),
      ]))
    await #expect(
      throws: TransportError.local(
        reason: "The cassette has no response to GET \(path). The nearest is entry \(number): \(nearest).")
    ) { try await replay.send(.to(path)) }
  }

  @Test func `an empty cassette reports that it is empty`() async {
    await #expect(
      throws: TransportError.local(reason: "The cassette has no response to GET /x. It is empty.")
    ) { try await CassetteTransport(Cassette()).send(.to("/x")) }
  }

  @Test func `a cancelled request is skipped if another response was recorded`() async throws {
    var given = Cassette.Entry.to("https://a.example/t", answer: "", status: 0)
    given.failure = Cassette.Failure(kind: "cancelled")
    let replay = CassetteTransport(Cassette(entries: [given, .to("https://a.example/t", answer: "later")]))
    #expect(try await replay.send(.to("/t")).text == "later")
    await #expect(throws: TransportError.cancelled) {
      try await CassetteTransport(Cassette(entries: [given])).send(.to("/t"))
    }
  }

  @Test func `size limits apply and an invalid status is malformed`() async {
    var odd = Cassette.Entry.to("https://a.example/odd", answer: "")
    odd.response.status = 7
    let replay = CassetteTransport(Cassette(entries: [odd, .to("https://a.example/t", answer: "12345")]))
    await #expect(throws: TransportError.malformed(host: "tilde.example")) { try await replay.send(.to("/odd")) }
    let request = TransportRequest.to("/t").limited(mostBytes: 4)
    await #expect(throws: TransportError.tooLarge(host: "tilde.example")) { try await replay.send(request) }
  }

  @Test func `requests that differ only in secrets match`() async throws {
    let server = AnsweringTransport { _ in .success(.with("{\"access_token\":\"first-token\"}")) }
    let recorder = RecordingTransport(server, clock: VirtualClock())
    func request(_ code: String) -> TransportRequest {
      .to(
        "/oauth/token?client_secret=\(code)", .post, body: "grant_type=authorization_code&code=\(code)",
        type: TransportRequest.formType)
    }
    _ = try await recorder.send(request("first-code"))
    let replay = CassetteTransport(recorder.cassette)
    #expect(try await replay.send(request("other-code")).text == "{\"access_token\":\"scrubbed\"}")
  }

  @Test @MainActor func `responses can be delayed as in the recording`() async throws {
    let (clock, ledger) = (VirtualClock(), ActivityLedger())
    let replay = CassetteTransport(
      Cassette(entries: [.to("https://a.example/t", answer: "slow", time: 1500)]), clock: clock)
    let activity = ledger.begin("request")
    let task = Activity.$current.withValue(activity) {
      Task {
        defer { activity.end() }
        return try await replay.send(.to("/t")).text
      }
    }
    await ledger.settle()
    #expect(ledger.parked == ["request"])
    clock.advance(by: .milliseconds(1500))
    #expect(try await task.value == "slow")
    let short = TransportRequest.to("/t").limited(timeout: .seconds(1))
    let late = ledger.begin("late")
    let lateTask = Activity.$current.withValue(late) {
      Task {
        defer { late.end() }
        return try await replay.send(short).text
      }
    }
    await ledger.settle()
    clock.advance(by: .seconds(1))
    await #expect(throws: TransportError.timedOut(host: "tilde.example")) { try await lateTask.value }
  }

  @Test @MainActor func `entries are ordered by their start and timed by the clock`() async throws {
    let (clock, ledger) = (VirtualClock(), ActivityLedger())
    let server = AnsweringTransport { request in
      if request.head.path == "/slow" { _ = await ClockWait(on: clock).wait(for: .milliseconds(250)) }
      return .success(.with("{}"))
    }
    let recorder = RecordingTransport(server, clock: clock)
    let activity = ledger.begin("slow")
    let slow = Activity.$current.withValue(activity) {
      Task {
        defer { activity.end() }
        return try await recorder.send(.to("/slow"))
      }
    }
    await ledger.settle()
    clock.advance(by: .milliseconds(100))
    _ = try await recorder.send(.to("/fast"))
    #expect(recorder.cassette.entries.map(\.request.url) == ["https://tilde.example/fast"])
    clock.advance(by: .milliseconds(150))
    _ = try await slow.value
    #expect(recorder.cassette.entries.map(\.time) == [250, 0])
    #expect(
      recorder.cassette.entries.map(\.startedDateTime) == ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.100Z"])
  }
}
