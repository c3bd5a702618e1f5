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
    if let row = layout.lines.firstIndex(where: { $0.avatar != nil }) { pictures.drawAvatar(in: canvas, row: row) }
    guard let row = layout.pictureRow else { return }
    for place in layout.pictures {
      pictures.draw(place, in: canvas, row: row, column: layout.textColumn + place.column)
    }
  }

  private func layout(for columns: Int) -> QwinkCellLayout {
    if let layout, layout.columns == columns { return layout.layout }
    let made = QwinkCellLayout(data, columns: columns, density: density, pictures: pictures?.slots ?? [])
    layout = (columns, made)
    return made
  }
}
