import PaneKit

/// The reader's position in a list. Rows are identified by keys, which remain valid in the next run and in a window of
/// another size.
struct ListPlace: Equatable {
  /// The key of the selected row. Nil if no row is selected, for example because the profile above the rows is
  /// selected.
  var selected: String?
  /// The key of the first visible row. An empty string means the leading cell above all rows.
  var top: String?
  /// Number of screen rows of ``top`` that are scrolled out of view.
  var hiddenRows = 0

  var keys: [String] { [selected, top].compactMap(\.self).filter { !$0.isEmpty } }

  init(selected: String? = nil, top: String? = nil, hiddenRows: Int = 0) {
    self.selected = selected
    self.top = top
    self.hiddenRows = hiddenRows
  }

  /// Decodes the position from a restored state, if any.
  init?(_ state: RestorableState) {
    self.init(
      selected: state["place"], top: state["top"], hiddenRows: state["hidden"].flatMap { Int($0) } ?? 0)
    if selected == nil, top == nil { return nil }
  }

  func encode(to state: inout RestorableState) {
    state["place"] = selected
    state["top"] = top
    state["hidden"] = hiddenRows == 0 ? nil : "\(hiddenRows)"
  }
}
