import PaneKit
import Terminal

/// The layout of a qwink's cell: a pure function of the words and the width.
struct QwinkCellLayout: Hashable {
  /// Lines longer than this are hard to read.
  private static let maximumTextColumns = 100

  let lines: [CellLine]

  init(_ data: QwinkCellData, columns: Int) {
    let isCompact = SizeClass(columns: columns) == .compact
    let nameColumn = CellLine.avatarColumn + 4
    let textColumn = isCompact ? CellLine.avatarColumn : nameColumn
    let textColumns = max(1, min(columns - textColumn - 1, Self.maximumTextColumns))
    var lines: [CellLine] = []

    if let boost = data.boostLine {
      lines.append(CellLine(column: CellLine.avatarColumn, runs: [TextRun(boost, .dim)]))
    }
    if isCompact {
      lines.append(
        CellLine(
          column: nameColumn, runs: [TextRun(data.name, .name)], trailing: [TextRun(data.time, .dim)],
          avatar: TextRun(data.initials, data.avatarRole)))
      lines.append(
        CellLine(column: nameColumn, runs: [TextRun(data.handle, .dim)], trailing: Self.meta(data)))
    } else {
      let meta = Self.meta(data)
      lines.append(
        CellLine(
          column: nameColumn, runs: [TextRun(data.name, .name), TextRun("  ", .dim), TextRun(data.handle, .dim)],
          trailing: meta + (meta.isEmpty ? [] : [TextRun("   ", .dim)]) + [CellLine.padded(data.time)],
          avatar: TextRun(data.initials, data.avatarRole)))
    }

    if let warning = data.warning {
      let hint: [TextRun<StyleRole>] = [TextRun("z", .key), TextRun(data.isRevealed ? " hides" : " reveals", .dim)]
      for (index, runs) in TextLayout.wrap(
        [TextRun("⚠ \(warning)", StyleRole.warning)], columns: max(1, textColumns - 10)
      )
      .enumerated() {
        lines.append(CellLine(column: textColumn, runs: runs, trailing: index == 0 ? hint : [], isHint: true))
      }
    }
    if data.isRevealed {
      for paragraph in data.paragraphs {
        for runs in TextLayout.wrap(paragraph, columns: textColumns) {
          lines.append(CellLine(column: textColumn, runs: runs))
        }
      }
      for extra in data.extras { lines.append(CellLine(column: textColumn, runs: extra)) }
    }
    lines.append(.separator)
    self.lines = lines
  }

  private static func meta(_ data: QwinkCellData) -> [TextRun<StyleRole>] {
    guard let audience = data.audience else { return data.counts }
    return [TextRun(audience, .warning)] + (data.counts.isEmpty ? [] : [TextRun("  ", .dim)]) + data.counts
  }
}
