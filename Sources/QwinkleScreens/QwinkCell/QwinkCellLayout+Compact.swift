import PaneKit
import Terminal

/// At most two rows: the text begins next to the name, or in a narrow window below it.
extension QwinkCellLayout {
  private static let compactTextColumn = CellLine.avatarColumn + listNameColumns + 1
  private static let narrowTextColumn = CellLine.avatarColumn + 2
  /// Minimum width of the text next to the name. With less space, the text starts below the name.
  private static let minimumFirstColumns = 16
  private static let minimumNameColumns = 8

  static func compact(_ data: QwinkCellData, columns: Int) -> [CellLine] {
    let name = TextRun(NameAndHandle.cut(shortName: data.shortName, columns: listNameColumns), data.nameRole)
    let nameColumns = CellLine.width([name])
    // Handles are never truncated. The text after a wider one begins further right.
    let isWide = nameColumns > listNameColumns
    let column = isWide ? CellLine.avatarColumn + nameColumns + 2 : compactTextColumn
    // The columns of counts would take the text's room in a window that isn't wide.
    let meta = meta(data)
    let trailing =
      SizeClass(columns: columns) < .wide
      ? meta.flowingRuns(fitting: columns - column - minimumFirstColumns - 3)
      : meta.runs(fitting: columns - column - minimumFirstColumns - 3)
    let textColumns = min(columns - compactTextColumn - 1, ContentWidth.text)
    let room = min(
      CellLine.room(column: column, columns: columns, trailing: trailing), compactTextColumn + textColumns - column)
    func first(_ text: [TextRun<StyleRole>]) -> CellLine {
      // Highlighting only the name redraws fewer cells when the selection moves.
      CellLine(
        column: CellLine.avatarColumn, runs: [name].padded(to: column - CellLine.avatarColumn) + text,
        trailing: trailing, litColumns: column - 1)
    }

    let text = data.coveredLine(hasSign: true)
    let booster = data.boosters.first.map { boosterRuns($0) } ?? []
    if CellLine.width(booster) > listNameColumns {
      return [
        first(CellLine.truncated(text, columns: room)),
        boostLine(data.boosters, column: compactTextColumn, columns: columns),
      ]
    }
    let (line, rest) = room < minimumFirstColumns ? ([], text) : TextLayout.firstLine(of: text, columns: room)
    if rest.isEmpty, booster.isEmpty { return [first(line)] }
    let second = CellLine.truncated(rest, columns: max(1, textColumns))
    if booster.isEmpty { return [first(line), CellLine(column: compactTextColumn, runs: second)] }
    return [
      first(line), CellLine(column: CellLine.avatarColumn, runs: booster.padded(to: listNameColumns + 1) + second),
    ]
  }

  /// Returns the name in one row and the text in the next, for a narrow window.
  static func narrowCompact(_ data: QwinkCellData, columns: Int) -> [CellLine] {
    let name = data.shortName
    let wanted = DisplayWidth.columns(of: name)
    let needed = NameAndHandle.isHandle(name) ? wanted : min(wanted, minimumNameColumns)
    let trailing = meta(data).flowingRuns(
      fitting: CellLine.room(column: CellLine.avatarColumn, columns: columns) - needed - 2)
    let room = CellLine.room(column: CellLine.avatarColumn, columns: columns, trailing: trailing)
    let head = CellLine(
      column: CellLine.avatarColumn,
      runs: [TextRun(NameAndHandle.cut(shortName: name, columns: room), data.nameRole)], trailing: trailing)
    let booster = data.boosters.first.map { boosterRuns($0) + [TextRun("  ", .dim)] } ?? []
    let textRoom = CellLine.room(column: narrowTextColumn, columns: columns) - CellLine.width(booster)
    let text = CellLine.truncated(data.coveredLine(hasSign: true), columns: textRoom)
    let below = booster + text
    return [head] + (below.isEmpty ? [] : [CellLine(column: narrowTextColumn, runs: below)])
  }

  private static func boosterRuns(_ shortName: String) -> [TextRun<StyleRole>] {
    let sign = QwinkSign.boosts.rawValue + " "
    return [TextRun(sign + NameAndHandle.cut(shortName: shortName, columns: listNameColumns - sign.count), .dim)]
  }

  private static func meta(_ data: QwinkCellData) -> QwinkMeta {
    var meta = QwinkMeta(data)
    if data.warning != nil { meta.marks.insert(WarningWords.hint(isRevealed: data.isRevealed), at: 0) }
    return meta
  }
}

extension TextLayout {
  /// Returns the first of the wrapped lines of `runs`, and the remaining text without leading spaces.
  fileprivate static func firstLine(
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
