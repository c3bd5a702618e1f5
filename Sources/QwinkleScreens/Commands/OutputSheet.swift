import PaneKit
import SafeText
import Terminal

/// Shows the output of a custom command that is too long for the status bar.
@MainActor
final class OutputSheet: ViewController {
  private static let mostLines = 5000

  private let rule = RuleView()
  private let textView = TextView()
  private let hints = BarView()

  init(title words: String, text: String) {
    super.init()
    title = words
    keyContext = .reading
    textView.keyContext = .list
    textView.margin = 2
    for subview in [rule, textView, hints] { view.addSubview(subview) }
    rule.title = [TextRun(words, .strong)]
    textView.paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(Self.mostLines)
      .map { [TextRun(String($0), .text)] }
    hints.leading = [.init([TextRun(Action.back.key(in: .reading), .key), TextRun(HelpWords.back, .dim)], priority: 1)]
    preferredFirstResponder = textView
    on(.back) { [weak self] in self?.dismiss() }
  }

  override func preferredSheetRows(in size: Size) -> Int { size.rows }

  override func layout(in size: Size) -> Layout? {
    .rows([.intrinsic: rule, .fill: textView, .fixed(1): hints])
  }
}
