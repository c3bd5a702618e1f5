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
  /// context, action, keys (one space between two ways; `gg` and `^Wj` are sequences), and a word and a sentence for the
  /// help. Empty lines and lines that start with `#` are passed over.
  public init(text: String) throws(KeymapError) {
    var bindings: [Binding] = []
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      guard let first = line.first, first != "#" else { continue }
      let columns = Self.columns(of: line)
      guard columns.count == 4 else {
        throw KeymapError(line: number, reason: "four columns are needed: context, action, keys, words")
      }
      var sequences: [[Key]] = []
      for word in columns[2].split(separator: " ") {
        guard let sequence = Self.sequence(word) else {
          throw KeymapError(line: number, reason: "“\(word)” is no key")
        }
        sequences.append(sequence)
      }
      let words = columns[3].split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
      bindings.append(
        Binding(
          context: KeyContext(rawValue: String(columns[0])), action: Action(rawValue: String(columns[1])),
          sequences: sequences, word: String(words.first ?? ""), summary: String(words.last ?? "")))
    }
    self.init(bindings)
  }

  private static func columns(of line: Substring) -> [Substring] {
    var columns: [Substring] = []
    var rest = line
    while !rest.isEmpty {
      guard columns.count < 3, let gap = gap(in: rest) else {
        columns.append(rest)
        break
      }
      columns.append(rest[..<gap])
      rest = rest[gap...].drop { $0 == " " }
    }
    return columns
  }

  /// Where two spaces or more begin.
  private static func gap(in text: Substring) -> Substring.Index? {
    text.indices.first { index in
      let next = text.index(after: index)
      return text[index] == " " && next < text.endIndex && text[next] == " "
    }
  }

  /// `gg` is two keys, `^Wj` too, `PgDn` one.
  private static func sequence(_ word: Substring) -> [Key]? {
    if let key = Key(word) { return [key] }
    var keys: [Key] = []
    var rest = word
    while let first = rest.first {
      let length = first == "^" && rest.count > 1 ? 2 : 1
      guard let key = Key(rest.prefix(length)) else { return nil }
      keys.append(key)
      rest = rest.dropFirst(length)
    }
    // Longer ones would be words that were meant as names of keys.
    return (1...2).contains(keys.count) ? keys : nil
  }
}
