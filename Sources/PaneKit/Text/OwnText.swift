/// What a person writes is kept as it came: only what would command a terminal is left out.
public enum OwnText {
  /// `text` without controls but tabs and line breaks (as `\n`, or as spaces).
  public static func withoutControls(_ text: String, keepsNewlines: Bool) -> String {
    guard !isPlain(text, allowsNewlines: keepsNewlines) else { return text }
    var kept = String.UnicodeScalarView()
    var afterCarriageReturn = false
    for scalar in text.unicodeScalars {
      let isSecondHalf = afterCarriageReturn && scalar == "\n"
      afterCarriageReturn = scalar == "\r"
      switch scalar.value {
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029:
        if !isSecondHalf { kept.append(keepsNewlines ? "\n" : " ") }
      case 0x09: kept.append(scalar)
      case 0x00...0x1F, 0x7F...0x9F: continue
      default: kept.append(scalar)
      }
    }
    return String(kept)
  }

  /// Whether all of it is printable ASCII, which need not be looked at further.
  private static func isPlain(_ text: String, allowsNewlines: Bool) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x09 || (allowsNewlines && $0 == 0x0A) }
    }
  }
}
