import Terminal

/// Echoes what is typed into an editor where nothing that was written can be changed: what is typed at the cursor
/// follows it; after anything else, such as erasing, the row is written anew, with `|` for a cursor that is not at its
/// end.
@MainActor
struct EditorEcho {
  private static let cursor = "|"

  private var before = ""
  private var after = ""
  /// Whether what stands before the cursor is what was written last.
  private var isAtCursor = false

  /// Says what happened in the editor that has the keys; nil: none has them.
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

  /// What the editor is for, and what is in it already.
  private mutating func begin(_ editor: TextEditor, _ speech: inout LinearSpeech) {
    if !editor.label.isEmpty { speech.say([editor.label + ":"]) }
    if before.isEmpty, after.isEmpty, !editor.placeholder.isEmpty { speech.say([editor.placeholder]) }
    write(before, after, &speech)
  }

  /// Writes a row anew. What is typed next can follow it where nothing stands behind the cursor.
  private mutating func write(_ before: String, _ after: String, _ speech: inout LinearSpeech) {
    speech.startLine()
    speech.write(after.isEmpty ? before : before + Self.cursor + after)
    isAtCursor = after.isEmpty
  }
}
