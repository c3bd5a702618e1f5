public import PaneKit
public import QwinkleModel
import Terminal

/// The help: the keys of the current keymap, and the commands.
@MainActor
public final class HelpViewController: TextSheet {
  private let parts: [HelpPart]

  /// Shows the keys of `keymap`, beginning with the reader's current `contexts`. Keys that need an ability in
  /// `lacking`, which the server doesn't have, are left out.
  public init(keymap: Keymap, contexts: [KeyContext] = [], lacking: Set<Ability> = []) {
    parts = HelpPart.all(keymap: keymap, near: contexts, lacking: lacking)
    super.init(title: HelpWords.title)
    on(.help) { [weak self] in self?.dismiss() }
  }

  override var hasRowAbove: Bool { true }

  override var items: [String] { parts.flatMap(\.entries).map { "\($0.name) \($0.meaning)" } }

  override func rows(ofItem index: Int) -> Range<Int> { makeLayout().places[index] }

  private func makeLayout() -> HelpLayout { HelpLayout(parts, columns: textColumns, found: found) }

  override func showText() {
    textView.paragraphs = makeLayout().lines
    // In linear form, show one entry per line, because the laid-out lines mix the columns.
    textView.linearParagraphs = parts.flatMap { part in
      [[], [TextRun(part.title, .strong)]]
        + part.entries.map { [TextRun($0.name, .key), TextRun("  \($0.meaning)", .text)] }
    }
  }
}
