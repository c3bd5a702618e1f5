import SafeText

/// Prepares texts for a full-text index (FTS5 with its tokenizer `unicode61`), and queries as expressions for it.
public enum SearchText {
  /// What becomes of emoji and other signs, which the tokenizer drops.
  public enum Signs: Sendable {
    case dropped
    /// Each becomes a word of its own, so that it can be found.
    case words
  }

  /// Maximum number of words in a query; further ones are ignored.
  private static let mostTerms = 16
  /// Maximum number of characters of a word in a query; the word may go on in any way.
  private static let mostCharacters = 100
  /// Maximum number of the index's tokens in a query, as it holds each token's hits in memory. `a-b` is one word, but
  /// two tokens.
  private static let mostTokens = 32

  /// A text as readers see it, split into words. In scripts without spaces each character is a word, so that any part
  /// can be found.
  public static func indexed(_ text: String, signs: Signs = .dropped) -> String {
    split(SafeText.paragraphs(text), signs: signs)
  }

  /// Splits a text that has gone through SafeText into words, as ``indexed(_:signs:)`` does.
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

  /// An FTS5 expression for texts that have a word starting with each word of `query`; nil if `query` has no words.
  /// Nothing in the query acts as FTS5 syntax.
  public static func expression(for query: String, signs: Signs = .dropped) -> String? {
    var terms: [String] = []
    var tokensLeft = mostTokens
    // What is far behind the last word that counts isn't looked at.
    let start = query.unicodeScalars.prefix(mostTerms * (mostCharacters + 1) * 4)
    for word in SafeText.line(String(start)).split(whereSeparator: \.isWhitespace) {
      if terms.count == mostTerms || tokensLeft == 0 { break }
      let term = firstTokens(of: split(String(word.prefix(mostCharacters)), signs: signs), &tokensLeft)
      if !term.isEmpty, !terms.contains(term) { terms.append(term) }
    }
    guard !terms.isEmpty else { return nil }
    return terms.map { "\"\($0.replacing("\"", with: " "))\"*" }.joined(separator: " ")
  }

  /// The start of a text up to the last token that still counts; empty if the index would keep nothing of it.
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

  /// Whether the index keeps a character: a letter or a digit.
  static func isInIndex(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  /// Whether a character is an emoji or a sign like one. A skin tone is a modifier of the sign before it.
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
