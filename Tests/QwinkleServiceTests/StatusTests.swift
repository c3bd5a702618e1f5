import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@MainActor
@Suite(.bounded) struct StatusTests {
  private func error(
    _ status: Int, _ body: String = "", fields: HTTPFields = [:], token: String? = nil,
    request: Request<Page<Qwink>> = .publicTimeline
  ) async -> DownloadError? {
    let bench = Bench(
      ScriptedTransport { request in
        guard !request.url.hasSuffix("/verify_credentials") else {
          return .json(WireEncoder.qwinker(.sample("mara"), ownNote: ""))
        }
        return TransportResponse(
          head: HTTPResponse(status: .init(code: status), headerFields: fields), body: Array(body.utf8))
      }, token: token)
    await bench.run(request)
    #expect(bench.delegate.errors.count == 1)
    return bench.delegate.errors.first
  }

  private let host = "tilde.example"

  @Test func `each status maps to its error`() async {
    #expect(await error(401) == .needsAuthentication(host: host, message: ""))
    #expect(await error(403, #"{"error":"No"}"#) == .needsAuthentication(host: host, message: "No"))
    #expect(await error(403, #"{"error":"No"}"#, token: "t") == .forbidden(host: host, message: "No"))
    #expect(await error(404, "<html>") == .notFound(host: host, message: ""))
    #expect(await error(410) == .notFound(host: host, message: ""))
    #expect(await error(422, #"{"error":"Too long"}"#, token: "t") == .rejected(host: host, message: "Too long"))
    #expect(await error(400) == .rejected(host: host, message: ""))
    #expect(
      await error(422, #"{"error":"This method requires an authenticated user"}"#)
        == .needsAuthentication(host: host, message: "This method requires an authenticated user"))
    #expect(await error(500) == .serverFailed(host: host, status: 500))
    #expect(await error(503, "<html>") == .serverFailed(host: host, status: 503))
    #expect(await error(507, #"{"error":"Disk full"}"#) == .noRoom(host: host, message: "Disk full"))
    #expect(await error(418) == .unexpectedStatus(host: host, status: 418))
    #expect(await error(304) == .unexpectedStatus(host: host, status: 304))
  }

  @Test func `a rate limit's wait is computed by the response's own clock`() async throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let reset = try #require(HTTPField.Name("X-RateLimit-Reset"))
    func wait(_ fields: HTTPFields) async -> Duration? {
      guard case .rateLimited(_, let wait)? = await error(429, fields: fields) else { return .seconds(-1) }
      return wait
    }
    #expect(await wait([:]) == nil)
    #expect(await wait([.retryAfter: "30"]) == .seconds(30))
    #expect(await wait([.retryAfter: " 1.5 "]) == .milliseconds(1500))
    #expect(await wait([.retryAfter: "-5"]) == .zero)
    #expect(await wait([.retryAfter: "1e300"]) == .seconds(86_400))
    #expect(await wait([.retryAfter: "soon"]) == nil)
    #expect(await wait([.retryAfter: "Sun, 06 Nov 1994 08:51:37 GMT", .date: date]) == .seconds(120))
    #expect(await wait([.retryAfter: "Sun, 06 Nov 1994 08:51:37 GMT"]) == nil)
    #expect(await wait([reset: "1994-11-06T08:50:00.500Z", .date: date]) == .milliseconds(23_500))
    #expect(await wait([reset: "1994-11-06T08:00:00Z", .date: date]) == .zero)
    #expect(await wait([reset: "tomorrow", .date: date]) == nil)
    for year in ["292277026596", "+292277026596", "-292277022400", "99999999999999999999999", "0000"] {
      let wait = await wait([reset: "\(year)-12-04T15:30:07Z", .date: date])
      #expect(wait == nil || wait == .zero, "\(year)")
    }
    for text in ["9223372036854775807", "9223372036854775808", "1e308", "-1e308", "nan", "inf", "-inf", "0x7fp1000"] {
      let wait = await wait([.retryAfter: text])
      #expect(wait == nil || (.zero ... .seconds(86_400)).contains(wait ?? .zero), "\(text)")
    }
    #expect(await wait([.retryAfter: "Sun, 06 Nov 1994 99999999999999999999:51:37 GMT", .date: date]) == nil)
    #expect(await wait([reset: "1994-11-06T08:50:00Z", .date: "Foo, 99 Bar 1994 99:99:99 GMT"]) == nil)
  }

  @Test(arguments: [
    "<!DOCTYPE html><html><body>hello", "", "[{\"id\":\"1\"", "{\"error\":\"x\"}", "plain words", "\u{0}",
  ])
  func `a response that is not from the API is unreadable`(body: String) async {
    guard case .unreadable(let host, let reason)? = await error(200, body) else {
      Issue.record("read \(body)")
      return
    }
    #expect(host == "tilde.example")
    #expect(!reason.isEmpty)
  }

  @Test func `a deeply nested response is unreadable`() async {
    let deep = String(repeating: "[", count: 200_000)
    for body in [deep, deep + String(repeating: "]", count: 200_000)] {
      guard case .unreadable? = await error(200, body) else {
        Issue.record("read \(body.count) bytes of brackets")
        continue
      }
    }
    let other = Bench(ScriptedTransport { _ in .text(deep, status: 500) })
    await other.run(.publicTimeline)
    #expect(other.delegate.errors == [.serverFailed(host: "tilde.example", status: 500)])
  }

  @Test func `a server's message is sanitized and shortened`() async throws {
    let hostile = "\u{1B}]0;owned\u{7}\u{202E}" + String(repeating: "x", count: 1000)
    let body = String(decoding: WireEncoder.error(hostile), as: UTF8.self)
    for status in [400, 401, 403, 404] {
      let sentence = try #require(await error(status, body, token: "t")?.sentence, "\(status)")
      #expect(sentence.count < 320)
      #expect(sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" && $0.value != 0x7F })
    }
    let error = DownloadError.notFound(host: hostile, message: hostile)
    #expect(error.sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }
}
