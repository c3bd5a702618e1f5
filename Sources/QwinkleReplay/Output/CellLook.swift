import Terminal

/// The style of a cell, with colours as terminal numbers, and its textual form.
struct CellLook: Hashable, Sendable {
  var attributes: TextStyle.Attributes
  /// -1 is the terminal's default.
  var foreground: Int
  /// -1 is the terminal's default.
  var background: Int

  /// Attributes without a textual name are dropped.
  init(attributes: TextStyle.Attributes = [], foreground: Int = -1, background: Int = -1) {
    self.attributes = attributes.intersection(Self.known)
    self.foreground = foreground
    self.background = background
  }

  static let plain = CellLook()

  private static let names: [(attribute: TextStyle.Attributes, name: String)] = [
    (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"), (.reverse, "reverse"),
  ]

  private static let known = TextStyle.Attributes(names.map(\.attribute))

  private static let plainName = "plain"

  /// Textual form, such as `bold underline fg=4 bg=#1A2B3C`, or `plain` if nothing is set.
  var words: String {
    var words = Self.names.filter { attributes.contains($0.attribute) }.map(\.name)
    if foreground != -1 { words.append("fg=\(Self.word(forColor: foreground))") }
    if background != -1 { words.append("bg=\(Self.word(forColor: background))") }
    return words.isEmpty ? Self.plainName : words.joined(separator: " ")
  }

  /// Textual form that can't be mistaken for the name of a role: like ``words``, but `plain dim` instead of `dim`.
  var literal: String {
    foreground == -1 && background == -1 && !attributes.isEmpty ? "\(Self.plainName) \(words)" : words
  }

  /// Returns the word for a colour: a palette number in decimal, or a 24-bit colour in hexadecimal.
  private static func word(forColor color: Int) -> String {
    guard (256..<(1 << 24)).contains(color) else { return String(color) }
    return "#" + String(0x100_0000 | color, radix: 16, uppercase: true).dropFirst()
  }
}

extension CellLook {
  /// Parses ``words`` or ``literal``. Returns nil if a word is unknown.
  init?(words: Substring) {
    self.init()
    for (index, word) in words.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index == 0, word == Self.plainName { continue }
      if let known = Self.names.first(where: { $0.name == word }) {
        attributes.formUnion(known.attribute)
      } else if word.hasPrefix("fg="), let color = Self.color(word.dropFirst(3)) {
        foreground = color
      } else if word.hasPrefix("bg="), let color = Self.color(word.dropFirst(3)) {
        background = color
      } else {
        return nil
      }
    }
  }

  private static func color(_ word: Substring) -> Int? {
    word.first == "#" ? Int(word.dropFirst(), radix: 16) : Int(word)
  }
}
