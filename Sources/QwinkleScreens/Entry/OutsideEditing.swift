import PaneKit

extension ViewController {
  /// Opens the text of `editor` in the user's own editor, which has the terminal meanwhile. `keep` saves the text,
  /// before and after; `failed` is called with the reason if it can't be opened.
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
