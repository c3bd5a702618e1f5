import FoundationEssentials
import SafeText

/// Sequences that copy text to a terminal's clipboard (OSC 52). The terminal may refuse.
enum Clipboard {
  /// Terminals ignore longer sequences.
  private static let maximumBytes = 74_000
  private static let start = Array("\u{1B}]52;c;".utf8)
  private static let end = Array("\u{1B}\\".utf8)

  /// Returns the bytes to send, or nil if the text is too long.
  static func sequence(for text: String) -> [UInt8]? {
    let bytes = Array(SafeText.paragraphs(text).utf8)
    guard bytes.count <= maximumBytes / 4 * 3 else { return nil }
    return start + Array(Data(bytes).base64EncodedString().utf8) + end
  }

  /// Returns the text in a clipboard sequence, or nil for other bytes.
  static func text(in bytes: [UInt8]) -> String? {
    guard bytes.starts(with: start) else { return nil }
    let encoded = String(decoding: bytes.dropFirst(start.count).dropLast(end.count), as: UTF8.self)
    return Data(base64Encoded: encoded).map { String(decoding: $0, as: UTF8.self) }
  }
}
