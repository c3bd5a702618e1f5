public import PaneKit
public import Terminal

/// The keys of the current keymap.
@MainActor
public final class HelpViewController: ViewController {
  private let textView = TextView()
  private let rule = RuleView()
  private let hints = BarView()
  private let keymap: Keymap
  private let contexts: [KeyContext]

  /// The keys of `keymap`, first those of `contexts`, in which the reader is.
  public init(keymap: Keymap, contexts: [KeyContext] = []) {
    self.keymap = keymap
    self.contexts = contexts
    super.init()
    title = HelpWords.title
    keyContext = .reading
    textView.keyContext = .list
    textView.margin = 2
    view.addSubview(rule)
    view.addSubview(textView)
    view.addSubview(hints)
    rule.title = [TextRun(HelpWords.title, .strong)]
    hints.leading = [
      .init([TextRun("q", .key), TextRun(HelpWords.back, .dim)], priority: 2),
      .init([TextRun("j k", .key), TextRun(HelpWords.scroll, .dim)], priority: 1),
    ]
    preferredFirstResponder = textView
    on(.back) { [weak self] in self?.dismiss() }
    on(.help) { [weak self] in self?.dismiss() }
    textView.didScroll.add(self) { $0.sayPlace() }
  }

  override public func updateProperties() {
    guard !view.frame.isEmpty else { return }
    textView.paragraphs = paragraphs(isCompact: SizeClass(columns: view.frame.size.columns) == .compact)
    sayPlace()
  }

  override public func preferredSheetRows(in size: Size) -> Int { size.rows }

  override public func layout(in size: Size) -> Layout? {
    .rows([.intrinsic: rule, .fill: textView, .fixed(1): hints])
  }

  /// Says which rows are seen, unless all are.
  private func sayPlace() {
    let rows = textView.visibleRows
    rule.note = rows.count < textView.rowCount ? HelpWords.place(rows, of: textView.rowCount) : ""
  }

  /// The groups of keys, the reader's contexts first, those that work everywhere last.
  private var groups: [(KeyContext, String)] {
    let groups = HelpWords.groups.filter { $0.0 != .always }
    let near = contexts.compactMap { context in groups.first { $0.0 == context } }
    return near + groups.filter { !contexts.contains($0.0) } + HelpWords.groups.filter { $0.0 == .always }
  }

  private func paragraphs(isCompact: Bool) -> [[TextRun<StyleRole>]] {
    let keyWords = Self.keyWords
    var lines: [[TextRun<StyleRole>]] = []
    let widest = keymap.bindings.map { DisplayWidth.columns(of: keyWords($0)) }.max() ?? 0
    for (context, title) in groups {
      let bindings = keymap.bindings.filter { $0.context == context }
      guard !bindings.isEmpty else { continue }
      if context == .always { lines += [[]] + Self.commandParagraphs(isCompact: isCompact) }
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
    return [[TextRun(HelpWords.commands, .strong)]]
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
