import PaneKit

extension ViewController {
  /// Has the text of `editor` written in an editor of the writer's choice, which has the terminal meanwhile. `keep`
  /// writes down what stands there, before and after; `failed` hears why it cannot be done.
  func editOutside(
    _ editor: TextEditor, keep: @escaping @MainActor () -> Void, failed: @escaping @MainActor (String) -> Void
  ) {
    guard let application = window?.application else { return }
    guard let outside = application.externalEditor else {
      return failed("No other editor can be started from here.")
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
