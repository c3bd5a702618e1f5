import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal

/// Rows that show qwinks across the whole width of a list.
extension ListViewController {
  /// Returns the cell of a qwink.
  func cell(of qwink: Qwink, _ account: Account, _ settings: ReaderSettings) -> QwinkCell {
    QwinkCell(
      account.cellData(of: qwink, in: filterPlace), density: settings.density, pictures: pictures?.cell(of: qwink))
  }

  /// Returns the pictures of a qwink's cell.
  func pictureSubject(of qwink: Qwink) -> PictureSubject {
    .qwink(qwink, textColumns: QwinkCellLayout.textColumns(forColumns: list.frame.size.columns))
  }
}
