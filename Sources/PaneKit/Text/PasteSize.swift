import SafeText

/// How large a text is that somebody pastes.
public struct PasteSize: Hashable, Sendable {
  /// More than so much is hardly ever meant to be pasted without looking.
  public static let maximumCharacters = 2000
  public static let maximumLines = 40

  public let characters: Int
  public let lines: Int

  public init(characters: Int, lines: Int) {
    self.characters = characters
    self.lines = lines
  }

  /// The size of what comes of `text` when it is pasted; of a long one about: to clean it takes its time.
  init(_ text: String) {
    if text.utf8.count <= PasteParts.bytes {
      self.init(ofCleaned: SafeText.paragraphs(text))
    } else {
      self.init(about: text)
    }
  }

  private init(ofCleaned text: String) {
    let newlines = text.utf8.count { $0 == 0x0A }
    // The end of the last line begins no other.
    let lines = newlines + (text.utf8.last == 0x0A ? 0 : 1)
    self.init(characters: Self.isPlain(text) ? text.utf8.count : text.count, lines: lines)
  }

  private init(about text: String) {
    var (characters, breaks) = (0, 0)
    var last: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0x0D || (byte == 0x0A && last != 0x0D) { breaks += 1 }
      // The bytes of a character behind its first, and half of a line break.
      if byte & 0xC0 != 0x80, !(byte == 0x0A && last == 0x0D) { characters += 1 }
      last = byte
    }
    self.init(characters: characters, lines: breaks + (last == 0x0A || last == 0x0D ? 0 : 1))
  }

  /// In plain ASCII each byte is a character.
  private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D } }

  public var isLarge: Bool { characters > Self.maximumCharacters || lines > Self.maximumLines }
}
