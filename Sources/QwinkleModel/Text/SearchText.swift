import SafeText

/// Prepares texts and queries for a full-text index (FTS5 with the tokenizer `unicode61`).
public enum SearchText {
  /// The treatment of emoji and other symbols, which the tokenizer drops.
  public enum Signs: Sendable {
    case dropped
    /// Each becomes a separate word, so that it is searchable.
    case words
  }

  /// Maximum number of words in a query; the rest is ignored.
  private static let mostTerms = 16
  /// Maximum number of characters of a word in a query. A longer word is cut to this length, and still matches as a
  /// prefix.
  private static let mostCharacters = 100
  /// Maximum number of index tokens in a query, because FTS5 holds each token's hits in memory. `a-b` is one word but
  /// two tokens.
  private static let mostTokens = 32

  /// Splits a visible text into words for the index. In scripts without spaces, each character becomes a word, so that
  /// any part is searchable.
  public static func indexed(_ text: String) -> String {
    split(SafeText.paragraphs(text))
  }

  /// Splits text sanitized by SafeText into words, like ``indexed(_:)``.
  public static func split(_ text: String, signs: Signs = .dropped) -> String {
    guard text.unicodeScalars.contains(where: { isWordAlone($0) || signs == .words && isSign($0) }) else { return text }
    var result = String.UnicodeScalarView()
    var isAfterWord = false
    for scalar in text.unicodeScalars {
      let isWord = isWordAlone(scalar)
      if signs == .words, isSign(scalar) {
        result.append(contentsOf: " sign\(String(scalar.value, radix: 16)) ".unicodeScalars)
        isAfterWord = false
        continue
      }
      if isWord || isAfterWord { result.append(" ") }
      result.append(scalar)
      isAfterWord = isWord
    }
    return String(result)
  }

  /// Returns an FTS5 expression that matches texts in which each word of `query` is the beginning of a word. Returns
  /// nil if `query` has no words. Query text is never interpreted as FTS5 syntax.
  public static func expression(for query: String, signs: Signs = .dropped) -> String? {
    var terms: [String] = []
    var tokensLeft = mostTokens
    // Don't process text far beyond the last word that can be used.
    let start = query.unicodeScalars.prefix(mostTerms * (mostCharacters + 1) * 4)
    for word in SafeText.line(String(start)).split(whereSeparator: \.isWhitespace) {
      if terms.count == mostTerms || tokensLeft == 0 { break }
      let term = firstTokens(of: split(String(word.prefix(mostCharacters)), signs: signs), &tokensLeft)
      if !term.isEmpty, !terms.contains(term) { terms.append(term) }
    }
    guard !terms.isEmpty else { return nil }
    return terms.map { "\"\($0.replacing("\"", with: " "))\"*" }.joined(separator: " ")
  }

  /// Returns the beginning of a text with at most `left` tokens, and subtracts their number from `left`. Returns an
  /// empty string if the text has no tokens.
  private static func firstTokens(of text: String, _ left: inout Int) -> String {
    let scalars = text.unicodeScalars
    var tokens = 0
    var isInToken = false
    for index in scalars.indices {
      let isPart = isInIndex(scalars[index])
      if isPart, !isInToken {
        if tokens == left {
          left = 0
          return String(scalars[..<index])
        }
        tokens += 1
      }
      isInToken = isPart
    }
    left -= tokens
    return tokens > 0 ? text : ""
  }

  /// Whether the index includes a character: letters and digits.
  static func isInIndex(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  /// Whether a character is an emoji or similar symbol. Excludes skin tones, which modify the previous symbol.
  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0xA6 && scalar.properties.generalCategory == .otherSymbol
  }

  /// Whether a character's script puts no spaces between words: Han, kana, Thai, Lao, Burmese, Khmer.
  private static func isWordAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x30FA, 0x30FC...0x30FF,
      0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x323AF:
      true
    default: false
    }
  }
}
