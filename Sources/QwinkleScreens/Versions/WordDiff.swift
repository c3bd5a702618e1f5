/// The word-by-word difference between two texts.
enum WordDiff {
  struct Piece: Hashable {
    enum Kind: Hashable { case unchanged, removed, added }

    var kind: Kind
    var text: String
  }

  /// The maximum number of words and spaces in both texts together. Longer texts aren't compared, because that takes
  /// quadratic time. The whole old text is then shown as removed and the whole new text as added.
  private static let maximumWords = 2000

  /// Returns the pieces of both texts in order. A removed piece precedes its replacement.
  static func pieces(from old: String, to new: String) -> [Piece] {
    let oldWords = words(of: old)
    let newWords = words(of: new)
    guard oldWords.count + newWords.count <= maximumWords else {
      return [Piece(kind: .removed, text: old), Piece(kind: .added, text: new)].filter { !$0.text.isEmpty }
    }
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in newWords.difference(from: oldWords) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var pieces: [Piece] = []
    var oldIndex = 0
    var newIndex = 0
    while oldIndex < oldWords.count || newIndex < newWords.count {
      if removed.contains(oldIndex) {
        append(oldWords[oldIndex], .removed, to: &pieces)
        oldIndex += 1
      } else if added.contains(newIndex) {
        append(newWords[newIndex], .added, to: &pieces)
        newIndex += 1
      } else {
        append(newWords[newIndex], .unchanged, to: &pieces)
        oldIndex += 1
        newIndex += 1
      }
    }
    return tidied(pieces)
  }

  /// Returns the words and the spaces between them, as separate items.
  private static func words(of text: String) -> [Substring] {
    var words: [Substring] = []
    var rest = text[...]
    while let first = rest.first {
      let end = rest.firstIndex { $0.isWhitespace != first.isWhitespace } ?? rest.endIndex
      // Each line break is a separate item.
      let cut = first.isNewline ? rest.index(after: rest.startIndex) : end
      words.append(rest[..<cut])
      rest = rest[cut...]
    }
    return words
  }

  private static func append(_ word: Substring, _ kind: Piece.Kind, to pieces: inout [Piece]) {
    if let last = pieces.indices.last, pieces[last].kind == kind {
      pieces[last].text += word
    } else {
      pieces.append(Piece(kind: kind, text: String(word)))
    }
  }

  /// Merges changed pieces with only an unchanged space between them: `[-a b-][+c d+]` instead of a pair for each word.
  private static func tidied(_ pieces: [Piece]) -> [Piece] {
    var result: [Piece] = []
    var removed = ""
    var added = ""
    func flush() {
      if !removed.isEmpty { result.append(Piece(kind: .removed, text: removed)) }
      if !added.isEmpty { result.append(Piece(kind: .added, text: added)) }
      removed = ""
      added = ""
    }
    for (index, piece) in pieces.enumerated() {
      switch piece.kind {
      case .removed: removed += piece.text
      case .added: added += piece.text
      case .unchanged:
        let isBetween = index > 0 && index < pieces.count - 1 && !removed.isEmpty && !added.isEmpty
        if isBetween, piece.text.allSatisfy({ $0.isWhitespace && !$0.isNewline }) {
          removed += piece.text
          added += piece.text
        } else {
          flush()
          result.append(piece)
        }
      }
    }
    flush()
    return result
  }
}
