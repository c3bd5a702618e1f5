import PaneKit
import QwinkleModel
import Terminal

/// One row: the name, a symbol, the start of the text, the counts and the time.
extension QwinkCellLayout {
  /// The width of the name column in lists without avatars. Names have the same column in every row, so that the texts
  /// next to them are aligned.
  static let listNameColumns = 14

  /// The width of the name column in narrow panes, in which a wider column would leave no columns for the text.
  private static let narrowNameColumns = 8
  private static let narrowColumns = 40

  static func index(_ data: QwinkCellData, columns: Int) -> CellLine {
    let trailing = indexMeta(data, columns: columns)
    let usualColumns = columns < narrowColumns ? narrowNameColumns : listNameColumns
    let name = TextRun(NameAndHandle.cut(shortName: data.shortName, columns: usualColumns), data.nameRole)
    // A long handle moves the text, because handles are never truncated.
    let nameColumns = max(usualColumns, CellLine.width([name]))
    let textColumn = CellLine.avatarColumn + nameColumns + 3
    let room = min(CellLine.room(column: textColumn, columns: columns, trailing: trailing), ContentWidth.text)
    let marker = marker(of: data)
    let text = CellLine.truncated(data.coveredLine(hasSign: marker?.attribute != .warning), columns: room)
    return CellLine(
      column: CellLine.avatarColumn,
      runs: [name].padded(to: nameColumns + 1) + (marker.map { [$0] } ?? []).padded(to: 2) + text,
      trailing: trailing, litColumns: CellLine.avatarColumn + nameColumns)
  }

  /// Returns the symbol before the text: of a boost, a warning or a reply.
  private static func marker(of data: QwinkCellData) -> TextRun<StyleRole>? {
    if !data.boosters.isEmpty { return QwinkSign.boosts.run() }
    if data.warning != nil { return TextRun(WarningWords.sign, .warning) }
    return data.isReply ? QwinkSign.replies.run() : nil
  }

  /// Returns the time and, if the pane isn't narrow, the counts. Columns for all counts would leave too little text in
  /// a pane of medium width.
  private static func indexMeta(_ data: QwinkCellData, columns: Int) -> [TextRun<StyleRole>] {
    let meta = QwinkMeta(data)
    return switch columns {
    case ..<60: meta.essential
    case ..<80: meta.flowing
    default: meta.aligned
    }
  }
}

extension [TextRun<StyleRole>] {
  /// Appends spaces up to a width of `columns`.
  func padded(to columns: Int) -> Self {
    self + [TextRun(String(repeating: " ", count: Swift.max(0, columns - CellLine.width(self))), .text)]
  }
}
