import SafeText

/// Splits a long text into parts that a server takes each: where a paragraph or a sentence ends, else between words. No
/// link, name or hashtag is cut, and only a word that is too long by itself is. Pure.
public struct ThreadSplitter: Hashable, Sendable {
  /// No thread has more parts.
  public static let mostParts = 50
  /// With less room for its text a part would say nothing.
  private static let leastRoom = 10

  /// How the server counts.
  private let limits: ServerInfo.Limits
  /// Characters of each part that are not for its text: those of the content warning.
  private let reserved: Int
  /// What each part but the first begins with: the names of those who are to read it.
  private let prefix: String
  /// Whether each part ends with its number: `(2/5)`.
  private let isNumbered: Bool

  public init(limits: ServerInfo.Limits, reserved: Int = 0, prefix: String = "", isNumbered: Bool = false) {
    self.limits = limits
    self.reserved = reserved
    self.prefix = prefix
    self.isNumbered = isNumbered
  }

  /// The parts of `text` in order; one if it need not be split. Nil if there would be too many of them, or no room.
  public func parts(of text: String) -> [String]? {
    let text = text.trimmed()
    let whole = limits.characters - reserved
    if CharacterCount.count(text, limits: limits) <= whole { return [text] }
    let words = Word.words(of: text, limits: limits)
    // The numbers take more room the more parts there are.
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

  /// How many of `words` the next part gets: at least one.
  private func fitting(_ words: ArraySlice<Word>, room: Int) -> Int {
    var used = 0
    var fits = 0
    // The last good end, better ones last; those in the first half of the room would waste too much.
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

/// A word with the white space behind it.
private struct Word {
  /// What ends behind it.
  enum End { case word, sentence, line, paragraph }

  let text: String
  /// Characters of the word, as the server counts, and of the white space.
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

  /// The word itself, or if it is longer than `room`, what it is cut into.
  func pieces(room: Int, limits: ServerInfo.Limits) -> [Word] {
    guard count > room else { return [self] }
    return TextTokens.tokens(of: text).flatMap { token in
      switch token.kind {
      case .url, .mention: [Word(token.text[...], limits: limits)]
      case .text, .tag: Self.cut(token.text, room: room, limits: limits)
      }
    }
  }

  /// Scripts without spaces end sentences inside of what looks like a word.
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
