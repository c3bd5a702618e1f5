import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal
import Timekeeping

/// The posts that the reader has seen, and Home's read position.
///
/// A row is seen once it was selected and the reader did something in the list, or once the selection passed it while
/// it was visible to its end. Rows below the selection stay unseen although they are visible: dim text under the
/// reader's eyes would be harder to read, and the number of posts left would run ahead of the reader.
extension CatchUpViewController {
  /// Whether the reader has seen the post of a row. For a link, whether the reader has seen its row.
  func isSeen(_ row: CatchUpListRow) -> Bool {
    if let link = row.link { return seenLinks.contains(link.url) }
    return row.row.rowID.map(catchUp.isSeen) ?? false
  }

  /// Marks the rows between the formerly selected row and the selected one as seen. Omits rows whose end was visible
  /// neither before nor after the reader's action.
  func noteSeen(from former: Int, in before: Range<Int>) {
    guard let selectedIndex, rows.indices.contains(former) else { return }
    let now = rowsSeen ?? selectedIndex..<(selectedIndex + 1)
    let passed = min(former, selectedIndex)...max(former, selectedIndex)
    markSeen(
      passed.filter { index in
        index == former || index == selectedIndex || before.contains(index) || now.contains(index)
      })
  }

  private func markSeen(_ indices: [Int]) {
    let new = indices.filter { !isSeen(rows[$0]) }
    guard !new.isEmpty else { return }
    isMarking = true
    for index in new {
      if let link = rows[index].link { seenLinks.insert(link.url) }
    }
    catchUp.markSeen(new.filter { rows[$0].link == nil }.compactMap { rows[$0].row.rowID })
    isMarking = false
    list.reloadItems(at: new.map { $0 + leadingCount }, keepsPlace: true)
    navigator?.statusDidChange(of: self)
  }

  /// Moves Home's read position up to the selected post. All older posts count as seen.
  func readToHere() {
    guard let row = selectedRow?.row.rowID, let index = catchUp.items.firstIndex(where: { $0.rowID == row }) else {
      return
    }
    let time = time(catchUp.items[index].listedAt)
    let hasMoved = catchUp.markRead(upTo: row)
    isMarking = true
    catchUp.markSeen(catchUp.items[index...].map(\.rowID))
    isMarking = false
    list.reloadCells()
    navigator?.statusDidChange(of: self)
    say(hasMoved ? CatchUpWords.read(to: time) : CatchUpWords.alreadyRead(to: time), hasMoved ? .new : .dim)
  }

  func time(_ date: Date) -> String { CatchUpWords.time(date, at: account.clock.now, in: account.timeZone) }
}
