import QwinkleModel

extension WireEncoder {
  /// Encodes the fields of a form as a body (application/x-www-form-urlencoded) or as the query of a URL.
  public static func form(_ fields: [(name: String, value: String)]) -> [UInt8] {
    let pairs = fields.map { "\(PercentEncoding.component($0.name))=\(PercentEncoding.component($0.value))" }
    return Array(pairs.joined(separator: "&").utf8)
  }
}
