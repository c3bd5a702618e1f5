/// Edits a text in another program on the terminal.
@MainActor
public protocol ExternalEditor: AnyObject {
  /// Opens `text` in the editor. The application draws nothing until the editor exits. Calls `completion` once with the
  /// edited text, possibly before returning.
  func edit(_ text: String, completion: @escaping @MainActor (Result<String, ExternalEditorError>) -> Void)
}

/// An error that prevents editing a text in another program.
public struct ExternalEditorError: Error, Hashable, Sendable {
  /// A sentence for the user: the failure, and what to do about it.
  public let sentence: String

  public init(_ sentence: String) {
    self.sentence = sentence
  }
}
