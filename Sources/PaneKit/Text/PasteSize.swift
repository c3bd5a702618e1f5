import SafeText

/// The size of a pasted text.
public struct PasteSize: Hashable, Sendable {
  /// Larger pastes are rarely intended, so they need a confirmation.
  public static let maximumCharacters = 2000
  public static let maximumLines = 40

  public let characters: Int
  public let lines: Int

  public init(characters: Int, lines: Int) {
    self.characters = characters
    self.lines = lines
  }

  /// The size of `text` after cleaning. For a long text it is an estimate, because cleaning takes time.
  init(_ text: String) {
    if text.utf8.count <= PasteParts.bytes {
      self.init(ofCleaned: SafeText.paragraphs(text))
    } else {
      self.init(about: text)
    }
  }

  private init(ofCleaned text: String) {
    let newlines = text.utf8.count { $0 == 0x0A }
    // A trailing newline doesn't start another line.
    let lines = newlines + (text.utf8.last == 0x0A ? 0 : 1)
    self.init(characters: Self.isPlain(text) ? text.utf8.count : text.count, lines: lines)
  }

  private init(about text: String) {
    var (characters, breaks) = (0, 0)
    var last: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0x0D || (byte == 0x0A && last != 0x0D) { breaks += 1 }
      // Skip continuation bytes and the second half of a CRLF.
      if byte & 0xC0 != 0x80, !(byte == 0x0A && last == 0x0D) { characters += 1 }
      last = byte
    }
    self.init(characters: characters, lines: breaks + (last == 0x0A || last == 0x0D ? 0 : 1))
  }

  /// Whether each byte is a character. CRLF is a single character, so carriage returns are excluded.
  private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D } }

  public var isLarge: Bool { characters > Self.maximumCharacters || lines > Self.maximumLines }
}
