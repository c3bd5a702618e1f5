/// Finds URLs, mentions (`@`) and tags (`#`) in plain text. Works on Unicode scalars.
public struct TextTokens {
  public enum Kind: Hashable, Sendable {
    case text
    case url
    /// With the server, if given: `@alice`, `@bob@example.org`.
    case mention(name: String, server: String?)
    /// A tag as written, without its `#`.
    case tag(String)
  }

  /// A run of characters with one meaning.
  public struct Token: Hashable, Sendable {
    public var text: String
    public var kind: Kind
  }

  /// Splits a text into tokens. Joining the tokens restores the text.
  public static func tokens(of text: String) -> [Token] {
    guard mayHaveTokens(text) else { return text.isEmpty ? [] : [Token(text: text, kind: .text)] }
    guard text.utf8.count > longText else { return read(text) }
    return latest(to: text) { read(text) }
  }

  /// Splits a text into tokens for counting its characters. Unlike ``tokens(of:)``, also finds links that Qwinkle can't
  /// open but that Mastodon counts at a fixed length, such as `gemini://` links.
  static func countedTokens(of text: String) -> [Token] {
    guard mayHaveTokens(text) else { return text.isEmpty ? [] : [Token(text: text, kind: .text)] }
    var reader = Self(text, schemes: countedSchemes)
    return reader.read()
  }

  private static func mayHaveTokens(_ text: String) -> Bool {
    text.utf8.contains { $0 == 0x40 || $0 == 0x23 || $0 == 0x3A || $0 == 0xEF }
  }

  /// Length in bytes above which a text's tokens are cached. The cache has only the latest text.
  static let longText = 4000
  private static let latest = LatestAnswer<String, [Token]>()

  private static func read(_ text: String) -> [Token] {
    var reader = Self(text)
    return reader.read()
  }

  private let schemes: [[Unicode.Scalar]]
  private let scalars: [Unicode.Scalar]
  /// The text's bytes, from which tokens are cut. `starts` has each scalar's byte offset, then the end offset.
  private let bytes: [UInt8]
  private let starts: [Int]
  private var tokens: [Token] = []
  private var plainStart = 0

  private init(_ text: String, schemes: [[Unicode.Scalar]] = Self.schemes) {
    let scalars = Array(text.unicodeScalars)
    var starts = [0]
    starts.reserveCapacity(scalars.count + 1)
    var start = 0
    for scalar in scalars {
      start += UTF8.width(scalar)
      starts.append(start)
    }
    self.schemes = schemes
    self.scalars = scalars
    self.bytes = Array(text.utf8)
    self.starts = starts
  }

  private mutating func read() -> [Token] {
    var index = 0
    while index < scalars.count {
      let found: (end: Int, kind: Kind)? =
        switch scalars[index] {
        case "h", "H", "d", "D", "g", "G", "i", "I", "s", "S": url(at: index)
        case "@": mention(at: index)
        case "#", "\u{FF03}": tag(at: index)
        default: nil
        }
      guard let found else {
        index += 1
        continue
      }
      flush(before: index)
      tokens.append(Token(text: string(index..<found.end), kind: found.kind))
      index = found.end
      plainStart = index
    }
    flush(before: index)
    return tokens
  }

  private mutating func flush(before index: Int) {
    if plainStart < index { tokens.append(Token(text: string(plainStart..<index), kind: .text)) }
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[starts[range.lowerBound]..<starts[range.upperBound]], as: UTF8.self)
  }
}

// MARK: - URLs

extension TextTokens {
  private static let schemes = ["https://", "http://"].map { Array($0.unicodeScalars) }
  /// Schemes of the links that Mastodon counts at a fixed length:
  /// <https://github.com/mastodon/mastodon/blob/main/config/initializers/twitter_regex.rb>
  private static let countedSchemes =
    schemes
    + ["dat://", "dweb://", "ipfs://", "ipns://", "ssb://", "gopher://", "gemini://"].map { Array($0.unicodeScalars) }

  private func url(at start: Int) -> (end: Int, kind: Kind)? {
    // A URL can't start in the middle of an ASCII word. It can follow any other letter, because some writing systems
    // have no spaces.
    if start > 0, scalars[start - 1].isASCII, Self.isWord(scalars[start - 1]) { return nil }
    guard let scheme = schemes.first(where: { hasPrefix($0, at: start) }) else { return nil }
    let hostStart = start + scheme.count
    var end = hostStart
    while end < scalars.count, Self.isInURL(scalars[end]) { end += 1 }
    end = withoutTrailingPunctuation(hostStart..<end)
    guard end > hostStart, Self.isWord(scalars[hostStart]) || scalars[hostStart] == "[" else { return nil }
    return (end, .url)
  }

