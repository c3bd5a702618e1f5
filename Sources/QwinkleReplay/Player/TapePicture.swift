import FoundationEssentials
import HTTPTypes
import QwinkleModel
public import QwinkleWire

/// The picture that tapes post: a blue disc on a gradient, 96 by 64 pixels.
public enum TapePicture {
  private static let boundary = "qwinkle-tape"

  /// Posts `text` with `count` copies of the picture, as the account that `token` belongs to. `key` is the post's
  /// idempotency key. The descriptions of several pictures are numbered.
  public static func post(
    _ text: String, description: String, count: Int = 1, isSensitive: Bool, key: String, as token: String,
    through service: any Transport
  ) async throws {
    var ids: [String] = []
    for number in 1...max(1, count) {
      let form = FormParts.form(
        values: [("description", count > 1 ? "\(description) \(number)" : description)],
        file: ("file", "disc.png", "image/png"), boundary: boundary)
      let answer = try await send(
        "/api/v2/media", form.start + png + form.end, "multipart/form-data; boundary=\(boundary)", token, service)
      guard let picture = try? WireDecoder.attachment(from: answer.body) else {
        throw ReplayFailure(words: "The service did not take the picture.")
      }
      ids.append(picture.id.rawValue)
    }
    let entry = Entry(text: text, attachmentIDs: ids, isSensitive: isSensitive, idempotencyKey: key)
    _ = try await send("/api/v1/statuses", WireEncoder.entry(entry), "application/json", token, service, key: key)
  }

  /// The service rejected the picture or the post.
  public struct ReplayFailure: Error, CustomStringConvertible {
    var words: String
    public var description: String { words }
  }

  private static func send(
    _ path: String, _ body: [UInt8], _ type: String, _ token: String, _ service: any Transport,
    key: String? = nil
  ) async throws -> TransportResponse {
    var head = HTTPRequest(method: .post, scheme: "http", authority: "local", path: path)
    head.headerFields[.contentType] = type
    head.headerFields[.authorization] = "Bearer \(token)"
    if let key, let name = HTTPField.Name("Idempotency-Key") { head.headerFields[name] = key }
    let answer = try await service.send(TransportRequest(head: head, body: body))
    guard (200..<300).contains(answer.head.status.code) else {
      throw ReplayFailure(words: "\(path) failed: \(answer.head.status.code)")
    }
    return answer
  }

  private static var png: [UInt8] { Array(Data(base64Encoded: encoded) ?? Data()) }

  private static let encoded = """
    iVBORw0KGgoAAAANSUhEUgAAAGAAAABACAIAAABqVuVZAAAACXBIWXMAAA7EAAAOxAGVKw4bAAABQklEQVR4nO3aSw6CQBBF0VJY\
    jItxuS7QAbFDNPpAeFV87h0YB9joSRkj9CXido3oIoZH35Odrt9HF/SjPvrqt7DtABIBJAJIBJAIIBFAIoBEAIkAEgEkKgd6TDvs\
    7n0X3ysEmkgzPriAqQRoFs3nC1OZ8oH+1hmvkGeUCbSc5m2pDKY0oBV1xmvajXKAHDptZa9R+c/81ksA8o1PW984RG4gt047i8uI\
    r5jICpQzPu1cliFigkQ+oMzxaWdcf4iYIBFAIoBEAIkAEgEkAkgEkAggEUAigEQAiXxA9/T/q1zuqMgKlDlEXHItyg2UM0Q7vqsR\
    fiNuHJaWA+QbooPcmw+P0aF2d8Tr86zCdMz9QUPLR+ngO8xiwSidZY/i0CymM+5yHSr75BMrB9p6AIkAEgEkAkgEkAggEUAigEQA\
    iQASPQGZvCJpQ8OGwgAAAABJRU5ErkJggg==
    """
}
