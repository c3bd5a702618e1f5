import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleReplay

@Suite(.bounded) struct CassetteScrubbingTests {
  private static let canary = "canary/T0ken+42=="

  /// Returns everything that is recorded of one exchange.
  private static func kept(
    _ request: TransportRequest, _ answer: TransportResponse = .with("{}"), isPrivate: Bool = false
  ) async throws -> String {
    let recorder = RecordingTransport(
      AnsweringTransport { _ in .success(answer) }, clock: VirtualClock(), isPrivate: isPrivate)
    _ = try await recorder.send(request)
    return try everyByte(of: recorder.cassette)
  }

  private static func form(_ text: String) -> String { PercentEncoding.component(text) }

  /// Requests with a secret in every possible position.
  private static let requests: [String: TransportRequest] = [
    "authorization": .to("/", fields: ["Authorization": "Bearer \(canary)"]),
    "basic": .to("/", fields: ["Proxy-Authorization": "Basic \(canary)"]),
    "cookie": .to("/", fields: ["Cookie": "theme=dark; _session_id=\(canary)"]),
    "header": .to("/", fields: ["X-Csrf-Token": canary]),
    "socket": .to("/", fields: ["Sec-WebSocket-Protocol": canary]),
    "query": .to("/stream?stream=user&access_token=\(form(canary))"),
    "query, as it is": .to("/stream?access_token=\(canary)"),
    "query in a query": .to("/go?to=\(form("https://b.example/?token=\(form(canary))"))"),
    "referer": .to("/", fields: ["Referer": "https://tilde.example/?code=\(form(canary))&state=1"]),
    "user": .to("/", host: "me:\(form(canary))@tilde.example"),
    "form": .to("/t", .post, body: "grant_type=password&password=\(form(canary))&x=1", type: TransportRequest.formType),
    "code": .to("/t", .post, body: "code=\(form(canary))", type: TransportRequest.formType),
    "verifier": .to("/t", .post, body: "code_verifier=\(form(canary))", type: TransportRequest.formType),
    "secret": .to("/t", .post, body: "client_secret=\(form(canary))", type: TransportRequest.formType),
    "JSON": .to("/t", .post, body: "{\"user\":{\"password\":\"\(canary)\"}}", type: TransportRequest.jsonType),
    "no type": .to("/t", .post, body: "a=1&access_token=\(form(canary))"),
    "parts": .to(
      "/t", .post, body: "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(canary)\r\n--b--\r\n",
      type: "multipart/form-data; boundary=b"),
  ]

  private static let answers: [String: TransportResponse] = [
    "token": .with("{\"access_token\":\"\(canary)\",\"token_type\":\"Bearer\",\"refresh_token\":\"\(canary)\"}"),
    "app": .with("{ \"client_id\": \"1\", \"client_secret\" :\n \"\(canary)\" }"),
    "list": .with("[{\"tokens\":[\"\(canary)\",{\"x\":\"\(canary)\"}]}]"),
    "escaped": .with("{\"client_secret\":\"\(canary.replacing("/", with: "\\/"))\"}"),
    "escaped letters": .with("{\"client_s\\u0065cret\":\"\(canary)\"}"),
    "cut off": .with("{\"access_token\":\"\(canary)"),
    "damaged": .with("}{]\"access_token\":\"\(canary)\"[[,"),
    "JSON in JSON": .with("{\"data\":\"{\\\"access_token\\\":\\\"\(canary)\\\"}\"}"),
    "address in JSON": .with("{\"url\":\"https://b.example/?access_token=\(form(canary))&x=1\"}"),
    "page": .with("<a href='/?code=\(form(canary))'>x</a>", type: "text/html"),
    "JSON in a page": .with("<p title=\"x\"><script>{\"access_token\":\"\(canary)\"}</script>", type: "text/html"),
    "JSON that is called a text": .with("data: {\"access_token\":\"\(canary)\"}\n", type: "text/event-stream"),
    "bearer in a text": .with("curl -H 'Authorization: Bearer \(canary)'", type: "text/plain"),
    "cookie": .with("{}", fields: [("Set-Cookie", "_session=\(canary); path=/; HttpOnly")]),
    "location": .with("", status: 302, fields: [("Location", "https://b.example/?code=\(form(canary))")]),
    "link": .with("[]", fields: [("Link", "<https://b.example/?max_id=1&access_token=\(form(canary))>; rel=\"next\"")]),
    "header": .with("", fields: [("X-Auth-Token", canary)]),
    "form": .with("oauth_token=\(form(canary))&oauth_token_secret=\(form(canary))", type: TransportRequest.formType),
  ]

  @Test(arguments: [false, true])
  func `no secret is recorded in any position`(isPrivate: Bool) async throws {
    let needles = [
      Self.canary, Self.form(Self.canary), Self.form(Self.form(Self.canary)),
      Self.canary.replacing("/", with: "\\/"), "canary", "T0ken",
    ]
    for (name, request) in Self.requests {
      let kept = try await Self.kept(request, isPrivate: isPrivate)
      #expect(kept.contains("\"request\""), "\(name): \(kept)")
      for needle in needles { #expect(!kept.contains(needle), "\(name): \(kept)") }
    }
    for (name, answer) in Self.answers {
      let kept = try await Self.kept(.to("/"), answer, isPrivate: isPrivate)
      #expect(kept.contains("\"response\""), "\(name): \(kept)")
      for needle in needles { #expect(!kept.contains(needle), "\(name): \(kept)") }
    }
  }

  @Test func `a secret found once is removed everywhere`() async throws {
    let bytes: [UInt8] = [0xFF, 0xD8] + Array(Self.canary.utf8) + [0x00]
    let recorder = RecordingTransport(
      AnsweringTransport { request in
        switch request.head.path {
        case "/picture": .success(TransportResponse(head: HTTPResponse(status: .ok), body: bytes))
        case "/fails": .failure(.local(reason: "The token \(Self.canary) is unknown."))
        default:
          .success(.with("{\"error\":\"\(Self.canary.replacing("/", with: "\\/")) has no rights\"}", status: 403))
        }
      }, clock: VirtualClock())
    _ = try await recorder.send(.to("/users/\(Self.form(Self.canary))/x"))
    _ = try await recorder.send(.to("/picture"))
    _ = try? await recorder.send(.to("/fails"))
    // This request is last, so earlier entries must be scrubbed too.
    _ = try await recorder.send(.to("/a", fields: ["Authorization": "Bearer \(Self.canary)"]))
    let kept = try everyByte(of: recorder.cassette)
    for needle in ["canary", "T0ken"] { #expect(!kept.contains(needle), "\(kept)") }
    #expect(kept.contains("scrubbed has no rights"))
  }

  @Test func `text without secrets is recorded byte for byte`() async throws {
    let body =
      "{\"id\" : 1.50,\"text\":\"a \\u00e9\\/b\",\"list\":[null,true,-1e3],\n\"token_type\":\"Bearer\","
      + "\"token_endpoint\":\"https://b.example/token\",\"content\":\"<p>code &amp; more</p>\"} trailing"
    let recorder = RecordingTransport(AnsweringTransport { _ in .success(.with(body)) }, clock: VirtualClock())
    let answer = try await recorder.send(.to("/a?q=x+y&limit=2"))
    #expect(answer.text == body)
    #expect(recorder.cassette.entries.map { String(decoding: $0.response.body.bytes, as: UTF8.self) } == [body])
    #expect(recorder.cassette.entries.first?.request.url == "https://tilde.example/a?q=x+y&limit=2")
  }

  @Test func `the request is sent unchanged`() async throws {
    let server = AnsweringTransport { _ in .success(.with("{}")) }
    let recorder = RecordingTransport(server, clock: VirtualClock(), isPrivate: true)
    for request in Self.requests.values { _ = try await recorder.send(request) }
    #expect(server.requests.count == Self.requests.count)
    for (sent, given) in zip(server.requests, Self.requests.values) {
      #expect(sent.head == given.head && sent.body == given.body)
    }
  }

  @Test func `scrubbing twice has no further effect`() async throws {
    for isPrivate in [false, true] {
      for (request, answer) in zip(Self.requests.values, Self.answers.values) {
        var scrubber = Scrubber(isPrivate: isPrivate)
        let once = scrubber.scrubbed(
          Cassette.Entry(
            startedDateTime: "", time: 0, request: Cassette.Request(request), response: Cassette.Response(answer)))
        #expect(scrubber.scrubbed(once) == once)
      }
    }
  }
}
