import PaneKit
import SafeText
import Terminal

/// A prompt whose text has an effect while the user types it.
@MainActor
final class LivePrompt: LinePrompt {
  private let typed: @MainActor (String) -> Void
  private let left: @MainActor () -> Void

  /// Creates a prompt whose line begins with `sign`. `label` names the prompt in linear form. Calls `typed` after each
  /// change of the text, `entered` after Enter, and `left` if the user leaves the prompt without Enter.
  init(
    sign: String, label: String, typed: @escaping @MainActor (String) -> Void,
    left: @escaping @MainActor () -> Void, entered: @escaping @MainActor (String) -> Void
  ) {
    self.typed = typed
    self.left = left
    super.init(title: label, sign: [Self.space, TextRun(sign, .key), Self.space], entered: entered)
    editor.label = label
    leaveOnBackspace()
    editor.didChange.add(self) { $0.typed($0.editor.text.trimmed()) }
  }

  override func leave() {
    super.leave()
    left()
  }
}
