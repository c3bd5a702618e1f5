import Terminal

extension TextBuffer {
  /// Performs `command`. `rows` returns the rows of the text, for commands that depend on them. Returns false if
  /// neither the text nor the cursor changed, for example at an edge of the text.
  mutating func perform(_ command: TextCommand, rows: (TextBuffer) -> TextRows) -> Bool {
    switch command {
    case .moveLeft: moveCursor(to: cursor - 1)
    case .moveRight: moveCursor(to: cursor + 1)
    case .moveWordLeft: moveCursor(to: wordStart)
    case .moveWordRight: moveCursor(to: wordEnd)
    case .moveUp: moveVertically(by: -1, in: rows(self))
    case .moveDown: moveVertically(by: 1, in: rows(self))
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

  private mutating func moveVertically(by rows: Int, in textRows: TextRows) -> Bool {
    let layout = TextBufferLayout(self, rows: textRows)
    let place = layout.position(ofCursor: cursor)
    let column = goalColumn ?? place.column
    guard layout.rows.indices.contains(place.row + rows) else { return false }
    let moved = moveCursor(to: layout.cursor(atRow: place.row + rows, column: column))
    goalColumn = column
    return moved
  }

  private var lineStart: Int {
    (measures[..<cursor].lastIndex(where: \.isNewline) ?? -1) + 1
  }

  private var lineEnd: Int {
    measures[cursor...].firstIndex(where: \.isNewline) ?? count
  }

  private var wordStart: Int {
    let end = (measures[..<cursor].lastIndex(where: \.isPartOfWord) ?? -1) + 1
    return (measures[..<end].lastIndex { !$0.isPartOfWord } ?? -1) + 1
  }

  private var wordEnd: Int {
    let start = measures[cursor...].firstIndex(where: \.isPartOfWord) ?? count
    return measures[start...].firstIndex { !$0.isPartOfWord } ?? count
  }

  private var unspacedStart: Int {
    let end = (measures[..<cursor].lastIndex { !$0.isWhitespace } ?? -1) + 1
    return (measures[..<end].lastIndex(where: \.isWhitespace) ?? -1) + 1
  }
}
