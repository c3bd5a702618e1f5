import PaneKit

/// An external editor that a test ends.
@MainActor
final class ScriptedEditor: ExternalEditor {
  weak var application: Application?
  private(set) var text: String?
  private var completion: (@MainActor (Result<String, ExternalEditorError>) -> Void)?

  func edit(_ text: String, completion: @escaping @MainActor (Result<String, ExternalEditorError>) -> Void) {
    self.text = text
    self.completion = completion
    _ = application?.enterBackground()
  }

  func finish(_ result: Result<String, ExternalEditorError>) {
    application?.enterForeground()
    completion?(result)
  }
}
