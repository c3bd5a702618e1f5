import Terminal

/// Echoes typing in an editor on a terminal that only appends text. Typed text is appended if the text before the
/// cursor was written last. Otherwise, the row is written again up to the cursor. After any other change, such as a
/// deletion, the whole row is written again, with `|` at the cursor unless the cursor is at the end.
@MainActor
struct EditorEcho {
  private static let cursor = "|"

  private var before = ""
  private var after = ""
  /// Whether the text before the cursor is the last text written, so that typed text can be appended to it.
  private var isAtCursor = false

  /// Writes the changes in `editor`, the focused editor, since the last call. If `isElsewhere` is true, the focus or
  /// the sheet has changed since the last call, so the editor's label and all of its text, or its placeholder, are
  /// written.
  mutating func say(_ editor: TextEditor?, isElsewhere: Bool, in speech: inout LinearSpeech) {
    guard let editor else { return }
    if speech.hasSpoken { isAtCursor = false }
    let (oldBefore, oldAfter) = (before, after)
    before = editor.textBeforeCursor
    after = editor.textAfterCursor
    if isElsewhere {
      begin(editor, &speech)
    } else if before == oldBefore, after == oldAfter {
      return
    } else if after == oldAfter, before.hasPrefix(oldBefore) {
      let typed = String(before.dropFirst(oldBefore.count))
      if isAtCursor { speech.write(typed) } else { write(editor.rowAtCursor.before, "", &speech) }
    } else {
      let row = editor.rowAtCursor
      write(row.before, row.after, &speech)
    }
  }

  /// Writes the editor's label, then its placeholder or its text.
  private mutating func begin(_ editor: TextEditor, _ speech: inout LinearSpeech) {
    if !editor.label.isEmpty { speech.say([editor.label + ":"]) }
    if before.isEmpty, after.isEmpty, !editor.placeholder.isEmpty { speech.say([editor.placeholder]) }
    write(before, after, &speech)
  }

  /// Writes text on a new line, given its parts before and after the cursor. Typed text can be appended to the row if
  /// nothing follows the cursor.
  private mutating func write(_ before: String, _ after: String, _ speech: inout LinearSpeech) {
    speech.startLine()
    speech.write(after.isEmpty ? before : before + Self.cursor + after)
    isAtCursor = after.isEmpty
  }
}
