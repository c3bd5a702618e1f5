import QwinkleModel
import SafeText

/// Converts HTML from servers to ``RichText``. Decodes character references, then sanitizes all text with SafeText.
/// Ignores unknown tags, but not the text inside them. Isn't recursive, runs in linear time, and accepts any input.
///
/// White space with a line break becomes one space. Other spaces are preserved, because authors use them for alignment.
/// Text without any tags is treated as plain text with its line breaks.
struct HTMLReader {
  /// Maximum number of bytes read. No known server allows longer posts.
  private static let mostBytes = 1 << 20

  private let bytes: [UInt8]
  private var position = 0
  private var builder: RichTextBuilder
  /// Whether an unterminated tag was found. If so, no later tag can be terminated either, so each later `<` is treated
  /// as text.
  private var hasNoMoreTags = false

  /// Returns the structured text of `html`. `omitsQuotes` leaves out `quote-inline` links, which are a fallback for
  /// clients that don't show quotes.
  static func richText(from html: String, omitsQuotes: Bool = false) -> RichText {
    if html.isEmpty { return RichText() }
    var reader = HTMLReader(Array(html.utf8.prefix(mostBytes)), omitsQuotes: omitsQuotes)
    reader.run()
    return reader.builder.finish()
  }

  private init(_ bytes: [UInt8], omitsQuotes: Bool) {
    self.bytes = bytes
    self.builder = RichTextBuilder(isPlain: !Self.hasMarkup(bytes), omitsQuotes: omitsQuotes)
  }

  private static func hasMarkup(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast().contains { bytes[$0] == UInt8(ascii: "<") && opensMarkup(bytes[$0 + 1]) }
  }

  private static func opensMarkup(_ byte: UInt8) -> Bool {
    byte.isLetter || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
  }

  private mutating func run() {
    while position < bytes.count {
      let start = position
      while position < bytes.count, bytes[position] != UInt8(ascii: "<"), bytes[position] != UInt8(ascii: "&") {
        position += 1
      }
      builder.append(bytes[start..<position])
      guard position < bytes.count else { return }
      if bytes[position] == UInt8(ascii: "&") { readEntity() } else { readMarkup() }
    }
  }

  private mutating func readEntity() {
    if let (text, end) = HTMLEntities.entity(in: bytes[position...]) {
      builder.append(Array(text.utf8)[...])
      position = end
    } else {
      builder.append(bytes[position...position])
      position += 1
    }
  }

  private mutating func readMarkup() {
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    let afterSlash = position + 2 < bytes.count ? bytes[position + 2] : 0
    if hasNoMoreTags {
      takeAsText()
    } else if next.isLetter || (next == UInt8(ascii: "/") && afterSlash.isLetter) {
      guard let (tag, end) = HTMLTag.read(bytes, at: position) else {
        hasNoMoreTags = true
        return takeAsText()
      }
      position = end
      perform(tag)
    } else if next == UInt8(ascii: "!"), bytes[position...].starts(with: "<!--".utf8) {
      // An unterminated comment hides the rest, as in browsers.
      skip(past: "-->", from: position + 2)
    } else if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") || next == UInt8(ascii: "/") {
      guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else {
        hasNoMoreTags = true
        return takeAsText()
      }
      position = end + 1
    } else {
      takeAsText()
    }
  }

  private mutating func takeAsText() {
    builder.append(bytes[position...position])
    position += 1
  }

  private mutating func perform(_ tag: HTMLTag) {
    switch tag.name {
    case "script", "style", "template":
      if !tag.isClosing { skip(past: "</" + tag.name, from: position) }
    default:
      if tag.isClosing { builder.close(tag) } else { builder.open(tag) }
    }
  }

  /// Skips past the next occurrence of `end`, which must be lower-case ASCII. Case in the input is ignored. If `end` is
  /// only the start of a tag, also skips the rest of the tag. Skips the whole input if it doesn't contain `end`.
  private mutating func skip(past end: String, from start: Int) {
    let end = Array(end.utf8)
    var index = start
    while index + end.count <= bytes.count {
      var matched = 0
      while matched < end.count, Self.lowercased(bytes[index + matched]) == end[matched] { matched += 1 }
      if matched == end.count {
        position = index + matched
        if end.last != UInt8(ascii: ">") {
          position = bytes[position...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
        }
        return
      }
      index += 1
    }
    position = bytes.count
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
