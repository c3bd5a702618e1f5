import PaneKit
import SafeText
import Terminal

/// Prompts for a file path at the bottom of the screen. Keyboard focus stays in the prompt until Enter or Esc.
@MainActor
final class SavePrompt: ViewController {
  private let sign = Label(TextRun("\(PictureWords.saveLabel) ", .key))
  private let editor = TextEditor(isSingleLine: true)
  private let rule = RuleView()
  private let hint = Label(TextRun(" \(PictureWords.saveHint)", .dim))
  private let paths: PathCompleter
  private let entered: @MainActor (String) -> Void

  /// Starts with `path` and calls `entered` with the typed path, unless it is empty. `~` means `home`.
  init(path: String, home: String?, lister: FolderLister, entered: @escaping @MainActor (String) -> Void) {
    self.entered = entered
    paths = PathCompleter(editor: editor, home: home, lister: lister)
    super.init()
    title = PictureWords.saveLabel
    editor.label = PictureWords.saveLabel
    for subview in [rule, paths.bar, hint, sign, editor] { view.addSubview(subview) }
    preferredFirstResponder = editor
    editor.keyContext = .prompt
    editor.text = path
    paths.bar.isHidden = true
    paths.didShow = { [weak self] in self?.showChoices() }
    on(.promptRun) { [weak self] in self?.run() }
    on(.promptLeave) { [weak self] in self?.dismiss() }
    on(.promptComplete) { [weak self] in self?.paths.complete() }
  }

  override func preferredSheetRows(in size: Size) -> Int { 3 }

  override func layout(in size: Size) -> Layout? {
    .rows([
      .fixed(1): rule, .fixed(1): Layout.layers([hint, paths.bar]),
      .fixed(1): Layout.columns([.fixed(1): nil, .intrinsic: sign, .minimum(1): editor]),
    ])
  }

  private func showChoices() {
    paths.bar.isHidden = !paths.isShowing
    hint.isHidden = paths.isShowing
    view.setNeedsLayout()
  }

  private func run() {
    editor.tellChanges()
    let path = editor.text.trimmed()
    dismiss()
    if !path.isEmpty { entered(path) }
  }
}
