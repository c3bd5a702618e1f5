public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The user's filters on the server. Enter edits a filter.
@MainActor
public final class FiltersViewController: ManagedListViewController<ContentFilter> {
  private let keymap: Keymap

  public init(account: Account, keymap: Keymap) {
    self.keymap = keymap
    super.init(title: ManagedListWords.filters, account: account)
  }

  override var keys: [ManagedListKey: String] { [.add: "new filter", .edit: "change", .remove: "delete"] }
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

  override func add() { show(FilterForm(), of: ContentFilter(title: ""), title: ManagedListWords.newFilter) }

  override func edit(_ item: ContentFilter) {
    show(FilterForm(item, zone: account.timeZone), of: item, title: ManagedListWords.filter)
  }

  override func remove(_ item: ContentFilter) {
    navigator?.ask(ManagedListWords.deleteQuestion(item), again: nil) { [weak self] in
      self?.account.change(by: .deleteFilter(item.id), failing: "Deleting the filter") { [weak self] in
        self?.change { $0.remove { $0.id == item.id } }
        self?.say(ManagedListWords.deleted, .new)
      }
    }
  }

  private func show(_ form: FilterForm, of filter: ContentFilter, title: String) {
    present(
      FormSheet(title: title, fields: form.fields, keymap: keymap) { [weak self] lines, sheet in
        guard let self, let typed = FilterForm(lines) else { return nil }
        do throws(FilterForm.Refusal) {
          let change = try typed.change(of: filter, from: form, at: account.clock.now, zone: account.timeZone)
          send(change, isNew: filter.id.rawValue.isEmpty, sheet)
          return nil
        } catch {
          return error.sentence
        }
      })
  }

  private func send(_ change: FilterForm.Change, isNew: Bool, _ sheet: FormSheet) {
    let request: Request<ContentFilter> =
      isNew
      ? .createFilter(change.filter, seconds: change.seconds)
      : .changeFilter(change.filter, seconds: change.seconds, removing: change.removed)
    account.send(request, doing: ManagedListWords.savingFilter) { [weak self, weak sheet] result in
      switch result {
      case .success(let new):
        sheet?.finish()
        self?.change { isNew ? $0.putOnTop(new) : $0.update { $0.id == new.id ? new : nil } }
        if isNew { self?.select(0) }
        self?.say(ManagedListWords.filterSaved, .new)
      case .failure(let error): sheet?.fail(ProfileWords.notSaved(error.sentence))
      }
    }
  }
}
