import PaneKit
import Terminal

/// The layout of a qwink's cell: a pure function of the cell's data, width, indentation, density and pictures.
struct QwinkCellLayout: Hashable {
  /// The column of a name next to its avatar.
  static let nameColumn = CellLine.avatarColumn + 4

  /// Returns the column of the text below a name. In a narrow pane, the text begins below the avatar instead of the
  /// name.
  ///
  /// `indent` is the number of the pane's columns to the left of the cell. The pane's full width decides whether it is
  /// narrow, so that replies at every depth have the same layout.
  static func textColumn(forColumns columns: Int, indent: Int = 0) -> Int {
    textColumn(isNarrow: isNarrow(columns: columns, indent: indent))
  }

  private static func isNarrow(columns: Int, indent: Int) -> Bool { SizeClass(columns: columns + indent) == .compact }

  private static func textColumn(isNarrow: Bool) -> Int { isNarrow ? CellLine.avatarColumn : nameColumn }

  let lines: [CellLine]
  let textColumn: Int
  /// The positions of the pictures below the text.
  let pictures: [PictureRow.Place]
  let pictureRow: Int?

  init(
    _ data: QwinkCellData, columns: Int, indent: Int = 0, density: Density = .comfortable,
    pictures slots: [PictureSlot] = []
  ) {
    let words = Self.lines(data, columns: columns, indent: indent, density: density)
    textColumn = Self.textColumn(forColumns: columns, indent: indent)
    let textColumns = Self.textColumns(forColumns: columns, indent: indent)
    let pictures = data.isRevealed ? PictureRow.places(slots, columns: textColumns) : []
    self.pictures = pictures
    guard let rows = pictures.map(\.size.rows).max() else {
      lines = words
      pictureRow = nil
      return
    }
    // The pictures take the place of the blank row at the end, which is added again below them.
    pictureRow = words.count - 1
    lines = words.dropLast() + Array(repeating: CellLine(column: textColumn, runs: []), count: rows) + [.separator]
  }

  /// Returns the width available for text below a name.
  static func textColumns(forColumns columns: Int, indent: Int = 0) -> Int {
    max(1, min(columns - textColumn(forColumns: columns, indent: indent) - 1, ContentWidth.text))
  }

  private static func lines(_ data: QwinkCellData, columns: Int, indent: Int, density: Density) -> [CellLine] {
    let isNarrow = isNarrow(columns: columns, indent: indent)
    return switch density {
    case .compact where isNarrow: comfortable(data, columns: columns, indent: indent).dropLast()
    case .compact: compact(data, columns: columns)
    case .comfortable: comfortable(data, columns: columns, indent: indent)
    }
  }

  private static func comfortable(_ data: QwinkCellData, columns: Int, indent: Int) -> [CellLine] {
    let isNarrow = isNarrow(columns: columns, indent: indent)
    let textColumn = textColumn(isNarrow: isNarrow)
    let textColumns = textColumns(forColumns: columns, indent: indent)
    var lines: [CellLine] = []

    let avatar = TextRun(data.initials, data.avatarRole)
    let meta = Array(data.signs.map { [$0] }.joined(separator: [TextRun("  ", StyleRole.dim)]))
    let author = NameAndHandle(data.name, data.handle, nameRole: data.nameRole)
    if isNarrow {
      lines += author.stacked(
        column: nameColumn, columns: columns, trailing: [TextRun(data.time, .dim)], handleTrailing: meta,
        avatar: avatar)
    } else {
      lines += author.lines(
        column: nameColumn, columns: columns,
        trailing: meta + (meta.isEmpty ? [] : [TextRun("   ", .dim)]) + [CellLine.padded(data.time)], avatar: avatar)
    }
    // Below the author, so that the selection's first line is the author's.
    if let booster = data.booster { lines.append(boostLine(booster, column: textColumn, columns: columns)) }

    if let warning = data.warning {
      let hint = WarningWords.hint(isRevealed: data.isRevealed)
      for (index, runs) in TextLayout.wrap(
        [TextRun("⚠ \(warning)", StyleRole.warning)], columns: max(1, textColumns - 10)
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
      for extra in data.extras { lines.append(CellLine(column: textColumn, runs: extra)) }
    }
    return lines + [.separator]
  }

  private static func boostLine(_ booster: String, column: Int, columns: Int) -> CellLine {
    let room = CellLine.room(column: column, columns: columns)
    return CellLine(column: column, runs: NameAndHandle.boosted(by: booster, columns: room))
  }
}

// MARK: - Compact

extension QwinkCellLayout {
  private static let compactNameColumn = CellLine.avatarColumn + 1
  private static let nameWidths = 8...14
  /// Minimum width of the text next to the name. With less space, the text starts below the name.
  private static let minimumFirstColumns = 16

