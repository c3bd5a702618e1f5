import NIOCore

/// Text with gaps for the origin of this service's addresses. Clients reach the service by different names, and any of
/// them can be sent in a `Host` header: so a message is read and encoded once, not once for each name.
struct OriginTemplate: Sendable {
  /// Marks a gap in the text. Random, so that no user's text contains it.
  static let placeholder = Origin(scheme: "http", authority: "\(Secrets.make().prefix(32)).invalid")
  private static let mark = Array(placeholder.url("").utf8)

  /// The text before, between and after the gaps.
  private let parts: [ByteBuffer]

  /// Creates a template from text with ``placeholder`` as the service's origin.
  init(_ text: [UInt8]) {
    let mark = Self.mark
    var parts: [ByteBuffer] = []
    var (start, index) = (0, 0)
    while index + mark.count <= text.count {
      if text[index] == mark[0], text[index..<(index + mark.count)].elementsEqual(mark) {
        parts.append(ByteBuffer(bytes: text[start..<index]))
        index += mark.count
        start = index
      } else {
        index += 1
      }
    }
    parts.append(ByteBuffer(bytes: text[start...]))
    self.parts = parts
  }

  /// The length of the text for a client, in bytes.
  func count(for origin: Origin) -> Int {
    parts.reduce((parts.count - 1) * origin.url("").utf8.count) { $0 + $1.readableBytes }
  }

  /// The text for a client.
  func buffer(for origin: Origin) -> ByteBuffer {
    guard var text = parts.first, parts.count > 1 else { return parts.first ?? ByteBuffer() }
    text.reserveCapacity(count(for: origin))
    for part in parts.dropFirst() {
      text.writeString(origin.url(""))
      text.writeImmutableBuffer(part)
    }
    return text
  }
}
