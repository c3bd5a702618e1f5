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
        || (line === altText && !line.editor.text.isEmpty && isDescribing)
    }
  }

  func toggle(_ line: EntryLineView) {
    if line.hasKeys {
      finish(line)
      return
    }
    // What stands in a line can still be taken out of it.
    if line.editor.text.isEmpty, let refusal = line.action.ability.flatMap(composer.account.connection.refusal) {
      return composer.fail(refusal)
    }
    if let lineWithKeys, !finish(lineWithKeys) { return }
    open(line)
  }

  /// Applies the texts of all lines, as before sending. If one can't be applied, it has the keys, the reason is shown,
  /// and the result is false. A path that was left with Esc stays typed.
  func applyLines() -> Bool {
    tellChanges()
    return lines.allSatisfy { $0 === path && !path.isOpen || apply($0) }
  }

  /// Applies a line's text and closes the line. If the text can't be applied, the line stays and the reason is shown.
  @discardableResult
  func finish(_ line: EntryLineView) -> Bool {
    guard apply(line) else { return false }
    close(line)
    return true
  }

  /// Closes a line on Esc. No file is attached, and a text that can't be applied stays in the line.
  func leave(_ line: EntryLineView) {
    line.editor.tellChanges()
    close(line)
    if line !== path, let problem = problem(of: line) { composer.fail(problem) }
  }

  private func apply(_ line: EntryLineView) -> Bool {
    line.editor.tellChanges()
    if line === path { return attachTypedFile() }
    guard let problem = problem(of: line) else {
      if line === altText, line.isOpen { close(line) }
      return true
    }
    open(line)
    composer.fail(problem)
    return false
  }

  /// Applies the text of a line that isn't a path. Returns why it can't, if so.
  private func problem(of line: EntryLineView) -> String? {
    if line === language { return composer.languageProblem }
    if line === poll { return composer.pollProblem }
    if line === time { return composer.timeProblem }
    return line === altText ? describeFile() : nil
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
    if line.hasKeys { window?.makeFirstResponder(editor) }
    layOut()
    view.setNeedsUpdateProperties()
  }
}
