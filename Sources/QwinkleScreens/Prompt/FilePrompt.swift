import PaneKit
import Terminal

/// A prompt for the path of a file, with completion.
@MainActor
final class FilePrompt: LinePrompt {
  private let paths: PathCompleter
  private let hint: Label?

  /// - Parameters:
  ///   - hint: A line above the path. Completions replace it, or the rule if there is no hint.
  ///   - placeholder: Shown in the empty line. With a placeholder, Backspace in the empty line closes the prompt.
  ///   - home: The folder for `~`; nil means the environment's home folder.
  init(
    label: String, text: String = "", hint: String? = nil, placeholder: String? = nil, home: String?,
    lister: FolderLister, entered: @escaping @MainActor (String) -> Void
  ) {
    let editor = TextEditor(isSingleLine: true)
    paths = PathCompleter(editor: editor, home: home, lister: lister)
    self.hint = hint.map { Label(TextRun(" \($0)", .dim)) }
    super.init(
      title: label, sign: [Self.space, TextRun("\(label) ", .key)], editor: editor, text: text, entered: entered)
    editor.label = label
    for subview in [self.hint, paths.bar].compactMap({ $0 as View? }) { view.addSubview(subview) }
    paths.bar.isHidden = true
    paths.didShow = { [weak self] in self?.showChoices() }
    on(.promptComplete) { [weak self] in self?.paths.complete() }
    guard let placeholder else { return }
    editor.placeholder = placeholder
    leaveOnBackspace()
  }

  private func showChoices() {
    paths.bar.isHidden = !paths.isShowing
    (hint ?? rule).isHidden = paths.isShowing
  }

  override var layout: Layout {
    guard let hint else { return .rows([.fixed(1): Layout.layers([rule, paths.bar]), .fixed(1): line]) }
    return .rows([.fixed(1): rule, .fixed(1): Layout.layers([hint, paths.bar]), .fixed(1): line])
  }
}
