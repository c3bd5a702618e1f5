import Terminal

/// Makes words of what was meant for the eye.
enum LinearWords {
  /// Draws attention, or a line, and says nothing.
  private static let ornaments: Set<Character> = ["▌", "│", "─", "━"]
  /// As many spaces as tell two things apart.
  private static let maximumSpaces = 2

  /// `text` without ornaments, without blanks at its ends and with few between.
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

  /// Paragraphs as lines, without those that are empty.
  static func lines(_ paragraphs: [[TextRun<StyleRole>]]) -> [String] {
    paragraphs.map { cleaned($0.map(\.text).joined()) }.filter { !$0.isEmpty }
  }
}
