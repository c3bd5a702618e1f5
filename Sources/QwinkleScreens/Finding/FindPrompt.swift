import PaneKit
import SafeText
import Terminal

/// A one-row prompt at the foot of the screen, for example for a search. It has the keyboard focus until Enter or Esc.
@MainActor
final class FindPrompt: ViewController {
  private let sign: Label
  private let editor = TextEditor(isSingleLine: true)
  private let rule = RuleView()
  private let entered: @MainActor (String) -> Void

  /// Creates a prompt that begins with `sign` and initially contains `text`. When the user presses Enter, calls
  /// `entered` with the text, which may be empty. `label` names the prompt in linear form.
  init(sign: String, label: String, text: String = "", entered: @escaping @MainActor (String) -> Void) {
    self.sign = Label(TextRun(sign, .key))
    self.entered = entered
    super.init()
    title = label
    editor.label = label
    editor.text = text
    for subview in [rule, self.sign, editor] { view.addSubview(subview) }
    preferredFirstResponder = editor
    editor.keyContext = .prompt
    // Backspace in an empty line closes the prompt.
    editor.didDeleteBackwardWhenEmpty.add(self) { $0.dismiss() }
    on(.promptRun) { [weak self] in self?.run() }
    on(.promptLeave) { [weak self] in self?.dismiss() }
  }

  override func preferredSheetRows(in size: Size) -> Int { 2 }

  override func layout(in size: Size) -> Layout? {
    let line = Layout.columns([.fixed(1): nil, .intrinsic: sign, .fixed(1): nil, .fill: editor])
    return .rows([.fixed(1): rule, .fixed(1): line])
  }

  private func run() {
    editor.tellChanges()
    let words = editor.text.trimmed()
    dismiss()
    entered(words)
  }
}
