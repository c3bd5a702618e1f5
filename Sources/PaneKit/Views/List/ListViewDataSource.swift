public import Terminal

/// Provides the items of a list. Cells are requested only for items that are about to be shown or measured.
@MainActor
public protocol ListViewDataSource: AnyObject {
  func numberOfItems(in listView: ListView) -> Int

  /// Returns the cell for an item. Called again after the item is inserted or reloaded, and when it becomes visible
  /// again.
  func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell
}

/// Receives the user's actions in a list.
@MainActor
public protocol ListViewDelegate: AnyObject {
  /// Called after the selection changed. `index` is nil if no item is selected.
  func listView(_ listView: ListView, didSelectItemAt index: Int?)

  /// Called when the range of visible items changes.
  func listView(_ listView: ListView, didShowItemsIn range: Range<Int>)

  /// Returns whether moving and scrolling stop at an item instead of passing it.
  func listView(_ listView: ListView, stopsAtItem index: Int) -> Bool

  /// Called after a click on a link has selected its item. The default does nothing.
  func listView(_ listView: ListView, didClick link: TextLink, inItemAt index: Int)
}

extension ListViewDelegate {
  public func listView(_ listView: ListView, didClick link: TextLink, inItemAt index: Int) {}
}

/// The appearance of an item. A cell computes its height for each width.
@MainActor
public protocol ListCell {
  /// Returns the number of rows that the cell needs, at least 1.
  func rows(forColumns columns: Int) -> Int

  /// Returns the cell's lines in linear form (on terminals that only append text). If nil, the default, the lines are
  /// the text that the cell draws.
  func words(forColumns columns: Int) -> [String]?

  /// Draws the cell in a canvas of the height it requested.
  func draw(in canvas: Canvas, selection: ListSelection)
}

/// The relation of an item to the selection.
public enum ListSelection: Hashable, Sendable {
  case none
  /// Selected in a list that has the focus.
  case active
  /// Selected in a list without the focus.
  case resting
}
