import GRDB
import SafeText

/// Prepares texts for the search index, and queries as expressions for it.
enum SearchText {
  /// Maximum number of words in a query; further ones are ignored.
  private static let mostTerms = 16

  /// The SQL function that triggers call: joins its texts, prepared for the index.
  static let function = DatabaseFunction("search_text", pure: true) { values in
    values.compactMap(String.fromDatabaseValue).map(indexed).joined(separator: "\n")
  }

  /// A text as readers see it, split into words. In scripts without spaces each character is a word, so that any part
  /// can be found.
  static func indexed(_ text: String) -> String {
    let text = SafeText.paragraphs(text)
    guard text.unicodeScalars.contains(where: isWordAlone) else { return text }
    var result = String.UnicodeScalarView()
    var afterSign = false
    for scalar in text.unicodeScalars {
      let isSign = isWordAlone(scalar)
      if isSign || afterSign { result.append(" ") }
      result.append(scalar)
      afterSign = isSign
    }
    return String(result)
  }

  /// An FTS5 expression for texts that have a word starting with each word of `query`; nil if `query` has no words.
  /// Nothing in the query acts as FTS5 syntax.
  static func expression(for query: String) -> String? {
    let terms = SafeText.line(query).split(whereSeparator: \.isWhitespace).map(String.init).filter(hasWord)
    guard !terms.isEmpty else { return nil }
    return terms.prefix(mostTerms).map { "\"\(indexed($0).replacing("\"", with: " "))\"*" }.joined(separator: " ")
  }

  /// Whether the index would keep anything of a text: a letter or a digit.
  private static func hasWord(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
        .letterNumber, .otherNumber, .privateUse:
        true
      default: false
      }
    }
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
