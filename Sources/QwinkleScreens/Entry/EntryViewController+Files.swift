import PaneKit
import QwinkleModel
import SafeText

/// The lines for a file and its description.
extension EntryViewController {
  /// Attaches the file at the typed path, if any. Returns false if the entry doesn't accept the file.
  func attachTypedFile() -> Bool {
    let text = path.editor.text.trimmed()
    guard !text.isEmpty else { return true }
    // Close this line first, because adding a file may open the line for its description.
    close(path)
    guard attachments.add(text) else {
      open(path)
      return false
    }
    clear(path)
    return true
  }

  /// Sets the typed description on its file. Returns the reason if that fails.
  func describeFile() -> String? {
    let text = altText.editor.text.trimmed()
    guard !text.isEmpty, let describedFile, isDescribing else { return nil }
    if let reason = attachments.describe(describedFile, as: text) { return reason }
    clear(altText)
    return nil
  }

  /// Whether the file that is being described is still attached.
  var isDescribing: Bool { attachments.files.contains { $0.key == describedFile } }

  private func clear(_ line: EntryLineView) {
    line.editor.text = ""
    noteFieldTexts()
    layOut()
  }

  /// Opens the line for a file's description, unless the user is typing in a line or is still describing another
  /// attached file.
  func askToDescribe(_ file: EntryAttachments.File) {
    guard lineWithKeys == nil, altText.editor.text.isEmpty || !isDescribing else { return }
    clear(altText)
    describe(file)
    open(altText)
  }

  /// Opens the line for the description of a file without one.
  func beginDescribing(_ file: EntryAttachments.File) {
    guard attachments.files.contains(where: { $0.key == file.key }) else { return }
    clear(altText)
    describe(file)
    open(altText)
  }

  private func describe(_ file: EntryAttachments.File) {
    describedFile = file.key
    altText.editor.placeholder = EntryFileWords.altPlaceholder(file.name ?? "")
  }

  /// Passes the texts that aren't part of the entry to the composer.
  func noteFieldTexts() {
    composer.publishTime = time.editor.text
    composer.setText(path.editor.text, of: .path)
    composer.setText(altText.editor.text, of: .altText)
    noteDescribedFile()
  }

  /// Passes the described file's path to the composer, or its id once it is uploaded. If uploads are cancelled, the
  /// path stays in the draft.
  private func noteDescribedFile() {
    if altText.editor.text.isEmpty { return composer.setText("", of: .describedFile) }
    guard let file = attachments.files.first(where: { $0.key == describedFile }) else { return }
    composer.setText(file.id ?? file.path ?? "", of: .describedFile)
  }

  /// Shows the texts that aren't part of the entry, after the entry was replaced.
  func showFieldTexts() {
    poll.form = composer.pollForm
    time.editor.text = composer.publishTime
    path.editor.text = composer.text(of: .path)
    showDescription()
  }

  /// Attaches the files that the draft names by path, and shows the unsaved description of one of them.
  func addGivenFiles() {
    attachments.addGiven()
    showDescription()
  }

  /// Shows a typed description that hasn't been set on its file yet. If the file isn't attached, clears the line.
  private func showDescription() {
    let described = composer.text(of: .describedFile)
    if let file = attachments.files.first(where: { $0.id == described || $0.path == described }) {
      altText.editor.text = composer.text(of: .altText)
      describe(file)
    } else if !isDescribing {
      altText.editor.text = ""
    }
  }

  func removeFile() {
    composer.fail(nil)
    composer.say(attachments.removeLast() ?? EntryFileWords.none)
    guard !isDescribing else { return }
    clear(altText)
    if altText.isOpen { close(altText) }
  }

  func filesDidChange() {
    guard files.files != attachments.files else { return }
    let count = files.rowCount
    files.files = attachments.files
    if !altText.editor.text.isEmpty { noteDescribedFile() }
    if count != files.rowCount { layOut() }
  }

  /// Sets the home directory of typed paths, and shows thumbnails if `settings` allow pictures.
  func takeFiles(below home: String?, _ shelf: PictureShelf?, _ settings: ReaderSettings) {
    self.settings = settings
    attachments.take(home: home, shelf, settings, of: self)
    paths.home = home
  }
}
