import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import SafeText
import Timekeeping

/// Edits a filter in a sheet.
@MainActor
final class FilterSheet: FormSheet {
  private let account: Account
  private let filter: ContentFilter
  private let form: FilterForm
  private let saved: @MainActor (ContentFilter) -> Void

  /// Creates a form for `filter`, or for a new filter if nil. Calls `saved` with the server's copy.
  init(
    _ filter: ContentFilter?, account: Account, keymap: Keymap, saved: @escaping @MainActor (ContentFilter) -> Void
  ) {
    self.account = account
    self.filter = filter ?? ContentFilter(title: "")
    self.saved = saved
    form = filter.map { FilterForm($0, zone: account.timeZone) } ?? FilterForm()
    super.init(
      title: filter == nil ? ManagedListWords.newFilter : ManagedListWords.filter, fields: form.fields, keymap: keymap)
  }

  /// Blanks around a value have no meaning, so they are no change.
  override var texts: [String] { super.texts.map { $0.trimmed() } }

  override func accept() {
    guard let typed = FilterForm(texts) else { return }
    do throws(FilterForm.Refusal) {
      let change = try typed.change(of: filter, from: form, at: account.clock.now, zone: account.timeZone)
      let request: Request<ContentFilter> =
        filter.id.rawValue.isEmpty
        ? .createFilter(change.filter, seconds: change.seconds)
        : .changeFilter(change.filter, seconds: change.seconds, removing: change.removed)
      send(request, from: account, doing: ManagedListWords.savingFilter, then: saved)
    } catch {
      fail(error.sentence)
    }
  }
}
