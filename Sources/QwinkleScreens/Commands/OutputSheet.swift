import PaneKit
import SafeText
import Terminal

/// Shows the output of a custom command that is too long for the status bar.
@MainActor
final class OutputSheet: TextSheet {
  private static let mostLines = 5000

  private let lines: [String]

  init(title: String, text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(Self.mostLines).map { String($0) }
    super.init(title: title)
  }

  override var items: [String] { lines }

  override func showText() {
    textView.paragraphs = lines.enumerated().map { [TextRun($1, $0 == found ? .selectedLine : .text)] }
  }

  override func rows(ofItem index: Int) -> Range<Int> { textView.rows(ofParagraph: index) }
}
