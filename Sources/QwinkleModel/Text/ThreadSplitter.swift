import SafeText

/// Splits a long text into parts that fit a server's limits: at the end of a paragraph or sentence if possible,
/// otherwise between words. Links and mentions are never cut. Other words are cut only if they are too long for one
/// part.
public struct ThreadSplitter: Hashable, Sendable {
  /// Maximum number of parts in a thread.
  public static let mostParts = 50
  /// Minimum number of characters in each part that must be available for the text.
  private static let leastRoom = 10

  let limits: ServerInfo.Limits
  /// Characters of each part taken by the content warning.
  var reserved = 0
  /// Text before each part except the first: mentions of the recipients.
  var prefix = ""
  /// Whether each part ends with its number, such as `(2/5)`.
  var isNumbered = false

  /// Returns the parts of `text` in order, or a single part if `text` fits. Returns nil if there would be too many
  /// parts or too little room.
  public func parts(of text: String) -> [String]? {
    let text = text.trimmed()
    let whole = limits.characters - reserved
    if CharacterCount.count(text, limits: limits) <= whole { return [text] }
    let words = Word.words(of: text, limits: limits)
    // First try numbers with one digit. Ten or more parts need numbers with two digits, which leave less room for the
    // text.
    for digits in 1...2 {
      let room = whole - CharacterCount.count(prefix, limits: limits) - (isNumbered ? 4 + 2 * digits : 0)
      guard room >= Self.leastRoom, let parts = split(words, room: room) else { return nil }
      guard isNumbered, "\(parts.count)".count > digits else { return finished(parts) }
    }
    return nil
  }

  private func finished(_ parts: [String]) -> [String] {
    parts.enumerated().map { index, part in
      (index == 0 ? "" : prefix) + part + (isNumbered ? " (\(index + 1)/\(parts.count))" : "")
    }
  }

  private func split(_ words: [Word], room: Int) -> [String]? {
    var parts: [String] = []
    var rest = words.flatMap { $0.pieces(room: room, limits: limits) }[...]
    while !rest.isEmpty {
      guard parts.count < Self.mostParts else { return nil }
      let count = fitting(rest, room: room)
      parts.append(rest.prefix(count).map(\.text).joined().trimmed())
      rest = rest.dropFirst(count)
    }
    return parts
  }

  /// Returns the number of words in the next part, at least 1.
  private func fitting(_ words: ArraySlice<Word>, room: Int) -> Int {
    var used = 0
    var fits = 0
    // For each kind of end, the number of words up to its last occurrence. An end in the first half of the part is
    // ignored, because such a short part would waste too much room.
    var ends: [Word.End: Int] = [:]
    for (index, word) in words.enumerated() {
      guard used + word.count <= room else { break }
      fits = index + 1
      used += word.count + word.space
      if used * 2 > room { ends[word.end] = fits }
    }
    guard fits < words.count else { return fits }
    let best = ends[.paragraph] ?? [ends[.sentence], ends[.line]].compactMap(\.self).max()
    return max(1, best ?? fits)
  }
}

/// A word with the white space after it.
private struct Word {
  /// The unit that ends after a word.
  enum End { case word, sentence, line, paragraph }

  let text: String
  /// Length of the word as the server counts it.
  let count: Int
  let space: Int
  let end: End

  private static let stops: Set<Character> = [".", "!", "?", "…", "。", "！", "？", "।", "؟"]
  private static let closers: Set<Character> = ["\"", "'", "”", "’", "»", ")", "]", "」"]

  init(_ word: Substring, space: Substring = "", limits: ServerInfo.Limits) {
    text = String(word) + String(space)
    count = CharacterCount.count(String(word), limits: limits)
    self.space = space.count
    let lines = space.count(where: \.isNewline)
    let last = word.reversed().first { !Self.closers.contains($0) }
    end = lines > 1 ? .paragraph : lines == 1 ? .line : last.map(Self.stops.contains) == true ? .sentence : .word
  }

  static func words(of text: String, limits: ServerInfo.Limits) -> [Word] {
    var words: [Word] = []
    var rest = text[...]
    while !rest.isEmpty {
      let word = rest.prefix { !$0.isWhitespace }
      let space = rest[word.endIndex...].prefix(while: \.isWhitespace)
      words.append(Word(word, space: space, limits: limits))
      rest = rest[space.endIndex...]
    }
    return words
  }

  /// Returns the word, or its pieces if it is longer than `room`.
  func pieces(room: Int, limits: ServerInfo.Limits) -> [Word] {
    guard count > room else { return [self] }
    return TextTokens.tokens(of: text).flatMap { token in
      switch token.kind {
      case .url, .mention: [Word(token.text[...], limits: limits)]
      case .text, .tag: Self.cut(token.text, room: room, limits: limits)
      }
    }
  }

  /// Cuts a text that is too long for one part, after a sentence if possible. Without spaces, as in Japanese, a whole
  /// paragraph is treated as one word and has to be cut here.
  private static func cut(_ text: String, room: Int, limits: ServerInfo.Limits) -> [Word] {
    var pieces: [Word] = []
    var rest = text[...]
    while !rest.isEmpty {
      var piece = rest.prefix(room)
      if piece.endIndex < rest.endIndex, let stop = piece.lastIndex(where: stops.contains) {
        let sentence = piece[...stop]
        if sentence.count * 2 > room { piece = sentence }
      }
      pieces.append(Word(piece, limits: limits))
      rest = rest[piece.endIndex...]
    }
    return pieces
  }
}
