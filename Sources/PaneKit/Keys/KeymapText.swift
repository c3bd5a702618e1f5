import Terminal

/// An error in the text of a keymap. Line numbers start at 1.
public struct KeymapError: Error, Hashable, Sendable {
  public let line: Int
  public let reason: String
}

extension Keymap {
  /// Parses a keymap. Each line is a binding in four columns, separated by two or more spaces:
  ///
  ///     global  compose  c +  new: write a qwink
  ///
  /// The columns are context, action, keys, and a label and description for the help. Alternative keys are separated by
  /// one space; `gg` and `^Wj` are sequences. Empty lines and lines that start with `#` are ignored.
  ///
  /// Parses bytes, because this runs before the first frame and parsing characters is ten times slower.
  public init(text: String) throws(KeymapError) {
    var bindings: [Binding] = []
    var number = 0
    for line in Array(text.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      let columns = Self.columns(of: line)
      guard columns.count == 4 else {
        throw KeymapError(line: number, reason: "four columns are needed: context, action, keys, words")
      }
      var sequences: [[Key]] = []
      for word in columns[2].split(separator: Self.space) {
        guard let sequence = Self.sequence(Substring(Self.text(word))) else {
          throw KeymapError(line: number, reason: "“\(Self.text(word))” is not a key")
        }
        sequences.append(sequence)
      }
      let words = columns[3].split(separator: UInt8(ascii: ":"), maxSplits: 1).map { $0.drop { $0 == Self.space } }
      bindings.append(
        Binding(
          context: KeyContext(rawValue: Self.text(columns[0])), action: Action(rawValue: Self.text(columns[1])),
          sequences: sequences, word: words.first.map(Self.text) ?? "", summary: words.last.map(Self.text) ?? ""))
    }
    self.init(bindings)
  }

  private static let space = UInt8(ascii: " ")

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func columns(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var columns: [ArraySlice<UInt8>] = []
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

  /// Returns the position of the first run of two or more spaces.
  private static func gap(in text: ArraySlice<UInt8>) -> Int? {
    text.indices.dropLast().first { text[$0] == space && text[$0 + 1] == space }
  }

  /// Parses a sequence: `gg` and `^Wj` are two keys, `PgDn` is one.
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
    // A longer word is probably a misspelled key name.
    let most = word.hasPrefix("^") || word.hasPrefix("M-") ? 4 : 2
    return (1...most).contains(keys.count) ? keys : nil
  }
}
