/// A text to search for filter keywords. The search ignores case.
public struct FilteredText: Sendable {
  /// Maximum number of keywords in a match. Each matching qwink lists its keywords, so the limit keeps pages small.
  private static let mostNamed = 3

  private let bytes: [UInt8]

  public init(_ texts: [String]) { bytes = Self.folded(texts.joined(separator: "\n")) }

  /// Returns the keywords that occur in the text, up to a limit.
  public func found(_ words: some Sequence<ContentFilter.Keyword>) -> [String] {
    var found: [String] = []
    for word in words where found.count < Self.mostNamed && !found.contains(word.text) {
      if contains(word.text, isWhole: word.isWhole) { found.append(word.text) }
    }
    return found
  }

  /// Whether `word` occurs in the text. If `isWhole` is true, only whole words match.
  public func contains(_ word: String, isWhole: Bool) -> Bool {
    let word = Self.folded(word)
    guard let first = word.first, let last = word.last, word.count <= bytes.count else { return false }
    for start in 0...(bytes.count - word.count) where bytes[start] == first {
      let end = start + word.count
      guard bytes[start..<end].elementsEqual(word) else { continue }
      guard isWhole else { return true }
      let isOpen = start > 0 && Self.isInWord(first) && Self.isInWord(bytes[start - 1])
      let isUnended = end < bytes.count && Self.isInWord(last) && Self.isInWord(bytes[end])
      if !isOpen && !isUnended { return true }
    }
    return false
  }

  private static func folded(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }

  /// Whether a UTF-8 byte counts as part of a word: an ASCII letter or digit, or part of a character beyond ASCII.
  private static func isInWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
    default: false
    }
  }
}
