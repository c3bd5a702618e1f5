import PaneKit
import Terminal

/// The content of a qwink without line breaks, for densities with one or two rows.
extension QwinkCellData {
  /// The ``extras``, and one line for the poll.
  var summaries: [[TextRun<StyleRole>]] { extras + (poll.map { [PollLayout.summary(of: $0)] } ?? []) }

  /// The warning, or the visible text and extras. A warning that has been revealed is left out, because the text needs
  /// the room. With `hasSign`, the text after a warning begins with the warning's symbol.
  func coveredLine(hasSign: Bool) -> [TextRun<StyleRole>] {
    let sign = warning != nil && hasSign ? [TextRun("\(WarningWords.sign) ", StyleRole.warning)] : []
    if !isRevealed { return sign + [TextRun(warning ?? "", .warning)] }
    let lines = paragraphs.filter { !$0.isEmpty }.map(\.withoutBreaks)
    let text = Array(lines.joined(separator: [TextRun(" ", StyleRole.text)]))
    return sign + Array(([text] + summaries).filter { !$0.isEmpty }.joined(separator: [TextRun("  ", StyleRole.text)]))
  }
}

extension [TextRun<StyleRole>] {
  /// The runs without line breaks and without the indentation of a list item.
  fileprivate var withoutBreaks: Self {
    enumerated().map { index, run in
      let text = index == 0 ? String(run.text.trimmingPrefix { $0 == " " }) : run.text
      return TextRun(text.replacing("\n", with: " "), run.attribute, link: run.link)
    }
  }
}
