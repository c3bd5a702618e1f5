import SafeText

/// A token or another secret. Printing, logging or interpolating it reveals nothing: only ``value`` exposes the text.
public struct Secret: Hashable, Sendable {
  public let value: String

  /// Exceeds the longest token of any server.
  private static let mostBytes = 4096

  /// Accepts 1 to 4096 visible ASCII characters, which are safe in a header, a form or a line of a file (RFC 6750
  /// allows fewer). Trims spaces and line breaks at both ends. Returns nil for any other text.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8).trimmed { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard (1...Self.mostBytes).contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    value = String(decoding: bytes, as: UTF8.self)
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "(secret)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
