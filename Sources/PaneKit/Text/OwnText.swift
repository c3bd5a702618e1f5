/// What a person writes is kept as it came: only what would command a terminal is left out.
public enum OwnText {
  /// `text` without controls but tabs and line breaks (as `\n`, or as spaces).
  public static func withoutControls(_ text: String, keepsNewlines: Bool) -> String {
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
}
