import Terminal

/// Why a keymap's text cannot be used: the line, from 1, and what is wrong with it.
public struct KeymapError: Error, Hashable, Sendable {
  public let line: Int
  public let reason: String
}

extension Keymap {
  /// Reads a keymap from text. A line is a binding in four columns, two spaces or more between them:
  ///
  ///     global  compose  c +  new: write a qwink
  ///
  /// context, action, keys (one space between two ways; `gg` and `^Wj` are sequences), and a word and a sentence for
  /// the help. Empty lines and lines that start with `#` are passed over.
  ///
  /// It is read before the first frame, so by bytes: clusters take ten times as long.
  public init(text: String) throws(KeymapError) {
    var text = text
    text.makeContiguousUTF8()
    var bindings: [Binding] = []
    var number = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      let columns = Self.columns(of: line)
      guard columns.count == 4 else {
        throw KeymapError(line: number, reason: "four columns are needed: context, action, keys, words")
      }
      var sequences: [[Key]] = []
      for word in columns[2].split(separator: Self.space) {
        guard let sequence = Self.sequence(Substring(word)) else {
          throw KeymapError(line: number, reason: "“\(Substring(word))” is not a key")
        }
        sequences.append(sequence)
      }
      let words = columns[3].split(separator: UInt8(ascii: ":"), maxSplits: 1).map { $0.drop { $0 == Self.space } }
      bindings.append(
        Binding(
          context: KeyContext(rawValue: String(Substring(columns[0]))),
          action: Action(rawValue: String(Substring(columns[1]))), sequences: sequences,
          word: words.first.map { String(Substring($0)) } ?? "",
          summary: words.last.map { String(Substring($0)) } ?? ""))
    }
    self.init(bindings)
  }

  private static let space = UInt8(ascii: " ")

  private static func columns(of line: Substring.UTF8View) -> [Substring.UTF8View] {
    var columns: [Substring.UTF8View] = []
    var rest = line
    while !rest.isEmpty {
      guard columns.count < 3, let gap = gap(in: rest) else {
        columns.append(rest)
        break
      }
      columns.append(rest[..<gap])
      rest = rest[gap...].drop { $0 == space }
    }
    return columns
  }

  /// Where two spaces or more begin.
  private static func gap(in text: Substring.UTF8View) -> Substring.Index? {
    var isAfterSpace = false
    var last = text.startIndex
    for index in text.indices {
      let isSpace = text[index] == space
      if isSpace, isAfterSpace { return last }
      isAfterSpace = isSpace
      last = index
    }
    return nil
  }

  /// `gg` is two keys, `^Wj` too, `PgDn` one.
  static func sequence(_ word: Substring) -> [Key]? {
    if word.utf8.count == 1, let character = word.first { return [.character(character)] }
    if let key = Key(word) { return [key] }
    var keys: [Key] = []
    var rest = word
    while let first = rest.first {
      let length = first == "^" && rest.count > 1 ? 2 : rest.hasPrefix("M-") && rest.count > 2 ? 3 : 1
      guard let key = Key(rest.prefix(length)) else { return nil }
      keys.append(key)
      rest = rest.dropFirst(length)
    }
    // Longer ones would be words that were meant as names of keys.
    let most = word.hasPrefix("^") || word.hasPrefix("M-") ? 4 : 2
    return (1...most).contains(keys.count) ? keys : nil
  }
}
