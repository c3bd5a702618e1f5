import PaneKit

/// Where a reader is in a list, by the keys of rows: they mean the same in the next run, and in a window of another
/// size.
struct ListPlace: Equatable {
  /// The selected row; nil where none is, as on a profile.
  var selected: String?
  /// The first row in sight; empty: what stands above all rows.
  var top: String?
  /// Screen rows of ``top`` that are above the view.
  var hiddenRows = 0

  /// The keys of its rows.
  var keys: [String] { [selected, top].compactMap(\.self).filter { !$0.isEmpty } }

  init(selected: String? = nil, top: String? = nil, hiddenRows: Int = 0) {
    self.selected = selected
    self.top = top
    self.hiddenRows = hiddenRows
  }

  /// The place in a restored state; nil where there is none.
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
