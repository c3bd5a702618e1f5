/// How large a text is that somebody pastes.
public struct PasteSize: Hashable, Sendable {
  /// More than so much is hardly ever meant to be pasted without looking.
  public static let mostCharacters = 2000
  public static let mostLines = 40

  public let characters: Int
  public let lines: Int

  public init(characters: Int, lines: Int) {
    self.characters = characters
    self.lines = lines
  }

  /// The size of what comes of a text that has been cleaned.
  init(ofCleaned text: String) {
    let newlines = text.utf8.count { $0 == 0x0A }
    // The end of the last line begins no other.
    let lines = newlines + (text.utf8.last == 0x0A ? 0 : 1)
    self.init(characters: Self.characters(in: text), lines: lines)
  }

  /// In plain ASCII each byte is a character.
  private static func characters(in text: String) -> Int {
    text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D } ? text.utf8.count : text.count
  }

  public var isLarge: Bool { characters > Self.mostCharacters || lines > Self.mostLines }
}
