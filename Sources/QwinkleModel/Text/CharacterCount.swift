import SafeText

/// Character counts as servers compute them.
public enum CharacterCount {
  /// Counts user-perceived characters. Every link has the same length, and the host of a mention doesn't count.
  public static func count(_ text: String, limits: ServerInfo.Limits) -> Int {
    guard text.utf8.count > TextTokens.longText else { return counted(text, limits) }
    return latest(to: Question(text: text, limits: limits)) { counted(text, limits) }
  }

  /// Returns the lowest count of any server. Servers differ: some trim the text, some count a link as
  /// ``ServerInfo/Limits/charactersPerLink`` and others in full, and they disagree about which words are links.
  public static func least(_ text: String, limits: ServerInfo.Limits) -> Int {
    let text = text.trimmed()
    let words = text.split(whereSeparator: \.isWhitespace)
    let blanks = text.count(where: \.isWhitespace)
    return words.reduce(blanks) { $0 + least(word: $1, limits) }
  }

  private static func least(word: Substring, _ limits: ServerInfo.Limits) -> Int {
    let most = counted(String(word), limits)
    guard let colon = linkColon(in: word) else { return most }
    let scheme = word[..<colon].reversed().prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.count
    let before = word[..<colon].count - scheme
    return min(most, before + min(limits.charactersPerLink, word.count - before))
  }

  /// Returns the colon after the scheme of a word that some servers may treat as a link.
  private static func linkColon(in word: Substring) -> Substring.Index? {
    word.indices.first { index in
      guard word[index] == ":" else { return false }
      let scheme = word[..<index].suffix(6).lowercased()
      return word[index...].hasPrefix("://") || scheme.hasSuffix("xmpp") || scheme.hasSuffix("magnet")
    }
  }

  private struct Question: Equatable {
    let text: String
    let limits: ServerInfo.Limits
  }

  private static let latest = LatestAnswer<Question, Int>()

  private static func counted(_ text: String, _ limits: ServerInfo.Limits) -> Int {
    TextTokens.countedTokens(of: text).reduce(0) { count, token in
      switch token.kind {
      case .url: count + limits.charactersPerLink
      case .mention(let name, .some): count + name.count + 1
      default: count + token.text.count
      }
    }
  }
}
