import PaneKit
import Terminal

/// A post of a catch-up, indented by its depth in the thread.
@MainActor
struct CatchUpCell: ListCell {
  private static let columnsPerLevel = 2
  /// Deeper replies aren't indented further, because text needs space.
  private static let maximumLevels = 6
  private static let minimumTextColumns = 34

  private let cell: QwinkCell
  private let depth: Int
  private let density: Density

  init(_ data: QwinkCellData, depth: Int, density: Density, pictures: CellPictures?) {
    cell = QwinkCell(data, density: density, pictures: pictures)
    self.depth = depth
    self.density = density
  }

  func rows(forColumns columns: Int) -> Int {
    let indent = indent(columns)
    return cell.rows(forColumns: columns - indent, indent: indent)
  }

  func words(forColumns columns: Int) -> [String]? {
    guard let words = cell.words(forColumns: columns), let first = words.first, depth > 0 else {
      return cell.words(forColumns: columns)
    }
    return ["\(ThreadWords.reply(depth: depth)): \(first)"] + words.dropFirst()
  }

  func draw(in canvas: Canvas, selection: ListSelection) {
    let indent = indent(canvas.size.columns)
    guard indent > 0 else { return cell.draw(in: canvas, selection: selection) }
    let rest = Rect(row: 0, column: indent, rows: canvas.size.rows, columns: canvas.size.columns - indent)
    cell.draw(in: canvas.part(rest), indent: indent, selection: selection)
    // The selection bar is at the left edge, as in other rows. A line in its place connects the reply with its parent.
    for row in canvas.visibleRows where row < canvas.size.rows {
      let isLit = row == 0 && selection == .active
      let sign = row == 0 ? "└" : " "
      canvas.write(
        String(repeating: " ", count: indent) + sign, row: row, column: 0,
        style: isLit ? canvas.theme.lit(.rule) : canvas.theme[.rule])
    }
    canvas.writeBar(rows: density.hasBlankRows ? canvas.size.rows - 1 : canvas.size.rows, selection: selection)
  }

  private func indent(_ columns: Int) -> Int {
    let wanted = min(depth, Self.maximumLevels) * Self.columnsPerLevel
    let room = max(0, columns - Self.minimumTextColumns)
    return min(wanted, room - room % Self.columnsPerLevel)
  }
}

extension QwinkCellData {
  /// The content in dim text, for a post that the reader has seen. Warnings and symbols keep their colours.
  var dimmed: QwinkCellData {
    func dimmed(_ runs: [TextRun<StyleRole>]) -> [TextRun<StyleRole>] {
      runs.map { TextRun($0.text, $0.attribute == .warning ? .warning : .dim, link: $0.link) }
    }
    var data = self
    data.nameRole = .dim
    data.paragraphs = paragraphs.map(dimmed)
    data.extras = extras.map(dimmed)
    return data
  }
}
