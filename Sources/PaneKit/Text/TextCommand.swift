public import Terminal

/// An editing command. Words consist of letters and digits, but deleting a word backward deletes up to a space, as
/// readline does.
public enum TextCommand: String, CaseIterable, Sendable {
  case moveLeft, moveRight, moveWordLeft, moveWordRight
  /// By displayed rows, preserving the column.
  case moveUp, moveDown
  /// By lines of the text, up to the newline.
  case moveToLineStart, moveToLineEnd
  case moveToStart, moveToEnd
  case deleteBackward, deleteForward
  case deleteWordBackward, deleteWordForward
  /// At the end (or start) of a line, these delete the newline there.
  case deleteToLineEnd, deleteToLineStart
  /// Inserts the text that the last word and line deletions removed.
  case yank
  case undo, redo
  case insertNewline
}

extension TextCommand {
  /// Creates the command bound to `key`, following readline. Returns nil for keys that type a character or have another
  /// meaning.
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
