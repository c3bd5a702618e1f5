import NIOCore

/// Text with placeholders for the origin in this service's URLs. Clients reach the service by different names, which
/// they send in the `Host` header. With a template, a message is loaded and encoded only once for all clients.
struct BaseURLTemplate: Sendable {
  /// Marks the placeholders in the text. It is random, so that no user's text contains it.
  static let placeholder = BaseURL(scheme: "http", authority: "\(Secrets.make().prefix(32)).invalid")
  private static let mark = Array(placeholder.url("").utf8)

  /// The text before, between and after the placeholders.
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

  /// Returns the length of the text for a client, in bytes.
  func count(for origin: BaseURL) -> Int {
    parts.reduce((parts.count - 1) * origin.url("").utf8.count) { $0 + $1.readableBytes }
  }

  func buffer(for origin: BaseURL) -> ByteBuffer {
    guard var text = parts.first, parts.count > 1 else { return parts.first ?? ByteBuffer() }
    text.reserveCapacity(count(for: origin))
    for part in parts.dropFirst() {
      text.writeString(origin.url(""))
      text.writeImmutableBuffer(part)
    }
    return text
  }
}
