import PaneKit
import Terminal

/// Draws a qwink in a list.
@MainActor
final class QwinkCell: ListCell {
  let data: QwinkCellData
  private let density: Density
  private let pictures: CellPictures?
  private var layout: (columns: Int, layout: QwinkCellLayout)?

  init(_ data: QwinkCellData, density: Density = .comfortable, pictures: CellPictures? = nil) {
    self.data = data
    self.pictures = density == .comfortable ? pictures : nil
    self.density = density
  }

  func rows(forColumns columns: Int) -> Int {
    layout(for: columns).lines.count
  }

  func words(forColumns columns: Int) -> [String]? {
    // What is said is the same whatever the density.
    CellWords.lines(QwinkCellLayout(data, columns: columns).lines)
  }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let layout = layout(for: canvas.size.columns)
    canvas.write(layout.lines, selection: selection)
    guard let pictures else { return }
    pictures.drawAvatar(in: canvas, beside: layout.lines)
    if let row = layout.pictureRow {
      pictures.draw(layout.pictures, in: canvas, row: row, column: layout.textColumn)
    }
  }

  private func layout(for columns: Int) -> QwinkCellLayout {
    if let layout, layout.columns == columns { return layout.layout }
    let made = QwinkCellLayout(data, columns: columns, density: density, pictures: pictures?.slots ?? [])
    layout = (columns, made)
    return made
  }
}
