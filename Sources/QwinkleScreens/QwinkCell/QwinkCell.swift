import PaneKit
import Terminal

/// Draws a qwink in a list.
@MainActor
final class QwinkCell: ListCell {
  let data: QwinkCellData
  private var layout: (columns: Int, layout: QwinkCellLayout)?

  init(_ data: QwinkCellData) {
    self.data = data
  }

  func rows(forColumns columns: Int) -> Int {
    layout(for: columns).lines.count
  }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let lines = layout(for: canvas.size.columns).lines
    for (row, line) in lines.enumerated() where canvas.visibleRows.contains(row) {
      draw(line, row: row, in: canvas, selection: selection)
      if selection != .none, row < lines.count - 1 {
        let role: StyleRole = selection == .active ? .selection : .dim
        canvas.write("▌", row: row, column: QwinkCellLayout.barColumn, role: role)
      }
    }
  }

  private func draw(_ line: QwinkCellLayout.Line, row: Int, in canvas: Canvas, selection: ListSelection) {
    if line.hasAvatar {
      canvas.write(data.initials, row: row, column: QwinkCellLayout.avatarColumn, role: data.avatarRole)
    }
    var end = canvas.size.columns - 1
    if !line.trailing.isEmpty, !line.isHint || selection != .none {
      end -= line.trailing.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
      canvas.write(line.trailing, row: row, column: end)
      end -= 2
    }
    var column = line.column
    for run in line.runs where column < end {
      let role: StyleRole = run.attribute == .name && selection == .active ? .selectedName : run.attribute
      column += canvas.write(run.text, row: row, column: column, role: role, columns: end - column)
    }
  }

  private func layout(for columns: Int) -> QwinkCellLayout {
    if let layout, layout.columns == columns { return layout.layout }
    let made = QwinkCellLayout(data, columns: columns)
    layout = (columns, made)
    return made
  }
}
