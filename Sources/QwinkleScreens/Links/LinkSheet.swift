import PaneKit
import Terminal

/// A numbered list of links to choose from.
@MainActor
final class LinkSheet: ChoiceSheet<QwinkLinks.Entry> {
  /// The sheet closes before it calls `choose` or `copy`.
  init(
    links: QwinkLinks, keymap: Keymap, choose: @escaping @MainActor (QwinkLinks.Entry) -> Void,
    copy: @escaping @MainActor (QwinkLinks.Entry) -> Void
  ) {
    super.init(
      title: LinkWords.title, links.entries, verb: LinkWords.open, context: .links, actions: [.back, .copyLink],
      keymap: keymap, choose: choose)
    on(.copyLink) { [weak self] in self?.close(withRowAt: self?.list.selectedIndex, copy) }
  }
}

extension QwinkLinks.Entry: NumberedChoice {
  /// Draws the target, and a remark that helps the user choose.
  func draw(in canvas: Canvas, from start: Int) {
    let room = canvas.size.columns - start - 1
    // The target takes precedence over the remark.
    var column = start + canvas.write(words, row: 0, column: start, role: role, columns: room)
    guard !remark.isEmpty, column + 4 < canvas.size.columns else { return }
    column += 2
    if isMisnamed { column += canvas.write(LinkWords.misnamed, row: 0, column: column, role: .warning) }
    canvas.write(
      remark, row: 0, column: column, role: isMisnamed ? .warning : .dim, columns: canvas.size.columns - column - 1)
  }

  private var role: StyleRole {
    switch target {
    case .link, .page, .other: .link
    case .attachment: .text
    case .mention, .quote: .mention
    case .tag: .tag
    }
  }
}
