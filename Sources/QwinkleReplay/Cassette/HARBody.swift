import FoundationEssentials
import QwinkleWire

private enum HARBodyKeys: String, CodingKey {
  case size, mimeType, text, encoding, params
  /// The encoding of a request's body, which HAR has no field for.
  case requestEncoding = "_encoding"
}

/// A request or response body in HAR form: text if the bytes are UTF-8, otherwise base64.
struct HARBody: Encodable {
  let body: Cassette.Body
  let isRequest: Bool

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: HARBodyKeys.self)
    if !isRequest { try container.encode(body.bytes.count, forKey: .size) }
    try container.encode(body.mimeType, forKey: .mimeType)
    let text = String(validating: body.bytes, as: UTF8.self)
    try container.encode(text ?? Data(body.bytes).base64EncodedString(), forKey: .text)
    if text == nil { try container.encode("base64", forKey: isRequest ? .requestEncoding : .encoding) }
  }
}

extension Cassette.Body: Decodable {
  private struct Param: Decodable {
    var name: String
    var value: String?
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: HARBodyKeys.self)
    mimeType = try container.decodeIfPresent(String.self, forKey: .mimeType) ?? ""
    let text = try container.decodeIfPresent(String.self, forKey: .text) ?? ""
    let encoding =
      try container.decodeIfPresent(String.self, forKey: .encoding)
      ?? container.decodeIfPresent(String.self, forKey: .requestEncoding)
    if text.isEmpty {
      // Some programs write a form only as `params`, without `text`.
      let params = try container.decodeIfPresent([Param].self, forKey: .params) ?? []
      bytes = WireEncoder.form(params.map { (name: $0.name, value: $0.value ?? "") })
    } else if encoding?.lowercased() == "base64" {
      guard let data = Data(base64Encoded: text) else {
        throw DecodingError.dataCorruptedError(forKey: .text, in: container, debugDescription: "not base64")
      }
      bytes = Array(data)
    } else {
      bytes = Array(text.utf8)
    }
  }
}