  private func hasPrefix(_ prefix: [Unicode.Scalar], at start: Int) -> Bool {
    guard start + prefix.count <= scalars.count else { return false }
    return zip(prefix, scalars[start...]).allSatisfy { $0 == $1 || ($1.isASCII && $0.value == $1.value | 0x20) }
  }

  /// Returns the end of a URL without the punctuation at its end, and without closing brackets that the URL didn't
  /// open.
  private func withoutTrailingPunctuation(_ range: Range<Int>) -> Int {
    var opened: [Unicode.Scalar: Int] = [:]
    for scalar in scalars[range] {
      switch scalar {
      case "(", "[": opened[scalar, default: 0] += 1
      case ")": opened["(", default: 0] -= 1
      case "]": opened["[", default: 0] -= 1
      default: break
      }
    }
    var end = range.upperBound
    while end > range.lowerBound {
      let last = scalars[end - 1]
      switch last {
      case ".", ",", ";", ":", "!", "?", "'", "\"", "*", "~", "\u{2026}", "\u{2019}", "\u{201D}": end -= 1
      case ")", "]":
        let opening: Unicode.Scalar = last == ")" ? "(" : "["
        guard opened[opening, default: 0] < 0 else { return end }
        opened[opening, default: 0] += 1
        end -= 1
      default: return end
      }
    }
    return end
  }

  private static func isInURL(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x20, 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D, 0x7F: false
    case 0x21...0x7E: true
    // Quotation marks, and punctuation that follows a URL without a space in some writing systems.
    case 0xAB, 0xBB, 0x2018...0x201F, 0x3000...0x303F, 0xFF00...0xFF0F, 0xFF1A...0xFF20, 0xFF3B...0xFF65: false
    default: !scalar.properties.isWhitespace
    }
  }
}

// MARK: - Names and tags

extension TextTokens {
  private func mention(at start: Int) -> (end: Int, kind: Kind)? {
    if start > 0 {
      let before = scalars[start - 1]
      if Self.isWord(before) || before == "/" || before == "@" { return nil }
    }
    let longEnd = endOfLongName(from: start + 1)
    if longEnd > start + 1, longEnd < scalars.count, scalars[longEnd] == "@" {
      let end = endOfServer(from: longEnd + 1)
      let name = string(start + 1..<longEnd).lowercased()
      if end > longEnd + 1 { return (end, .mention(name: name, server: string(longEnd + 1..<end).lowercased())) }
      return nil
    }
    let nameEnd = endOfName(from: start + 1)
    guard nameEnd > start + 1 else { return nil }
    return (nameEnd, .mention(name: string(start + 1..<nameEnd).lowercased(), server: nil))
  }

  /// Returns the end of a name that may be followed by a server, or `start` if there is no name. Names on other servers
  /// may contain dots and hyphens.
  private func endOfLongName(from start: Int) -> Int {
    var end = start
    while end < scalars.count, Self.isName(scalars[end]) || (end > start && [".", "-"].contains(scalars[end])) {
      end += 1
    }
    return end > start && Self.isName(scalars[end - 1]) ? end : start
  }

  private func endOfName(from start: Int) -> Int {
    var end = start
    while end < scalars.count, Self.isName(scalars[end]) { end += 1 }
    // A name is a whole word: @élise is not @lise, and @annaé is not @anna.
    return end < scalars.count && Self.isWord(scalars[end]) ? start : end
  }

  private func endOfServer(from start: Int) -> Int {
    var end = start
    while end < scalars.count, Self.isWord(scalars[end]) || [".", "-"].contains(scalars[end]) { end += 1 }
    while end > start, [".", "-"].contains(scalars[end - 1]) { end -= 1 }
    return end
  }

  private func tag(at start: Int) -> (end: Int, kind: Kind)? {
    if start > 0 {
      let before = scalars[start - 1]
      if Self.isWord(before) || ["/", "&", "#", "\u{FF03}"].contains(before) { return nil }
    }
    var end = start + 1
    while end < scalars.count, Self.isTag(scalars[end]) { end += 1 }
    while end > start + 1, Self.isJoiner(scalars[end - 1]) { end -= 1 }
    guard scalars[start + 1..<end].contains(where: { $0.properties.isAlphabetic }) else { return nil }
    return (end, .tag(string(start + 1..<end)))
  }

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && isWord(scalar)
  }

  /// Letters, digits, marks and underscores of any script.
  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: return true
    case 0x00...0x7F: return false
    default:
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
        .spacingMark, .decimalNumber, .letterNumber:
        return true
      default: return false
      }
    }
  }

  private static func isTag(_ scalar: Unicode.Scalar) -> Bool { isWord(scalar) || isJoiner(scalar) }

  /// Characters allowed inside words: the middle dots of Catalan and Japanese, and the joiners of Persian and Indic
  /// scripts.
  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{B7}" || scalar == "\u{30FB}" || scalar == "\u{200C}" || scalar == "\u{200D}"
  }
}
