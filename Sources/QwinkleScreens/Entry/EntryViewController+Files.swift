import PaneKit
import QwinkleModel
import SafeText

/// The lines for a poll, a file and its description.
extension EntryViewController {
  /// Ends writing in a line, and does what was written there.
  func finish(_ line: EntryLineView) {
    line.editor.tellChanges()
    let text = line.editor.text.trimmed()
    close(line)
    if line === path {
      paths.end()
      path.editor.text = ""
      if !text.isEmpty { attachments.add(text) }
    } else if line === altText {
      altText.editor.text = ""
      guard let reason = attachments.describe(describedFile, as: text) else { return }
      composer.fail(reason)
      altText.editor.text = text
      open(altText)
    } else if line === poll {
      composer.poll = EntryPoll(typed: text)
    }
  }

  /// Leaves a line without doing what was written there.
  func leave(_ line: EntryLineView) {
    if line === path || line === altText {
      paths.end()
      line.editor.text = ""
      return close(line)
    }
    finish(line)
  }

  /// Asks what a file shows, unless the writer is at another line.
  func askToDescribe(_ name: String) {
    guard lineWithKeys == nil else { return }
    describedFile = name
    altText.editor.placeholder = EntryFileWords.altPlaceholder(name)
    open(altText)
  }

  func removeFile() {
    composer.fail(nil)
    composer.say(attachments.removeLast() ?? EntryFileWords.none)
    if altText.hasKeys, !attachments.files.contains(where: { $0.name == describedFile }) { leave(altText) }
  }

  func filesDidChange() {
    guard files.files != attachments.files else { return }
    let count = files.rowCount
    files.files = attachments.files
    if count != files.rowCount { layOut() }
  }

  /// Has paths begin at `home`, and attached pictures shown, as `settings` say.
  func takeFiles(below home: String?, _ shelf: PictureShelf?, _ settings: ReaderSettings) {
    attachments.home = home
    paths.home = home
    guard let shelf else { return }
    attachments.draw = { [weak self] bytes in
      guard let means = PictureShelf.Means(self?.window, settings.pictures) else { return nil }
      return await shelf.picture(from: bytes, means.order(room: EntryFilesView.thumbnail))
    }
  }
}
