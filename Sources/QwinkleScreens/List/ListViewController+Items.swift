public import PaneKit
import QwinkleAccount
public import Terminal

extension ListViewController: ListViewDataSource, ListViewDelegate {
  public func numberOfItems(in listView: ListView) -> Int { leadingCount + rows.count }

  public func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    if let leadingCell, index == 0 { return leadingCell }
    return cell(forRowAt: row(ofItem: index))
  }

  public func listView(_ listView: ListView, didSelectItemAt index: Int?) {
    updatePosition()
    // The reader has moved, so don't restore the old position.
    if !isPlacing { waitingPlace = nil }
    didSelectRow()
  }

  public func listView(_ listView: ListView, stopsAtItem index: Int) -> Bool {
    let row = row(ofItem: index)
    return rows.indices.contains(row) && standsForOthers(rows[row])
  }

  public func listView(_ listView: ListView, didClick link: TextLink, inItemAt index: Int) {
    navigator?.open(link, in: self)
  }

  public func listView(_ listView: ListView, didShowItemsIn range: Range<Int>) {
    shownItems = range
    pictures?.lookSoon()
    didShowRows()
  }
}
