public import PaneKit
public import Terminal

/// The keys of the current keymap.
@MainActor
public final class HelpViewController: ViewController {
  private static let groups: [(KeyContext, String)] = [
    (.global, "Anywhere but in text"), (.list, "In a list"), (.qwink, "On a qwink"), (.reading, "Reading"),
    (.entry, "Writing"), (.form, "In your profile"), (.search, "In a search"),
    (.finding, "Typing what to look for"), (.chatMessages, "In the messages of a conversation"),
    (.chat, "Writing in a conversation"), (.links, "Choosing a link"), (.prompt, "At the : prompt"),
    (.always, "Always"),
  ]

  private let textView = TextView()
  private let rule = RuleView()
  private let hints = BarView()
  private let keymap: Keymap

  public init(keymap: Keymap) {
    self.keymap = keymap
    super.init()
    title = "Keys"
    keyContext = .reading
    textView.keyContext = .list
    textView.margin = 2
    view.addSubview(rule)
    view.addSubview(textView)
    view.addSubview(hints)
    rule.title = [TextRun("Keys", .strong)]
    hints.leading = [
      .init([TextRun("q", .key), TextRun(" back", .dim)], priority: 2),
      .init([TextRun("j k", .key), TextRun(" scroll", .dim)], priority: 1),
    ]
    preferredFirstResponder = textView
    on(.back) { [weak self] in self?.dismiss() }
    on(.help) { [weak self] in self?.dismiss() }
    textView.didScroll.add(self) { $0.sayPlace() }
  }

  override public func updateProperties() {
    guard !view.frame.isEmpty else { return }
    textView.paragraphs = Self.paragraphs(keymap, isCompact: SizeClass(columns: view.frame.size.columns) == .compact)
    sayPlace()
  }

  override public func preferredSheetRows(in size: Size) -> Int { size.rows }

  override public func layout(in size: Size) -> Layout? {
    .rows([.intrinsic: rule, .fill: textView, .fixed(1): hints])
  }

  /// Says which rows are seen, unless all are.
  private func sayPlace() {
    let rows = textView.visibleRows
    let words =
      rows.count < textView.rowCount ? "\(rows.lowerBound + 1)–\(rows.upperBound) of \(textView.rowCount)" : ""
    hints.trailing = [.init(words, .dim)]
  }

  private static func paragraphs(_ keymap: Keymap, isCompact: Bool) -> [[TextRun<StyleRole>]] {
    var lines: [[TextRun<StyleRole>]] = []
    let widest = keymap.bindings.map { DisplayWidth.columns(of: keyWords($0)) }.max() ?? 0
    for (context, title) in groups {
      let bindings = keymap.bindings.filter { $0.context == context }
      guard !bindings.isEmpty else { continue }
      if context == .always { lines += [[]] + commandParagraphs(isCompact: isCompact) }
      if !lines.isEmpty { lines.append([]) }
      lines.append([TextRun(title, .strong)])
      for binding in bindings {
        let keys = keyWords(binding)
        if isCompact {
          lines += [[TextRun(keys, .key)], [TextRun("  " + binding.summary, .text)]]
          continue
        }
        let padding = String(repeating: " ", count: widest + 2 - DisplayWidth.columns(of: keys))
        lines.append([TextRun(keys, .key), TextRun(padding + binding.summary, .text)])
      }
    }
    return lines
  }

  private static func commandParagraphs(isCompact: Bool) -> [[TextRun<StyleRole>]] {
    let widest = PromptCommand.all.map { DisplayWidth.columns(of: $0.usage) }.max() ?? 0
    return [[TextRun("Commands", .strong)]]
      + PromptCommand.all.flatMap { command -> [[TextRun<StyleRole>]] in
        let usage = TextRun<StyleRole>(command.usage, .key)
        if isCompact { return [[usage], [TextRun("  " + command.summary, .text)]] }
        let padding = String(repeating: " ", count: widest + 2 - DisplayWidth.columns(of: command.usage))
        return [[usage, TextRun(padding + command.summary, .text)]]
      }
  }

  private static func keyWords(_ binding: Keymap.Binding) -> String {
    binding.sequences.map(Keymap.name(of:)).uniqued().joined(separator: "  ")
  }
}

extension Array where Element: Hashable {
  /// The elements, each once.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
