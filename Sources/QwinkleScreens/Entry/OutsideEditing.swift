import PaneKit

extension ViewController {
  /// Opens the text of `editor` in the user's external editor, which uses the terminal until it quits. `keep` saves the
  /// text: it is called before the editor opens, and again when the edited text has been adopted. `failed` is called
  /// with the reason if editing fails.
  func editOutside(
    _ editor: TextEditor, keep: @escaping @MainActor () -> Void, failed: @escaping @MainActor (String) -> Void
  ) {
    guard let application = window?.application else { return }
    guard let outside = application.externalEditor else {
      return failed(EntryWords.noEditor)
    }
    keep()
    outside.edit(editor.text) { [weak editor] result in
      switch result {
      case .success(let text):
        editor?.replaceAll(with: text)
        keep()
      case .failure(let error):
        failed(error.sentence)
      }
    }
  }
}
