import Terminal

/// Converts text with a visual layout to plain text.
enum LinearWords {
  /// Characters that are only decoration.
  private static let ornaments: Set<Character> = ["▌", "│", "─", "━"]
  /// Longest run of spaces preserved.
  private static let maximumSpaces = 2

  /// Returns `text` without ornaments and surrounding spaces. Longer runs of spaces are shortened to ``maximumSpaces``.
  static func cleaned(_ text: String) -> String {
    var result = ""
    var spaces = 0
    for character in text where !ornaments.contains(character) {
      if character == " " {
        spaces += 1
      } else {
        if !result.isEmpty { result += String(repeating: " ", count: min(spaces, maximumSpaces)) }
        spaces = 0
        result.append(character)
      }
    }
    return result
  }

  /// Returns paragraphs as plain lines, without empty ones.
  static func lines(_ paragraphs: [[TextRun<StyleRole>]]) -> [String] {
    paragraphs.map { cleaned($0.map(\.text).joined()) }.filter { !$0.isEmpty }
  }
}
