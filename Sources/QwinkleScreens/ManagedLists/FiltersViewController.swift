public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The user's filters on the server. Enter edits a filter, and another key lists the posts that match it.
@MainActor
public final class FiltersViewController: ManagedListViewController<ContentFilter> {
  private let keymap: Keymap

  public init(account: Account, keymap: Keymap) {
    self.keymap = keymap
    super.init(title: ManagedListWords.filters, account: account)
  }

  override var keys: [ManagedListKey: String] {
    [.add: "new filter", .edit: "change", .remove: "delete", .members: "matches"]
  }
  override var emptyWords: String { ManagedListWords.noFilters }

  override func fetchFirst(_ done: @escaping Completion) -> Fetch? {
    account.fetch(.filters) { done($0.map { Page(items: $0) }) }
  }

  override func placeKey(of row: ContentFilter) -> String? { row.id.rawValue }

  override func text(of item: ContentFilter) -> RowText {
    let form = FilterForm(item, zone: account.timeZone)
    let end = item.expiresAt.map { "  until \(RelativeTime.full($0, in: account.timeZone))" } ?? ""
    return RowText(
      head: [TextRun(item.title, .name), TextRun("  \(ManagedListWords.effect(of: item))\(end)", .dim)],
      body: [[TextRun(form.words, .text)], [TextRun("in \(form.places)", .dim)]])
  }

  override func open(_ row: ContentFilter) { edit(row) }

  override func add() { show(nil) }
  override func edit(_ item: ContentFilter) { show(item) }

  override func showMembers(of item: ContentFilter) { navigator?.show(.filterMatches(item)) }

  override func remove(_ item: ContentFilter) {
    navigator?.ask(ManagedListWords.deleteQuestion(item), again: nil) { [weak self] in
      self?.account.change(by: .deleteFilter(item.id), failing: "Deleting the filter") { [weak self] in
        self?.change { $0.remove { $0.id == item.id } }
        self?.say(ManagedListWords.deleted, .new)
      }
    }
  }

  /// Shows a form for `filter`, or for a new filter if nil.
  private func show(_ filter: ContentFilter?) {
    let sheet = FilterSheet(filter, account: account, keymap: keymap) { [weak self] saved in
      self?.change { filter == nil ? $0.putOnTop(saved) : $0.update { $0.id == saved.id ? saved : nil } }
      if filter == nil { self?.select(0) }
      self?.say(ManagedListWords.filterSaved, .new)
    }
    sheet.navigator = navigator
    present(sheet)
  }
}
