import SafeText

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

  /// The size of what comes of `text` when it is pasted.
  init(_ text: String) {
    let cleaned = SafeText.paragraphs(text)
    let lines = cleaned.split(separator: "\n", omittingEmptySubsequences: false)
    // The end of the last line begins no other.
    self.init(characters: cleaned.count, lines: lines.count - (lines.last?.isEmpty == true ? 1 : 0))
  }

  public var isLarge: Bool { characters > Self.mostCharacters || lines > Self.mostLines }
}
