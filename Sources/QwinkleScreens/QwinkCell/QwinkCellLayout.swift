import PaneKit
import Terminal

/// The layout of a qwink's cell: a pure function of the cell's data, width, indentation, density and pictures.
struct QwinkCellLayout: Hashable {
  /// The column of a name next to its avatar.
  static let nameColumn = CellLine.avatarColumn + 4

  /// In narrower panes, the columns below avatars are needed for text.
  private static let fewestColumnsForAvatars = 36

  /// Returns the column of the text below a name. In a very narrow pane, the text begins below the avatar instead of
  /// the name.
  ///
  /// `indent` is the number of the pane's columns to the left of the cell. The pane's full width decides whether it is
  /// narrow, so that replies at every depth have the same layout.
  static func textColumn(forColumns columns: Int, indent: Int = 0) -> Int {
    columns + indent < fewestColumnsForAvatars ? CellLine.avatarColumn : nameColumn
  }

  private static func isNarrow(columns: Int, indent: Int) -> Bool { SizeClass(columns: columns + indent) == .compact }

  let lines: [CellLine]
  let textColumn: Int
  /// The positions of the pictures below the text, or above a link preview.
  let pictures: [PictureRow.Place]
  let pictureRow: Int?

  /// - Parameter isOfCard: Whether the picture belongs to the link preview, the last of the data's extras.
  init(
    _ data: QwinkCellData, columns: Int, indent: Int = 0, density: Density = .comfortable, isSpoken: Bool = false,
    pictures slots: [PictureSlot] = [], isOfCard: Bool = false
  ) {
    let words = Self.lines(data, columns: columns, indent: indent, density: density, isSpoken: isSpoken)
    textColumn = Self.textColumn(forColumns: columns, indent: indent)
    let textColumns = Self.textColumns(forColumns: columns, indent: indent)
    let pictures = data.isRevealed ? PictureRow.places(slots, columns: textColumns) : []
    self.pictures = pictures
    guard let rows = pictures.map(\.size.rows).max() else {
      lines = words
      pictureRow = nil
      return
    }
    // Above the blank row at the end, or above the row of the link preview.
    let rowsBelow = isOfCard && data.poll == nil && !data.extras.isEmpty ? 2 : 1
    pictureRow = words.count - rowsBelow
    lines =
      words.dropLast(rowsBelow) + Array(repeating: CellLine(column: textColumn, runs: []), count: rows)
      + words.suffix(rowsBelow)
  }

  /// Returns the width available for text below a name.
  static func textColumns(forColumns columns: Int, indent: Int = 0) -> Int {
    max(1, min(columns - textColumn(forColumns: columns, indent: indent) - 1, ContentWidth.text))
  }

  private static func lines(
    _ data: QwinkCellData, columns: Int, indent: Int, density: Density, isSpoken: Bool
  ) -> [CellLine] {
    switch density {
    case .comfortable: comfortable(data, columns: columns, indent: indent, isSpoken: isSpoken)
    case .compact where isNarrow(columns: columns, indent: indent): narrowCompact(data, columns: columns)
    case .compact: compact(data, columns: columns)
    case .index: [index(data, columns: columns)]
    }
  }

  private static func comfortable(_ data: QwinkCellData, columns: Int, indent: Int, isSpoken: Bool) -> [CellLine] {
    let isNarrow = isNarrow(columns: columns, indent: indent)
    let textColumn = textColumn(forColumns: columns, indent: indent)
    let textColumns = textColumns(forColumns: columns, indent: indent)
    // Replies at different depths have no common columns.
    let hasColumns = !isSpoken && indent == 0
    var lines = head(data, columns: columns, isNarrow: isNarrow, hasColumns: hasColumns, isSpoken: isSpoken)
    // Below the author, so that the selection's first line is the author's.
    if !data.boosters.isEmpty { lines.append(boostLine(data.boosters, column: textColumn, columns: columns)) }

    if let warning = data.warning {
      let hint = WarningWords.hint(isRevealed: data.isRevealed)
      for (index, runs) in TextLayout.wrap(
        [TextRun("\(WarningWords.sign) \(warning)", StyleRole.warning)], columns: max(1, textColumns - 10)
      )
      .enumerated() {
        lines.append(CellLine(column: textColumn, runs: runs, trailing: index == 0 ? hint : [], isHint: true))
      }
    }
    if data.isRevealed {
      for paragraph in data.paragraphs {
        for runs in TextLayout.wrapParagraph(paragraph, columns: textColumns) {
          lines.append(CellLine(column: textColumn, runs: runs))
        }
      }
      let poll = data.poll.map {
        isSpoken ? PollLayout.spoken($0) : PollLayout($0, columns: textColumns).lines(titleRows: 1)
      }
      for extra in data.extras + (poll ?? []) { lines.append(CellLine(column: textColumn, runs: extra)) }
    }
    return lines + [.separator]
  }

  /// Returns the rows of the author, the counts and the time. Aligned counts are wider than others. They are used only
  /// if they need no more rows and leave the name whole.
  private static func head(
    _ data: QwinkCellData, columns: Int, isNarrow: Bool, hasColumns: Bool, isSpoken: Bool
  ) -> [CellLine] {
    let avatar = TextRun(data.initials, data.avatarRole)
    let author = NameAndHandle(data.name, data.handle, nameRole: data.nameRole)
    func lines(_ meta: [TextRun<StyleRole>]) -> [CellLine] {
      author.lines(column: nameColumn, columns: columns, trailing: meta, avatar: avatar)
    }
    let meta = QwinkMeta(data)
    let aligned = hasColumns ? lines(meta.aligned) : []
    if aligned.count == 1, aligned[0].runs.first?.text == data.name { return aligned }
    let flowing = lines(meta.flowing)
    if isNarrow, flowing.count > 1 || isSpoken {
      return author.stacked(
        column: nameColumn, columns: columns, trailing: [TextRun(data.time, .dim)],
        handleTrailing: meta.flowingWithoutTime, avatar: avatar)
    }
    return aligned.count == flowing.count && aligned[0].runs == flowing[0].runs ? aligned : flowing
  }

  static func boostLine(_ boosters: [String], column: Int, columns: Int) -> CellLine {
    let room = CellLine.room(column: column, columns: columns)
    return CellLine(column: column, runs: NameAndHandle.boosted(by: boosters, columns: room))
  }
}
