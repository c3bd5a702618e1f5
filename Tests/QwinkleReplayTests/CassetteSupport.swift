import HTTPTypes
@testable import QwinkleReplay
import QwinkleWire
import Synchronization

/// A transport with scripted responses. It records its requests.
final class AnsweringTransport: Transport {
  private let answer: @Sendable (TransportRequest) async -> Result<TransportResponse, TransportError>
  private let asked = Mutex<[TransportRequest]>([])

  init(_ answer: @escaping @Sendable (TransportRequest) async -> Result<TransportResponse, TransportError>) {
    self.answer = answer
  }

  var requests: [TransportRequest] { asked.withLock { $0 } }

  @concurrent func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    asked.withLock { $0.append(request) }
    return try await answer(request).get()
  }
}

extension TransportRequest {
  static func to(
    _ path: String, _ method: HTTPRequest.Method = .get, host: String = "tilde.example", fields: [String: String] = [:],
    body: String = "", type: String? = nil
  ) -> TransportRequest {
    var head = HTTPRequest(method: method, scheme: "https", authority: host, path: path)
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      guard let name = HTTPField.Name(name) else { continue }
      head.headerFields[name] = value
    }
    if let type { head.headerFields[.contentType] = type }
    return TransportRequest(head: head, body: Array(body.utf8))
  }

  /// Returns a copy with other limits.
  func limited(mostBytes: Int = 8 << 20, timeout: Duration = .seconds(30)) -> TransportRequest {
    var limited = self
    limited.mostBytes = mostBytes
    limited.timeout = timeout
    return limited
  }

  static let formType = "application/x-www-form-urlencoded"
  static let jsonType = "application/json; charset=utf-8"
}

extension TransportResponse {
  static func with(
    _ body: String, status: Int = 200, type: String? = TransportRequest.jsonType, fields: [(String, String)] = []
  ) -> TransportResponse {
    TransportResponse(head: head(status, type: type, fields: fields), body: Array(body.utf8))
  }

  static func head(_ status: Int, type: String?, fields: [(String, String)]) -> HTTPResponse {
    var head = HTTPResponse(status: HTTPResponse.Status(code: status))
    if let type { head.headerFields[.contentType] = type }
    for (name, value) in fields {
      guard let name = HTTPField.Name(name) else { continue }
      head.headerFields.append(HTTPField(name: name, value: value))
    }
    return head
  }

  var text: String { String(decoding: body, as: UTF8.self) }
}

extension Cassette.Entry {
  /// An exchange that received a response.
  static func to(
    _ url: String, _ method: String = "GET", body: String? = nil, type: String = TransportRequest.formType,
    answer: String, status: Int = 200, time: Double = 0
  ) -> Cassette.Entry {
    Cassette.Entry(
      startedDateTime: "2026-01-01T00:00:00.000Z", time: time,
      request: Cassette.Request(
        method: method, url: url, body: body.map { Cassette.Body(mimeType: type, bytes: Array($0.utf8)) }),
      response: Cassette.Response(
        status: status, body: Cassette.Body(mimeType: TransportRequest.jsonType, bytes: Array(answer.utf8))))
  }
}

/// Returns all readable text of a cassette: its file, and the bodies that the file contains in base64.
func everyByte(of cassette: Cassette) throws -> String {
  let bodies = cassette.entries.flatMap { [$0.request.body?.bytes ?? [], $0.response.body.bytes] }
  return String(decoding: try cassette.har(), as: UTF8.self)
    + bodies.map { String(decoding: $0, as: UTF8.self) }.joined()
}
