import Terminal

/// Echoes typing in an editor on a terminal that only appends text. Text typed at the cursor is appended. After any
/// other change, such as a deletion, the row is written again, with `|` at the cursor unless that is at the end.
@MainActor
struct EditorEcho {
  private static let cursor = "|"

  private var before = ""
  private var after = ""
  /// Whether the text before the cursor is the last text written.
  private var isAtCursor = false

  /// Writes the changes in the focused editor, if any.
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

  /// Writes the editor's label and initial text.
  private mutating func begin(_ editor: TextEditor, _ speech: inout LinearSpeech) {
    if !editor.label.isEmpty { speech.say([editor.label + ":"]) }
    if before.isEmpty, after.isEmpty, !editor.placeholder.isEmpty { speech.say([editor.placeholder]) }
    write(before, after, &speech)
  }

  /// Writes a row again. Typed text can be appended to it if nothing follows the cursor.
  private mutating func write(_ before: String, _ after: String, _ speech: inout LinearSpeech) {
    speech.startLine()
    speech.write(after.isEmpty ? before : before + Self.cursor + after)
    isAtCursor = after.isEmpty
  }
}
