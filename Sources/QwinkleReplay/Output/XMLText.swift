import QwinkleWire

/// Escapes text for XML.
enum XMLText {
  /// Escapes `text` for content and attributes. Line breaks and tabs become spaces. Other control characters, and
  /// characters that XML 1.0 forbids, become U+FFFD.
  static func escaped(_ text: String) -> String {
    let characters = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar {
      case "\t", "\n", "\r": " "
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: scalar
      }
    }
    return HTMLText.escaped(String(String.UnicodeScalarView(characters)))
  }
}
