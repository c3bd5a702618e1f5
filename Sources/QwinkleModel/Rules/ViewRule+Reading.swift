extension ViewRule {
  /// Maximum number of characters, of terms, and of nested parentheses in a rule.
  private static let mostCharacters = 2000
  private static let mostTerms = 100
  private static let mostDepth = 20

  /// Parses a rule. Terms without an operator in between must all match. The operators are `not`, `and` and `or`, in
  /// order of precedence; parentheses override it.
  ///
  /// - Throws: ``RuleProblem`` with the position and, if possible, a suggested correction.
  public init(_ text: String) throws(RuleProblem) {
    guard text.unicodeScalars.count <= Self.mostCharacters else {
      throw RuleProblem(offset: 0, sentence: "A rule has at most \(Self.mostCharacters) characters.")
    }
    var reader = Reader(tokens: try RuleToken.tokens(of: text), end: text.unicodeScalars.count)
    self = try reader.rule()
  }

  /// A recursive descent parser.
  private struct Reader {
    let tokens: [RuleToken]
    let end: Int
    var place = 0
    var depth = 0
    var termCount = 0

    init(tokens: [RuleToken], end: Int) {
      self.tokens = tokens
      self.end = end
    }

    private var next: RuleToken? { place < tokens.count ? tokens[place] : nil }

    mutating func rule() throws(RuleProblem) -> ViewRule {
      let rule = try alternatives()
      if let next { throw RuleProblem(offset: next.offset, sentence: "This “)” has no matching “(”.") }
      return rule
    }

    private mutating func alternatives() throws(RuleProblem) -> ViewRule {
      var rules = [try conjunction()]
      while next?.isWord("or") == true {
        place += 1
        rules.append(try conjunction())
      }
      return rules.count == 1 ? rules[0] : .any(rules)
    }

    private mutating func conjunction() throws(RuleProblem) -> ViewRule {
      var rules = [try term()]
      while let next, !next.isWord("or"), next.kind != .closing {
        if next.isWord("and") { place += 1 }
        rules.append(try term())
      }
      return rules.count == 1 ? rules[0] : .all(rules)
    }

    private mutating func term() throws(RuleProblem) -> ViewRule {
      guard let token = next else {
        let sentence =
          place == 0 ? "A rule needs a term, such as boost or from:@anna." : "Something is missing at the end."
        throw RuleProblem(offset: end, sentence: sentence)
      }
      termCount += 1
      guard termCount <= ViewRule.mostTerms else {
        throw RuleProblem(offset: token.offset, sentence: "A rule has at most \(ViewRule.mostTerms) terms.")
      }
      place += 1
      switch token.kind {
      case .closing: throw RuleProblem(offset: token.offset, sentence: "Something is missing before “)”.")
      case .opening:
        let rule = try deeper(token) { (reader) throws(RuleProblem) in try reader.alternatives() }
        guard next?.kind == .closing else {
          throw RuleProblem(offset: token.offset, sentence: "This “(” has no matching “)”.")
        }
        place += 1
        return rule
      case .quoted(let text): return try Self.text(text, at: token.offset)
      case .word(let word, let value):
        if value == nil, word == "not" {
          return .not(try deeper(token) { (reader) throws(RuleProblem) in try reader.term() })
        }
        if value == nil, ["and", "or"].contains(word) {
          throw RuleProblem(offset: token.offset, sentence: "Something is missing before “\(word)”.")
        }
        return try Self.term(word, value, token)
      }
    }

    private mutating func deeper(
      _ token: RuleToken, _ read: (inout Reader) throws(RuleProblem) -> ViewRule
    ) throws(RuleProblem) -> ViewRule {
      depth += 1
      defer { depth -= 1 }
      guard depth <= ViewRule.mostDepth else {
        throw RuleProblem(
          offset: token.offset, sentence: "Parentheses and not can be nested at most \(ViewRule.mostDepth) deep.")
      }
      return try read(&self)
    }

    // MARK: Terms

    private static func text(_ text: String, at offset: Int) throws(RuleProblem) -> ViewRule {
      guard let words = RuleWords(text) else {
        throw RuleProblem(offset: offset, sentence: "The quotes contain no word.")
      }
      return .text(words)
    }

    private static func term(_ word: String, _ value: String?, _ token: RuleToken) throws(RuleProblem) -> ViewRule {
      guard let value else {
        if word.hasPrefix("#") { return try tag(word, at: token.offset) }
        if let sign = Sign(rawValue: word) { return .sign(sign) }
        throw RuleProblem(offset: token.offset, sentence: unknown(word))
      }
      guard let field = Field(rawValue: word) else {
        let nearest = NearestWord.find(word, among: Field.allCases.map(\.rawValue))
        throw RuleProblem(
          offset: token.offset,
          sentence: "No “\(word):” in rules."
            + (nearest.map { " Did you mean \($0):?" }
              ?? " Known: \(Field.allCases.map { "\($0.rawValue):" }.listed()).")
        )
      }
      let offset = token.valueOffset
      if value.isEmpty {
        throw RuleProblem(offset: offset, sentence: "Something is missing after “\(word):”.")
      }
      switch field {
      case .has:
        guard let part = Part(rawValue: value.lowercased()) else {
          let names = Part.allCases.map(\.rawValue)
          let nearest = NearestWord.find(value, among: names).map { " Did you mean \($0)?" }
          throw RuleProblem(
            offset: offset, sentence: "has: can't be “\(value)”." + (nearest ?? " Known: \(names.listed())."))
        }
        return .has(part)
      case .lang:
        guard LanguageCode.isCode(value) else {
          throw RuleProblem(offset: offset, sentence: "“\(value)” is not a language code, such as en.")
        }
        return .language(value.lowercased())
      case .tag: return try tag(value, at: offset)
      case .from: return .from(try handle(value, at: offset))
      case .by: return .by(try handle(value, at: offset))
      case .to: return .to(try handle(value, at: offset))
      }
    }

    private static func handle(_ value: String, at offset: Int) throws(RuleProblem) -> String {
      guard let handle = Handle.reading(value) else {
        throw RuleProblem(offset: offset, sentence: "“\(value)” is not a user, such as @anna.")
      }
      return handle.lowercased()
    }

    private static func tag(_ value: String, at offset: Int) throws(RuleProblem) -> ViewRule {
      let name = value.hasPrefix("#") ? String(value.dropFirst()) : value
      guard !name.isEmpty, !name.contains(where: { $0.isWhitespace || $0 == "#" || $0 == "/" }) else {
        throw RuleProblem(offset: offset, sentence: "“\(value)” is not a hashtag.")
      }
      return .tag(name.lowercased())
    }

    private static func unknown(_ word: String) -> String {
      let signs = Sign.allCases.map(\.rawValue)
      let nearest = NearestWord.find(word, among: signs + ["and", "or", "not"])
      if let nearest { return "No “\(word)” in rules. Did you mean \(nearest)?" }
      if Field(rawValue: word) != nil { return "“\(word)” needs a colon and a value: \(word):…" }
      return "No “\(word)” in rules. Put text in quotes: '\(word)'."
    }
  }
}
