/// Language codes, such as `de` or `pt-BR`.
public enum LanguageCode {
  private static let mostBytes = 35

  /// Whether `text` has the form of a language code. Doesn't check that the language exists.
  public static func isCode(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.count), text.utf8.count <= mostBytes else { return false }
    return parts.allSatisfy { part in
      (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
  }
}
