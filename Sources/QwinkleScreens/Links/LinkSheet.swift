import PaneKit
import Terminal

/// A numbered list of links to choose from.
@MainActor
final class LinkSheet: ViewController {
  private static let maximumRows = 12

  private let links: QwinkLinks
  private let chooseEntry: @MainActor (QwinkLinks.Entry) -> Void
  private let copyEntry: @MainActor (QwinkLinks.Entry) -> Void
  private let rule = RuleView()
  private let list = ListView()
  private let hints = BarView()

  /// The sheet closes before it calls `choose` or `copy`.
  init(
    links: QwinkLinks, keymap: Keymap, choose: @escaping @MainActor (QwinkLinks.Entry) -> Void,
    copy: @escaping @MainActor (QwinkLinks.Entry) -> Void
  ) {
    self.links = links
    self.chooseEntry = choose
    self.copyEntry = copy
    super.init()
    title = LinkWords.title
    keyContext = .links
    for subview in [rule, list, hints] { view.addSubview(subview) }
    rule.title = [TextRun(LinkWords.title, .strong)]
    let last = min(9, links.entries.count)
    hints.leading =
      [BarView.Item([TextRun(last > 1 ? "1…\(last)" : "1", .key), TextRun(" \(LinkWords.open)", .dim)], priority: 30)]
      + StatusWords.hints(KeysInForce(keymap: keymap, contexts: [.links]), actions: [.back, .copyLink])
    preferredFirstResponder = list
    list.keyContext = .list
    list.dataSource = self
    list.performListActions()
    on(.open) { [weak self] in self?.choose(at: self?.list.selectedIndex) }
    on(.back) { [weak self] in self?.dismiss() }
    on(.copyLink) { [weak self] in self?.copySelected() }
    list.reloadData()
  }

  override func preferredSheetRows(in size: Size) -> Int { min(links.entries.count, Self.maximumRows) + 2 }

  override func keyDown(_ key: Key) -> Bool {
    guard let digit = key.typedCharacter?.wholeNumberValue, digit > 0 else { return false }
    choose(at: digit - 1)
    return true
  }

  private func choose(at index: Int?) {
    guard let index, links.entries.indices.contains(index) else { return }
    dismiss()
    chooseEntry(links.entries[index])
  }

  private func copySelected() {
    guard let index = list.selectedIndex, links.entries.indices.contains(index) else { return }
    dismiss()
    copyEntry(links.entries[index])
  }

  override func layout(in size: Size) -> Layout? { .rows([.intrinsic: rule, .fill: list, .fixed(1): hints]) }
}

extension LinkSheet: ListViewDataSource {
  func numberOfItems(in listView: ListView) -> Int { links.entries.count }

  func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    LinkCell(number: index + 1, entry: links.entries[index])
  }
}

/// A row of the sheet: number, target, and a remark that helps the user choose.
@MainActor
private struct LinkCell: ListCell {
  let number: Int
  let entry: QwinkLinks.Entry

  func rows(forColumns columns: Int) -> Int { 1 }

  func draw(in canvas: Canvas, selection: ListSelection) {
    if selection != .none { canvas.write("▌", row: 0, column: 0, role: .selection) }
    if number < 10 { canvas.write("\(number)", row: 0, column: 2, role: .key) }
    let start = 5
    let room = canvas.size.columns - start - 1
    // The target takes precedence over the remark.
    var column = start + canvas.write(entry.words, row: 0, column: start, role: entry.role, columns: room)
    guard !entry.remark.isEmpty, column + 4 < canvas.size.columns else { return }
    column += 2
    if entry.isMisnamed { column += canvas.write(LinkWords.misnamed, row: 0, column: column, role: .warning) }
    canvas.write(
      entry.remark, row: 0, column: column, role: entry.isMisnamed ? .warning : .dim,
      columns: canvas.size.columns - column - 1)
  }
}

extension QwinkLinks.Entry {
  fileprivate var role: StyleRole {
    switch target {
    case .link, .page, .other: .link
    case .attachment: .text
    case .mention, .quote: .mention
    case .tag: .tag
    }
  }
}
