import PaneKit
import QwinkleAccount

/// The lines above the text, for what an entry has besides: a warning, a language, a poll, a time and files.
extension EntryViewController {
  var lines: [EntryLineView] { [warning, language, poll, time, path, altText] }

  var lineWithKeys: EntryLineView? { lines.first(where: \.hasKeys) }

  var shownLines: [EntryLineView] {
    lines.filter { line in
      line.isOpen || (line === warning && !composer.contentWarning.isEmpty)
        || ((line === poll || line === time) && !line.editor.text.isEmpty)
    }
  }

  func toggle(_ line: EntryLineView) {
    if line.hasKeys { return finish(line) }
    // What stands in a line can still be taken out of it.
    if line.editor.text.isEmpty, let refusal = line.action.ability.flatMap(composer.account.connection.refusal) {
      return composer.fail(refusal)
    }
    if let lineWithKeys { finish(lineWithKeys) }
    open(line)
  }

  func open(_ line: EntryLineView) {
    line.isOpen = true
    window?.makeFirstResponder(line.editor)
    layOut()
    view.setNeedsUpdateProperties()
  }

  /// Goes back to the text.
  func close(_ line: EntryLineView) {
    line.editor.tellChanges()
    line.isOpen = false
    window?.makeFirstResponder(editor)
    layOut()
    view.setNeedsUpdateProperties()
  }
}
