import PaneKit
import Terminal

/// Prompts for the path of a file to save, and completes the path.
@MainActor
final class SavePrompt: LinePrompt {
  private let hint = Label(TextRun(" \(PictureWords.saveHint)", .dim))
  private let paths: PathCompleter

  /// Starts with `path` and calls `entered` with the typed path, unless it is empty. `~` means `home`.
  init(path: String, home: String?, lister: FolderLister, entered: @escaping @MainActor (String) -> Void) {
    let editor = TextEditor(isSingleLine: true)
    paths = PathCompleter(editor: editor, home: home, lister: lister)
    super.init(
      title: PictureWords.saveLabel, sign: [Self.space, TextRun("\(PictureWords.saveLabel) ", .key)], editor: editor,
      text: path
    ) { if !$0.isEmpty { entered($0) } }
    editor.label = PictureWords.saveLabel
    for subview in [hint, paths.bar] { view.addSubview(subview) }
    showChoices()
    paths.didShow = { [weak self] in self?.showChoices() }
    on(.promptComplete) { [weak self] in self?.paths.complete() }
  }

  override var layout: Layout {
    .rows([.fixed(1): rule, .fixed(1): Layout.layers([hint, paths.bar]), .fixed(1): line])
  }

  private func showChoices() {
    paths.bar.isHidden = !paths.isShowing
    hint.isHidden = paths.isShowing
    view.setNeedsLayout()
  }
}
