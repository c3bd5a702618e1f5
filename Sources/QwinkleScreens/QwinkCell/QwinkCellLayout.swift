import PaneKit
import Terminal

/// Where the words of a qwink's cell stand. A pure function of the words and the width.
struct QwinkCellLayout: Hashable {
  /// A row: runs from a column on, and others that end at the right edge.
  struct Line: Hashable {
    var column: Int
    var runs: [TextRun<StyleRole>]
    var trailing: [TextRun<StyleRole>] = []
    /// Whether what ends at the right edge says what a key does, which is true of the selected one only.
    var isHint = false
    /// Whether the avatar stands on this row.
    var hasAvatar = false
  }

  /// The column of the selection's bar.
  static let barColumn = 0
  static let avatarColumn = 2
  /// Longer lines than this are hard to read.
  private static let mostTextColumns = 100

  let lines: [Line]

  init(_ data: QwinkCellData, columns: Int) {
    let isCompact = SizeClass(columns: columns) == .compact
    let nameColumn = Self.avatarColumn + 4
    let textColumn = isCompact ? Self.avatarColumn : nameColumn
    let textColumns = max(1, min(columns - textColumn - 1, Self.mostTextColumns))
    var lines: [Line] = []

    if let boost = data.boostLine {
      lines.append(Line(column: Self.avatarColumn, runs: [TextRun(boost, .dim)]))
    }
    let time = TextRun<StyleRole>(data.time, .dim)
    if isCompact {
      lines.append(
        Line(column: nameColumn, runs: [TextRun(data.name, .name)], trailing: [time], hasAvatar: true))
      lines.append(
        Line(column: nameColumn, runs: [TextRun(data.handle, .dim)], trailing: Self.meta(data)))
    } else {
      let meta = Self.meta(data)
      lines.append(
        Line(
          column: nameColumn, runs: [TextRun(data.name, .name), TextRun("  ", .dim), TextRun(data.handle, .dim)],
          trailing: meta + (meta.isEmpty ? [] : [TextRun("   ", .dim)]) + [Self.padded(time)], hasAvatar: true))
    }

    if let warning = data.warning {
      let hint: [TextRun<StyleRole>] = [TextRun("z", .key), TextRun(data.isRevealed ? " hides" : " reveals", .dim)]
      for (index, runs) in TextLayout.wrap(
        [TextRun("⚠ \(warning)", StyleRole.warning)], columns: max(1, textColumns - 10)
      )
      .enumerated() {
        lines.append(Line(column: textColumn, runs: runs, trailing: index == 0 ? hint : [], isHint: true))
      }
    }
    if data.isRevealed {
      for paragraph in data.paragraphs {
        for runs in TextLayout.wrap(paragraph, columns: textColumns) {
          lines.append(Line(column: textColumn, runs: runs))
        }
      }
      for extra in data.extras { lines.append(Line(column: textColumn, runs: extra)) }
    }
    lines.append(Line(column: 0, runs: []))
    self.lines = lines
  }

  private static func meta(_ data: QwinkCellData) -> [TextRun<StyleRole>] {
    guard let audience = data.audience else { return data.counts }
    return [TextRun(audience, .warning)] + (data.counts.isEmpty ? [] : [TextRun("  ", .dim)]) + data.counts
  }

  /// Times stand below each other: `2m` takes as much room as `14m`.
  private static func padded(_ time: TextRun<StyleRole>) -> TextRun<StyleRole> {
    TextRun(String(repeating: " ", count: max(0, 4 - DisplayWidth.columns(of: time.text))) + time.text, time.attribute)
  }
}
