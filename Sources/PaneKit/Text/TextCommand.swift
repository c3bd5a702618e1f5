public import Terminal

/// An editing command. A word consists of letters and digits. As in readline, deleting a word backward is different: it
/// deletes everything back to a space.
public enum TextCommand: String, CaseIterable, Sendable {
  case moveLeft, moveRight, moveWordLeft, moveWordRight
  /// Move by displayed rows and preserve the column.
  case moveUp, moveDown
  /// Move to an end of the current line of the text, which may span several displayed rows.
  case moveToLineStart, moveToLineEnd
  case moveToStart, moveToEnd
  case deleteBackward, deleteForward
  case deleteWordBackward, deleteWordForward
  /// If the cursor is already at the end (or start) of the line, the newline there is deleted.
  case deleteToLineEnd, deleteToLineStart
  /// Inserts the text that the last run of consecutive deletions of words and lines removed.
  case yank
  case undo, redo
  case insertNewline
}

extension TextCommand {
  /// Creates the command bound to `key`. The bindings follow readline. Returns nil if the key isn't bound, for example
  /// because it types a character.
  public init?(key: Key) {
    guard let command = Self.bindings[key] else { return nil }
    self = command
  }

  private static let bindings: [Key: TextCommand] = [
    .control("b"): .moveLeft, Key(.left): .moveLeft,
    .control("f"): .moveRight, Key(.right): .moveRight,
    .meta("b"): .moveWordLeft, Key(.left, .control): .moveWordLeft, Key(.left, .meta): .moveWordLeft,
    .meta("f"): .moveWordRight, Key(.right, .control): .moveWordRight, Key(.right, .meta): .moveWordRight,
    .control("p"): .moveUp, Key(.up): .moveUp,
    .control("n"): .moveDown, Key(.down): .moveDown,
    .control("a"): .moveToLineStart, Key(.home): .moveToLineStart,
    .control("e"): .moveToLineEnd, Key(.end): .moveToLineEnd,
    .meta("<"): .moveToStart, Key(.home, .control): .moveToStart,
    .meta(">"): .moveToEnd, Key(.end, .control): .moveToEnd,
    .control("h"): .deleteBackward, Key(.backspace): .deleteBackward,
    Key(.delete): .deleteForward,
    .control("w"): .deleteWordBackward, Key(.backspace, .meta): .deleteWordBackward,
    Key(.backspace, .control): .deleteWordBackward,
    .meta("d"): .deleteWordForward, Key(.delete, .control): .deleteWordForward, Key(.delete, .meta): .deleteWordForward,
    .control("k"): .deleteToLineEnd,
    .control("u"): .deleteToLineStart,
    .control("y"): .yank,
    .control("_"): .undo, .meta("u"): .undo,
    .meta("e"): .redo,
    Key(.enter): .insertNewline, .control("j"): .insertNewline,
  ]
}
