// For `_nfd`: the standard library's decomposition has no stable API.
@_spi(_Unicode) import Swift

/// The words to find in a qwink, with the same semantics as the cache's search index: each is a prefix of a word in the
/// qwink, ignoring case and accents.
public struct RuleWords: Hashable, Sendable {
  /// The words as written.
  public let text: String
  /// The tokens of each word. A word such as `a-b` has two.
  private let words: [[String]]

  /// Returns nil if `text` contains no searchable characters.
  public init?(_ text: String) {
    self.text = text
    words = text.split(whereSeparator: \.isWhitespace).map { Self.tokens(of: String($0)) }.filter { !$0.isEmpty }
    if words.isEmpty { return nil }
  }

  /// Whether all words are in the text of `qwink` or in its hashtags.
  func areIn(_ qwink: Qwink) -> Bool {
    let tokens = Self.tokens(of: (qwink.findableTexts + qwink.writtenTags).joined(separator: "\n"))
    return words.allSatisfy { word in
      tokens.indices.contains { Self.isAt($0, in: tokens, word) }
    }
  }

  /// Whether `tokens` contains the tokens of `word` at index `start`. The last token of `word` only needs to be a
  /// prefix.
  private static func isAt(_ start: Int, in tokens: [String], _ word: [String]) -> Bool {
    guard let last = word.last, start + word.count <= tokens.count else { return false }
    return tokens[start...].starts(with: word.dropLast()) && tokens[start + word.count - 1].hasPrefix(last)
  }

  private static func tokens(of text: String) -> [String] {
    let letters = SearchText.split(text, signs: .words).lowercased()
    var tokens: [String] = []
    var token = ""
    func take(_ scalar: Unicode.Scalar) {
      if SearchText.isInIndex(scalar) {
        token.unicodeScalars.append(scalar)
      } else if scalar.properties.generalCategory != .nonspacingMark, !token.isEmpty {
        tokens.append(token)
        token = ""
      }
    }
    // Decomposition takes most of the time, and ASCII doesn't need it.
    if letters.utf8.allSatisfy({ $0 < 0x80 }) {
      for scalar in letters.unicodeScalars { take(scalar) }
    } else {
      for scalar in letters._nfd { take(scalar) }
    }
    if !token.isEmpty { tokens.append(token) }
    return tokens
  }
}
