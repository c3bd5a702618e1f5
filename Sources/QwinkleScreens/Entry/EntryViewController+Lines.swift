import PaneKit
import QwinkleAccount

/// The fields above an entry's text. They show its other parts: a warning, a language, a poll, a time and files.
extension EntryViewController {
  var lines: [EntryFieldView] { [warning, language, poll, time, path, altText] }

  var lineWithKeys: EntryFieldView? { lines.first(where: \.hasKeys) }

  var shownLines: [EntryFieldView] {
    lines.filter { line in
      line.isOpen || (line === warning && !composer.contentWarning.isEmpty)
        || ((line === poll || line === time) && !line.isEmpty)
        || (line === altText && !line.isEmpty && isDescribing)
    }
  }

  func toggle(_ line: EntryFieldView) {
    if line.hasKeys {
      finish(line)
      return
    }
    // If the server doesn't support the field, the line opens only if it has text, so that the user can clear it.
    if line.isEmpty, let refusal = line.action.ability.flatMap(composer.account.connection.refusal) {
      return composer.fail(refusal)
    }
    if let lineWithKeys, !finish(lineWithKeys) { return }
    open(line)
  }

  /// Applies the texts of all lines, for example before sending. If a text can't be applied, focuses its line, shows
  /// the reason, and returns false. If the user closed the path's line with Esc, its file isn't attached.
  func applyLines() -> Bool {
    tellChanges()
    return lines.allSatisfy { $0 === path && !path.isOpen || apply($0) }
  }

  /// Applies a line's text and closes the line. If the text can't be applied, the line stays open and the reason is
  /// shown.
  @discardableResult
  func finish(_ line: EntryFieldView) -> Bool {
    guard apply(line) else { return false }
    close(line)
    return true
  }

  /// Closes a line on Esc. Doesn't attach the file at a typed path, but applies any other text. If the text can't be
  /// applied, it stays in the line and the reason is shown.
  func leave(_ line: EntryFieldView) {
    line.commit()
    close(line)
    if line !== path, let problem = problem(of: line) { composer.fail(problem) }
  }

  private func apply(_ line: EntryFieldView) -> Bool {
    line.commit()
    if line === path { return attachTypedFile() }
    guard let problem = problem(of: line) else {
      if line === altText, line.isOpen { close(line) }
      return true
    }
    open(line)
    composer.fail(problem)
    return false
  }

  /// Applies the text of a line other than the path. Returns the reason if that fails.
  private func problem(of line: EntryFieldView) -> String? {
    if line === language { return composer.languageProblem }
    if line === poll { return composer.pollProblem }
    if line === time { return composer.timeProblem }
    return line === altText ? describeFile() : nil
  }

  func open(_ line: EntryFieldView) {
    line.isOpen = true
    line.takeFocus()
    layOut()
    view.setNeedsUpdateProperties()
  }

  /// Closes the line and moves the focus to the entry's text.
  func close(_ line: EntryFieldView) {
    line.tellChanges()
    line.isOpen = false
    if line.hasKeys { window?.makeFirstResponder(editor) }
    layOut()
    view.setNeedsUpdateProperties()
  }
}
