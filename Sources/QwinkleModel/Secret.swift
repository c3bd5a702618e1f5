/// A text that nobody but its owner may see: a token, a client's secret. It says nothing of itself when it is printed,
/// logged or put into an error's words, so that a secret shows up only where code asks for its ``value``.
public struct Secret: Hashable, Sendable {
  /// The secret itself.
  public let value: String

  /// The longest that a token of any server is, and more.
  private static let mostBytes = 4096

  /// A secret that goes into a header, a form or a line of a file as it is: 1 to 4096 visible ASCII characters
  /// (RFC 6750 allows fewer). Nil for everything else. Blanks and line breaks at either end are no part of it.
  public init?(_ text: some StringProtocol) {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let bytes = Array(text.utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    guard (1...Self.mostBytes).contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    value = String(decoding: bytes, as: UTF8.self)
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "(secret)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