  /// Returns the lines of a compact cell. The first contains the name, the start of the text and the counts. The rest
  /// of the text follows.
  private static func compact(_ data: QwinkCellData, columns: Int) -> [CellLine] {
    let nameColumns = min(max(columns / 8, nameWidths.lowerBound), nameWidths.upperBound)
    let textColumn = compactNameColumn + nameColumns + 1
    let textColumns = max(1, min(columns - textColumn - 1, ContentWidth.text))
    let trailing = trailing(data)
    let room = CellLine.room(column: compactNameColumn, columns: columns, trailing: trailing)
    // Handles are never truncated, so the booster and the author might not fit on one row. Then the booster gets a row
    // below.
    let author = author(data, columns: nameColumns)
    let whole = booster(data, columns: nameColumns) + [author]
    let isSplit = whole.count > 1 && CellLine.width(whole) > room
    let lead = isSplit ? [author] : whole
    let below = isSplit ? data.booster.map { [boostLine($0, column: textColumn, columns: columns)] } ?? [] : []
    let leadColumns = CellLine.width(lead)
    // The text begins in the same column in every cell, except after a wider name, which is followed by two spaces.
    let first = leadColumns <= nameColumns ? textColumn : compactNameColumn + leadColumns + 2
    let firstColumns = min(columns - 3 - CellLine.width(trailing), textColumn + textColumns) - first

    var text = texts(data)
    var firstLine: [TextRun<StyleRole>] = []
    if firstColumns >= minimumFirstColumns, !text.isEmpty {
      let (line, rest) = TextLayout.firstLine(of: text[0], columns: firstColumns)
      let gap = first - compactNameColumn - leadColumns
      firstLine = [TextRun(String(repeating: " ", count: gap - 1), .text), TextRun(" ", .text)] + line
      if rest.isEmpty { text.removeFirst() } else { text[0] = rest }
    }
    // Highlighting only the name redraws fewer cells when the selection moves.
    let head = CellLine(column: compactNameColumn, runs: lead + firstLine, litColumns: first - 1)
    return head.before(trailing, columns: columns) + below
      + text.flatMap { TextLayout.wrapParagraph($0, columns: textColumns) }.map {
        CellLine(column: textColumn, runs: $0)
      }
  }

  private static func author(_ data: QwinkCellData, columns: Int) -> TextRun<StyleRole> {
    TextRun(NameAndHandle.cut(shortName: data.shortName, columns: columns), data.nameRole)
  }

  private static func booster(_ data: QwinkCellData, columns: Int) -> [TextRun<StyleRole>] {
    data.booster.map { [TextRun("↻ \(NameAndHandle.cut(shortName: $0, columns: columns)) → ", .dim)] } ?? []
  }

  private static func trailing(_ data: QwinkCellData) -> [TextRun<StyleRole>] {
    var parts: [[TextRun<StyleRole>]] = []
    if data.warning != nil { parts.append(WarningWords.hint(isRevealed: data.isRevealed)) }
    let signs = data.signs.map { [TextRun(closedUp($0.text), $0.attribute)] }
    if !signs.isEmpty { parts.append(Array(signs.joined(separator: [TextRun(" ", .dim)]))) }
    parts.append([CellLine.padded(data.time)])
    return Array(parts.joined(separator: [TextRun("  ", .dim)]))
  }

  /// Removes the space before a count: `↩ 2` becomes `↩2`.
  private static func closedUp(_ sign: String) -> String {
    sign.last?.isNumber == true ? sign.replacing(" ", with: "") : sign
  }

  /// Returns the warning, the visible text, and a line for each extra, without blank lines.
  private static func texts(_ data: QwinkCellData) -> [[TextRun<StyleRole>]] {
    let label = EntryWords.warningLabel
    let warning = data.warning.map { [[TextRun<StyleRole>("\(label)  \($0)", .warning)]] } ?? []
    guard data.isRevealed else { return warning }
    return warning + (data.paragraphs + data.extras).filter { !$0.isEmpty }
  }
}

extension TextLayout {
  /// Returns the first of the wrapped lines of `runs`, and the remaining text without leading spaces.
  static func firstLine(
    of runs: [TextRun<StyleRole>], columns: Int
  ) -> (line: [TextRun<StyleRole>], rest: [TextRun<StyleRole>]) {
    guard let line = wrap(runs, columns: columns).first else { return ([], []) }
    var skipped = line.reduce(0) { $0 + $1.text.unicodeScalars.count }
    var rest: [TextRun<StyleRole>] = []
    for run in runs {
      let scalars = run.text.unicodeScalars.dropFirst(skipped)
      skipped -= run.text.unicodeScalars.count - scalars.count
      let text = rest.isEmpty ? scalars.drop { $0.properties.isWhitespace } : scalars
      if !text.isEmpty { rest.append(TextRun(String(text), run.attribute, link: run.link)) }
    }
    return (line, rest)
  }
}
