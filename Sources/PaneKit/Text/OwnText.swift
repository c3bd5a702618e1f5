/// Cleaning of text that the user writes. Everything is preserved except control characters, which a terminal could
/// interpret as commands.
public enum OwnText {
  /// Returns `text` without control characters other than tabs and line breaks. Each line break becomes `\n` if
  /// `keepsNewlines` is true, otherwise a space.
  public static func withoutControls(_ text: String, keepsNewlines: Bool) -> String {
    guard !isPlain(text, allowsNewlines: keepsNewlines) else { return text }
    var result = String.UnicodeScalarView()
    var afterCarriageReturn = false
    for scalar in text.unicodeScalars {
      let isSecondHalf = afterCarriageReturn && scalar == "\n"
      afterCarriageReturn = scalar == "\r"
      switch scalar.value {
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029:
        if !isSecondHalf { result.append(keepsNewlines ? "\n" : " ") }
      case 0x09: result.append(scalar)
      case 0x00...0x1F, 0x7F...0x9F: continue
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Whether the text is printable ASCII throughout and needs no cleaning.
  private static func isPlain(_ text: String, allowsNewlines: Bool) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x09 || (allowsNewlines && $0 == 0x0A) }
    }
  }
}
