import PaneKit
import Terminal

/// Draws a qwink in a list.
@MainActor
final class QwinkCell: ListCell {
  let data: QwinkCellData
  private let density: Density
  private var layout: (columns: Int, layout: QwinkCellLayout)?

  init(_ data: QwinkCellData, density: Density = .comfortable) {
    self.data = data
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
    canvas.write(layout(for: canvas.size.columns).lines, selection: selection)
  }

  private func layout(for columns: Int) -> QwinkCellLayout {
    if let layout, layout.columns == columns { return layout.layout }
    let made = QwinkCellLayout(data, columns: columns, density: density)
    layout = (columns, made)
    return made
  }
}
