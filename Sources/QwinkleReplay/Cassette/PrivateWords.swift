/// Replaces user-written text so that a screen looks the same and reveals nothing.
///
/// Each word retains only its length, case and script: a Latin word is replaced with a prefix of one long word, a word
/// in another common script with repetitions of one letter. Equal words get equal replacements, so a tag is the same
/// everywhere. The first half of a word gets the first half of the whole word's replacement, so a search still finds
/// its results while the user types. Digits become 0, and every emoji becomes the same emoji. Spaces and punctuation
/// are unchanged. Replacing a text a second time changes nothing.
public enum PrivateWords {
  private static let letters = Array("loremipsumdolorsitametconsecteturadipiscingelitsed")
  private static let capitals = Array("LOREMIPSUMDOLORSITAMETCONSECTETURADIPISCINGELITSED")

  /// Replaces the words of `text`, which is plain text, not HTML.
  public static func replacing(_ text: String) -> String {
    var result = ""
    var word = PrivateWord()
    for character in text { result.append(word.replacement(for: character)) }
    return result
  }

  fileprivate static func letter(_ index: Int, isCapital: Bool) -> Character {
    (isCapital ? capitals : letters)[index % letters.count]
  }
}

/// Replaces the characters of a text one by one and tracks the position in the current word.
struct PrivateWord {
  private var index = 0

  /// Whether the next letter begins a word.
  var isAtStart: Bool { index == 0 }

  mutating func end() {
    index = 0
  }

  /// Returns the replacement for the next character.
  mutating func replacement(for character: Character) -> Character {
    guard let scalar = character.unicodeScalars.first else { return character }
    if character.isNumber, !scalar.properties.isEmojiPresentation { return "0" }
    if character.isLetter {
      defer { index += 1 }
      let isCapital = character.isUppercase
      return Self.script(of: scalar, isCapital: isCapital) ?? PrivateWords.letter(index, isCapital: isCapital)
    }
    index = 0
    if character == "\r\n" { return character }
    if scalar.properties.isEmojiPresentation || (scalar.properties.isEmoji && character.unicodeScalars.count > 1) {
      return "\u{1F642}"
    }
    // A character of several scalars could contain a hidden message, so replace the whole character.
    guard character.unicodeScalars.count == 1 else { return "?" }
    let isFormat = scalar.properties.generalCategory == .format && scalar.value < 0xE0000
    return character.isWhitespace || character.isPunctuation || character.isSymbol || isFormat ? character : "?"
  }

  /// A letter of the same width and direction, for common scripts other than Latin.
  private static func script(of scalar: Unicode.Scalar, isCapital: Bool) -> Character? {
    switch scalar.value {
    case 0x370...0x3FF: isCapital ? "Α" : "α"
    case 0x400...0x52F: isCapital ? "О" : "о"
    case 0x590...0x5FF: "א"
    case 0x600...0x6FF, 0x750...0x77F: "ب"
    case 0x900...0x97F: "क"
    case 0xE00...0xE7F: "ก"
    case 0x3040...0x309F: "あ"
    case 0x30A0...0x30FF: "ア"
    case 0x1100...0x11FF, 0xAC00...0xD7AF: "가"
    case 0x3005, 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: "文"
    case 0xFF00...0xFF60: isCapital ? "Ｌ" : "ｌ"
    default: nil
    }
  }
}
