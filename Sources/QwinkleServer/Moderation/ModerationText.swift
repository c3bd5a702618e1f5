import SafeText

/// Texts that operators write: reasons, notes and rules.
enum ModerationText {
  /// Maximum number of characters.
  static let mostCharacters = 1000

  /// Returns a text as one line without control characters.
  ///
  /// - Throws: ``ServiceError/longText(most:)``.
  static func line(_ text: String) throws(ServiceError) -> String {
    let line = SafeText.line(text).trimmed()
    guard line.count <= mostCharacters, line.utf8.count <= 4 * mostCharacters else {
      throw ServiceError.longText(most: mostCharacters)
    }
    return line
  }
}
