import PaneKit
import Terminal

/// A prompt for the path of a file, with completion.
@MainActor
final class FilePrompt: LinePrompt {
  private let paths: PathCompleter

  /// - Parameter home: The folder for `~`; nil means the environment's home folder.
  init(home: String?, lister: FolderLister, entered: @escaping @MainActor (String) -> Void) {
    let editor = TextEditor(isSingleLine: true)
    paths = PathCompleter(editor: editor, home: home, lister: lister)
    super.init(
      title: EntryFileWords.label, sign: [Self.space, TextRun("\(EntryFileWords.label) ", .key)], editor: editor,
      entered: entered)
    editor.label = EntryFileWords.label
    editor.placeholder = EntryFileWords.placeholder
    leaveOnBackspace()
    view.addSubview(paths.bar)
    paths.bar.isHidden = true
    paths.didShow = { [weak self] in self?.showChoices() }
    on(.promptComplete) { [weak self] in self?.paths.complete() }
  }

  private func showChoices() {
    paths.bar.isHidden = !paths.isShowing
    rule.isHidden = paths.isShowing
  }

  override var layout: Layout { .rows([.fixed(1): Layout.layers([rule, paths.bar]), .fixed(1): line]) }
}
