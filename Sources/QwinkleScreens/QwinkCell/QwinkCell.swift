import PaneKit
import Terminal

/// A list cell that draws a qwink.
@MainActor
final class QwinkCell: ListCell {
  let data: QwinkCellData
  private let density: Density
  private let pictures: CellPictures?
  /// ``data`` with placeholders for emoji.
  private let drawn: QwinkCellData
  private var layout: (columns: Int, indent: Int, layout: QwinkCellLayout)?

  init(_ data: QwinkCellData, density: Density = .comfortable, pictures: CellPictures? = nil) {
    self.data = data
    self.pictures = density == .comfortable ? pictures : nil
    self.density = density
    drawn = self.pictures?.emoji.map { data.placing($0) } ?? data
  }

  func rows(forColumns columns: Int) -> Int { rows(forColumns: columns, indent: 0) }

  /// Returns the height of a cell that is `columns` wide. `indent` is the number of the pane's columns to the left of
  /// the cell.
  func rows(forColumns columns: Int, indent: Int) -> Int {
    layout(for: columns, indent: indent).lines.count
  }

  func words(forColumns columns: Int) -> [String]? {
    // The spoken text doesn't depend on the density.
    CellWords.lines(QwinkCellLayout(data, columns: columns, isSpoken: true).lines)
  }

  func draw(in canvas: Canvas, selection: ListSelection) { draw(in: canvas, indent: 0, selection: selection) }

  func draw(in canvas: Canvas, indent: Int, selection: ListSelection) {
    let layout = layout(for: canvas.size.columns, indent: indent)
    canvas.write(layout.lines, selection: selection)
    guard let pictures else { return }
    pictures.drawEmoji(in: canvas, over: layout.lines)
    pictures.drawAvatar(in: canvas, beside: layout.lines)
    if let row = layout.pictureRow {
      pictures.draw(layout.pictures, in: canvas, row: row, column: layout.textColumn)
    }
  }

  private func layout(for columns: Int, indent: Int) -> QwinkCellLayout {
    if let layout, layout.columns == columns, layout.indent == indent { return layout.layout }
    let made = QwinkCellLayout(
      drawn, columns: columns, indent: indent, density: density, pictures: pictures?.slots ?? [],
      isOfCard: pictures?.isOfCard ?? false)
    layout = (columns, indent, made)
    return made
  }
}
