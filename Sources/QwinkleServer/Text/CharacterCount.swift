import QwinkleModel

/// How long a text counts: in characters as a reader sees them, a link always the same, and of a name on another
/// server only the name.
func characterCount(of text: String, limits: ServerInfo.Limits) -> Int {
  TextTokens.tokens(of: text).reduce(0) { count, token in
    switch token.kind {
    case .url: count + limits.charactersPerLink
    case .mention(let name, .some): count + name.count + 1
    default: count + token.text.count
    }
  }
}
