/// Replaces user-written words in HTML or plain text. Known tags remain. Mentions remain too, because a recording
/// contains the same account names in other fields. All other link targets are replaced.
struct PrivateHTML {
  /// Tags that servers use. Any other text between `<` and `>` could be written by a user.
  private static let tags: Set<String> = [
    "a", "abbr", "b", "blockquote", "br", "code", "del", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i",
    "img", "li", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "small", "span", "strong", "sub", "sup", "u", "ul",
  ]
  /// Allowed values of ``allowedAttributes``.
  private static let words: Set<String> = [
    "mention", "hashtag", "u-url", "h-card", "invisible", "ellipsis", "status-link", "quote-inline", "nofollow",
    "noopener", "noreferrer", "tag", "me", "ugc", "_blank", "no", "yes", "ltr", "rtl", "auto", "emoji", "custom-emoji",
  ]
  private static let allowedAttributes: Set<String> = ["class", "rel", "target", "translate", "dir"]
  private static let addresses: Set<String> = ["href", "src", "cite"]
  private static let entities: Set<String> = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&nbsp;", "&#39;", "&#34;"]
  private static let mostEntityCharacters = 32

  private var result = ""
  private var word = PrivateWord()
  private var rest: Substring

  private init(_ text: String) {
    rest = Substring(text)
  }

  static func replacing(_ text: String) -> String {
    var html = PrivateHTML(text)
    html.run()
    return html.result
  }

  private mutating func run() {
    while let character = rest.first {
      switch character {
      case "<" where tag(): break
      case "&" where entity(): break
      case "h" where scheme(): break
      default:
        result.append(word.replacement(for: character))
        rest.removeFirst()
      }
    }
  }

  /// Copies the scheme of a URL unchanged. Returns false if no word that begins with `http://` or `https://` is next.
  private mutating func scheme() -> Bool {
    guard word.isAtStart, rest.hasPrefix("https://") || rest.hasPrefix("http://") else { return false }
    let scheme = rest.prefix(rest.hasPrefix("https://") ? 8 : 7)
    result += scheme
    rest = rest[scheme.endIndex...]
    word.end()
    return true
  }

  /// Consumes an entity. A known entity is punctuation and is copied. Any other entity is replaced like a letter.
  /// Returns false if the text doesn't continue with an entity.
  private mutating func entity() -> Bool {
    let start = rest.prefix(Self.mostEntityCharacters)
    guard let end = start.firstIndex(of: ";") else { return false }
    let name = String(rest[...end])
    guard name.dropFirst().dropLast().allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") }) else {
      return false
    }
    rest = rest[rest.index(after: end)...]
    if Self.entities.contains(name) {
      word.end()
      result += name
    } else {
      result.append(word.replacement(for: "e"))
    }
    return true
  }

  /// Consumes a tag. Returns false if the text doesn't continue with a tag.
  private mutating func tag() -> Bool {
    let inner = rest.dropFirst()
    guard let first = inner.first, first.isASCII, first.isLetter || first == "/" || first == "!",
      let end = Self.end(of: inner)
    else { return false }
    let text = inner[..<end]
    rest = inner[inner.index(after: end)...]
    let isClosing = first == "/"
    let name = text.dropFirst(isClosing ? 1 : 0).prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    // Comments are never displayed, so they are dropped.
    guard first != "!" else { return true }
    // An unknown tag ends a word. Most known tags don't, because servers put the parts of a URL in
    // separate `span`s.
    guard Self.tags.contains(name.lowercased()) else {
      word.end()
      result += "<\(isClosing ? "/" : "")\(PrivateWords.replacing(String(name)))>"
      return true
    }
    if isClosing {
      result += "</\(name)>"
      return true
    }
    if name.lowercased() == "br" || name.lowercased() == "p" { word.end() }
    let attributes = Self.attributes(of: text.dropFirst(name.count))
    if name.lowercased() == "a", let mention = mention(attributes) {
      result += "<\(name)\(Self.written(attributes, keepsAddress: true))>\(mention)"
      return true
    }
    result += "<\(name)\(Self.written(attributes, keepsAddress: false))\(text.last == "/" ? "/" : "")>"
    return true
  }

  /// Consumes and returns the content of a mention's link, up to `</a>`. Returns nil if a link with these attributes
  /// isn't a mention, or if its content is anything but an account name.
  private mutating func mention(_ attributes: [Attribute]) -> String? {
    let classes = attributes.first { $0.name == "class" }?.value.split(separator: " ") ?? []
    let address = attributes.first { $0.name == "href" }?.value ?? ""
    guard classes.contains("mention"), !classes.contains("hashtag"), ScrubbedAddress.isAtom(address),
      !address.contains("?"), address.count <= 300, let end = rest.firstRange(of: "</a>")
    else { return nil }
    let inner = String(rest[..<end.lowerBound])
    let name = inner.replacing("<span>", with: "").replacing("</span>", with: "").drop { $0 == "@" }
    guard !name.isEmpty, name.count <= 100,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_.-@".contains($0)) })
    else { return nil }
    rest = rest[end.lowerBound...]
    word.end()
    return inner
  }
}

extension PrivateHTML {
  private struct Attribute {
    var name: String
    var value: String
  }

  /// Returns the index of the `>` that closes a tag. `text` begins inside the tag.
  private static func end(of text: Substring) -> Substring.Index? {
    var quote: Character?
    for index in text.indices {
      let character = text[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == ">" {
        return index
      }
    }
    return nil
  }

  private static func attributes(of text: Substring) -> [Attribute] {
    var attributes: [Attribute] = []
    var rest = text
    while let start = rest.firstIndex(where: { !$0.isWhitespace && $0 != "/" }) {
      rest = rest[start...]
      let name = rest.prefix { !$0.isWhitespace && $0 != "=" && $0 != "/" }
      rest = rest.dropFirst(max(name.count, 1)).drop(while: \.isWhitespace)
      guard !name.isEmpty, rest.first == "=" else { continue }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      let value: Substring
      if let quote = rest.first, quote == "\"" || quote == "'" {
        value = rest.dropFirst().prefix { $0 != quote }
        rest = rest.dropFirst(value.count + 2)
      } else {
        value = rest.prefix { !$0.isWhitespace }
        rest = rest.dropFirst(value.count)
      }
      attributes.append(Attribute(name: name.lowercased(), value: String(value)))
    }
    return attributes
  }

  /// Returns the allowed attributes, with user-written text in their values removed or replaced.
  private static func written(_ attributes: [Attribute], keepsAddress: Bool) -> String {
    let isTag = attributes.contains { $0.name == "class" && $0.value.split(separator: " ").contains("hashtag") }
    return attributes.compactMap { attribute -> String? in
      let value: String
      if addresses.contains(attribute.name) {
        if keepsAddress {
          value = attribute.value
        } else {
          value = isTag ? ScrubbedAddress.replacingTag(attribute.value) : ScrubbedAddress.replacing(attribute.value)
        }
      } else if allowedAttributes.contains(attribute.name) {
        value = attribute.value.split(separator: " ").filter { words.contains(String($0)) }.joined(separator: " ")
      } else if attribute.name == "alt" || attribute.name == "title" {
        value = PrivateWords.replacing(attribute.value).replacing("&", with: "+")
      } else {
        return nil
      }
      return " \(attribute.name)=\"\(value.replacing("\"", with: "'"))\""
    }.joined()
  }
}
