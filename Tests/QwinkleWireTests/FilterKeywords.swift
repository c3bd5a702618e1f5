import QwinkleModel

@testable import QwinkleWire

extension WireDecoder {
  /// Decodes the keywords of a filter.
  static func filterKeywords(from body: [UInt8]) throws(WireError) -> [ContentFilter.Keyword] {
    try BodyReader(body).all(of: FilterEntity.Keyword.self)
  }
}
