/// A program outside of this one that edits a text on the terminal.
@MainActor
public protocol ExternalEditor: AnyObject {
  /// Opens `text` in the editor. Nothing is drawn meanwhile. Calls `completion` once with the edited text, perhaps
  /// before returning.
  func edit(_ text: String, completion: @escaping @MainActor (Result<String, ExternalEditorError>) -> Void)
}

/// Why a text could not be edited outside.
public struct ExternalEditorError: Error, Hashable, Sendable {
  /// What failed and what to do.
  public let sentence: String

  public init(_ sentence: String) {
    self.sentence = sentence
  }
}
