/// Where a list gets what it shows. It asks only for items that it is about to show.
@MainActor
public protocol ListViewDataSource: AnyObject {
  func numberOfItems(in listView: ListView) -> Int

  /// The cell for an item. Asked again after the item was inserted or reloaded, and when it comes back into view.
  func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell
}

/// Told what the user does in a list.
@MainActor
public protocol ListViewDelegate: AnyObject {
  /// Another item, or none, was selected.
  func listView(_ listView: ListView, didSelectItemAt index: Int?)

  /// These items are on the screen now.
  func listView(_ listView: ListView, didShowItemsIn range: Range<Int>)

  /// Whether moving and scrolling stop at an item rather than pass it. By default they stop at none.
  func listView(_ listView: ListView, stopsAtItem index: Int) -> Bool
}

extension ListViewDelegate {
  public func listView(_ listView: ListView, didSelectItemAt index: Int?) {}
  public func listView(_ listView: ListView, didShowItemsIn range: Range<Int>) {}
  public func listView(_ listView: ListView, stopsAtItem index: Int) -> Bool { false }
}

/// What an item looks like. A cell knows its own height for each width.
@MainActor
public protocol ListCell {
  /// Rows that it needs, at least 1.
  func rows(forColumns columns: Int) -> Int

  /// What it says, line by line, where text is only appended; nil, as by default: the words that it draws.
  func words(forColumns columns: Int) -> [String]?

  /// Draws itself; the canvas has the rows it asked for.
  func draw(in canvas: Canvas, selection: ListSelection)
}

/// How an item of a list stands to the selection.
public enum ListSelection: Hashable, Sendable {
  case none
  /// Selected, and the list has the keys.
  case active
  /// Selected, but the keys go elsewhere.
  case resting
}
