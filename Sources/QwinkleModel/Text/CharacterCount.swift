/// Counts characters as servers do.
public enum CharacterCount {
  /// Characters as a reader sees them. Every link has the same length, and the server of a mention doesn't count.
  public static func count(_ text: String, limits: ServerInfo.Limits) -> Int {
    guard text.utf8.count > TextTokens.longText else { return counted(text, limits) }
    return latest(to: Question(text: text, limits: limits)) { counted(text, limits) }
  }

  private struct Question: Equatable {
    let text: String
    let limits: ServerInfo.Limits
  }

  private static let latest = LatestAnswer<Question, Int>()

  private static func counted(_ text: String, _ limits: ServerInfo.Limits) -> Int {
    TextTokens.tokens(of: text).reduce(0) { count, token in
      switch token.kind {
      case .url: count + limits.charactersPerLink
      case .mention(let name, .some): count + name.count + 1
      default: count + token.text.count
      }
    }
  }
}
