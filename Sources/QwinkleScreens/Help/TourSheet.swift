public import PaneKit
public import Terminal

/// A short introduction for new readers: a few pages at the foot of the screen.
///
/// Space shows the next page, and ends the tour after the last page. Esc ends the tour. Any other key ends the tour and
/// performs its usual action, so the tour never gets in the way.
@MainActor
public final class TourSheet: ViewController {
  private let rule = RuleView()
  private let textView = TextView()
  private let pages: [[[TextRun<StyleRole>]]]
  private var page = 0

  /// Creates the tour with the keys of `keymap`. It begins with three lines about `place`.
  public init(keymap: Keymap, isSignedIn: Bool, place: TourPlace) {
    pages = TourWords.pages(isSignedIn: isSignedIn, in: place).map { page in
      page.map { line in
        let keys = line.actions.compactMap { keymap.binding(of: $0, in: TourWords.contexts)?.keyName }
        if keys.isEmpty { return [TextRun(line.words, .dim)] }
        return [TextRun(keys.joined(separator: " "), .key), TextRun(" \(line.words)", .text)]
      }
    }
    super.init()
    title = TourWords.title
    textView.margin = 2
    view.addSubview(rule)
    view.addSubview(textView)
    showPage()
  }

  private func showPage() {
    let hint = page + 1 < pages.count ? TourWords.goesOn : TourWords.ends
    rule.title = [
      TextRun("\(TourWords.title) \(page + 1)/\(pages.count)", .strong), TextRun("  \(hint)", .dim),
    ]
    textView.paragraphs = pages[page]
  }

  override public func keyDown(_ key: Key) -> Bool {
    let isNext = key == Key(.character(" "))
    if isNext, page + 1 < pages.count {
      page += 1
      showPage()
      return true
    }
    let application = view.window?.application
    dismiss()
    if !isNext, key != Key(.escape) { application?.press([key]) }
    return true
  }

  override public func pasteText(_ text: String) -> Bool { true }

  override public func preferredSheetRows(in size: Size) -> Int {
    let columns = size.columns - 2 * textView.margin
    let rows = pages.map { page in
      page.reduce(0) { $0 + TextLayout.wrap($1, columns: columns, form: textView.textForm).count }
    }
    return min(1 + (rows.max() ?? 0), max(2, size.rows / 2))
  }

  override public func layout(in size: Size) -> Layout? {
    .rows([.intrinsic: rule, .fill: textView])
  }
}
