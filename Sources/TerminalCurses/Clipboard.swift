import FoundationEssentials
import SafeText

/// Puts text into the clipboard of a terminal (OSC 52), which may allow it.
enum Clipboard {
  /// Terminals pass over more.
  private static let mostBytes = 74_000

  /// What to send; nil where the text is too long.
  static func sequence(for text: String) -> [UInt8]? {
    let bytes = Array(SafeText.paragraphs(text).utf8)
    guard bytes.count <= mostBytes / 4 * 3 else { return nil }
    return Array("\u{1B}]52;c;".utf8) + Array(Data(bytes).base64EncodedString().utf8) + Array("\u{1B}\\".utf8)
  }
}
