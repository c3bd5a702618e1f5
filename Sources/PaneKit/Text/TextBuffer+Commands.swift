import Terminal

extension TextBuffer {
  /// Does `command`, on a text that is shown in `layoutWidth` columns. False where nothing changed: at an edge of the
  /// text, or for a newline in a text of one line.
  @discardableResult
  public mutating func perform(_ command: TextCommand, layoutWidth: Int) -> Bool {
    switch command {
    case .moveLeft: moveCursor(to: cursor - 1)
    case .moveRight: moveCursor(to: cursor + 1)
    case .moveWordLeft: moveCursor(to: wordStart)
    case .moveWordRight: moveCursor(to: wordEnd)
    case .moveUp: moveVertically(by: -1, layoutWidth: layoutWidth)
    case .moveDown: moveVertically(by: 1, layoutWidth: layoutWidth)
    case .moveToLineStart: moveCursor(to: lineStart)
    case .moveToLineEnd: moveCursor(to: lineEnd)
    case .moveToStart: moveCursor(to: 0)
    case .moveToEnd: moveCursor(to: count)
    case .deleteBackward: erase(max(0, cursor - 1)..<cursor)
    case .deleteForward: erase(cursor..<min(count, cursor + 1))
    case .deleteWordBackward: kill(unspacedStart..<cursor)
    case .deleteWordForward: kill(cursor..<wordEnd)
    case .deleteToLineEnd: kill(cursor..<(lineEnd > cursor ? lineEnd : min(count, cursor + 1)))
    case .deleteToLineStart: kill((lineStart < cursor ? lineStart : max(0, cursor - 1))..<cursor)
    case .yank: yank()
    case .undo: undo()
    case .redo: redo()
    case .insertNewline: insert("\n")
    }
  }

  private mutating func moveVertically(by rows: Int, layoutWidth: Int) -> Bool {
    let layout = TextBufferLayout(self, columns: layoutWidth)
    let place = layout.position(ofCursor: cursor)
    let column = goalColumn ?? place.column
    guard layout.rows.indices.contains(place.row + rows) else { return false }
    let moved = moveCursor(to: layout.cursor(atRow: place.row + rows, column: column))
    goalColumn = column
    return moved
  }

  private var lineStart: Int {
    (clusters[..<cursor].lastIndex(where: \.isNewline) ?? -1) + 1
  }

  private var lineEnd: Int {
    clusters[cursor...].firstIndex(where: \.isNewline) ?? count
  }

  private var wordStart: Int {
    let end = (clusters[..<cursor].lastIndex(where: \.isPartOfWord) ?? -1) + 1
    return (clusters[..<end].lastIndex { !$0.isPartOfWord } ?? -1) + 1
  }

  private var wordEnd: Int {
    let start = clusters[cursor...].firstIndex(where: \.isPartOfWord) ?? count
    return clusters[start...].firstIndex { !$0.isPartOfWord } ?? count
  }

  private var unspacedStart: Int {
    let end = (clusters[..<cursor].lastIndex { !$0.isWhitespace } ?? -1) + 1
    return (clusters[..<end].lastIndex(where: \.isWhitespace) ?? -1) + 1
  }
}

extension Character {
  fileprivate var isPartOfWord: Bool { isLetter || isNumber }
}
