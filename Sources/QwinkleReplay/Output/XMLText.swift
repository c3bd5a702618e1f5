import QwinkleWire

/// Text as XML has it.
enum XMLText {
  /// `text` between tags or in an attribute. What XML 1.0 cannot say is U+FFFD.
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
