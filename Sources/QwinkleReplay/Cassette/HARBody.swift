import FoundationEssentials
import QwinkleWire

/// A request body in HAR form.
struct PostData: Codable {
  private struct Param: Codable {
    var name: String
    var value: String?
  }

  private enum CodingKeys: String, CodingKey {
    case mimeType, text, params
    /// A nonstandard field: `base64` if the body is not text. HAR has no field for a request's encoding.
    case encoding = "_encoding"
  }

  let body: Cassette.Body

  init(_ body: Cassette.Body) {
    self.body = body
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let mimeType = try container.decodeIfPresent(String.self, forKey: .mimeType) ?? ""
    let bytes: [UInt8]
    if let text = try container.decodeIfPresent(String.self, forKey: .text), !text.isEmpty {
      bytes = try BodyText.bytes(
        text, encoding: try container.decodeIfPresent(String.self, forKey: .encoding), container, .text)
    } else {
      // Some programs write a form only as `params`, without `text`.
      let params = try container.decodeIfPresent([Param].self, forKey: .params) ?? []
      bytes = WireEncoder.form(params.map { (name: $0.name, value: $0.value ?? "") })
    }
    body = Cassette.Body(mimeType: mimeType, bytes: bytes)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(body.mimeType, forKey: .mimeType)
    let (text, encoding) = BodyText.text(body.bytes)
    try container.encode(text, forKey: .text)
    try container.encodeIfPresent(encoding, forKey: .encoding)
  }
}

/// A response body in HAR form.
struct Content: Codable {
  private enum CodingKeys: String, CodingKey {
    case size, mimeType, text, encoding
  }

  let body: Cassette.Body

  init(_ body: Cassette.Body) {
    self.body = body
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let text = try container.decodeIfPresent(String.self, forKey: .text) ?? ""
    let encoding = try container.decodeIfPresent(String.self, forKey: .encoding)
    body = Cassette.Body(
      mimeType: try container.decodeIfPresent(String.self, forKey: .mimeType) ?? "",
      bytes: try BodyText.bytes(text, encoding: encoding, container, .text))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(body.bytes.count, forKey: .size)
    try container.encode(body.mimeType, forKey: .mimeType)
    let (text, encoding) = BodyText.text(body.bytes)
    try container.encode(text, forKey: .text)
    try container.encodeIfPresent(encoding, forKey: .encoding)
  }
}

/// Bytes as a JSON string: text if they are UTF-8, otherwise base64.
private enum BodyText {
  static func text(_ bytes: [UInt8]) -> (text: String, encoding: String?) {
    if let text = String(validating: bytes, as: UTF8.self) { return (text, nil) }
    return (Data(bytes).base64EncodedString(), "base64")
  }

  static func bytes<Key: CodingKey>(
    _ text: String, encoding: String?, _ container: KeyedDecodingContainer<Key>, _ key: Key
  ) throws -> [UInt8] {
    guard encoding?.lowercased() == "base64" else { return Array(text.utf8) }
    guard let data = Data(base64Encoded: text) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "not base64")
    }
    return Array(data)
  }
}
