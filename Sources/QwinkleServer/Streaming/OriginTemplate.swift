/// JSON in which the origin of this service's addresses is left open. Clients reach the service by different names, and
/// any of them can be sent in a `Host` header: so a message is read and encoded once, not once for each name.
struct OriginTemplate: Sendable {
  /// Replaced in the JSON by a client's origin. Random, so that no text of a user's contains it.
  static let placeholder = Origin(scheme: "http", authority: "\(Secrets.make().prefix(32)).invalid")
  private static let mark = Array(placeholder.url("").utf8)

  private let parts: [ArraySlice<UInt8>]

  /// Creates a template from JSON with ``placeholder`` as the service's origin.
  init(_ json: [UInt8]) {
    let mark = Self.mark
    var parts: [ArraySlice<UInt8>] = []
    var (start, index) = (0, 0)
    while index + mark.count <= json.count {
      if json[index] == mark[0], json[index..<(index + mark.count)].elementsEqual(mark) {
        parts.append(json[start..<index])
        index += mark.count
        start = index
      } else {
        index += 1
      }
    }
    parts.append(json[start...])
    self.parts = parts
  }

  /// The JSON for a client.
  func bytes(for origin: Origin) -> [UInt8] { Array(parts.joined(separator: origin.url("").utf8)) }
}
