import PaneKit
import Terminal

/// Where the words of a notification's cell stand. A pure function of the words and the width.
enum NotificationCellLayout {
  /// As much of a text as is told here.
  private static let maximumTextRows = 3
  private static let maximumTextColumns = 100
  private static let textColumn = 5

  static func lines(_ data: NotificationCellData, columns: Int) -> [CellLine] {
    var trailing = [CellLine.padded(data.time)]
    if let audience = data.audience { trailing.insert(TextRun("\(audience)  ", .warning), at: 0) }
    var runs: [TextRun<StyleRole>] = [TextRun(data.isUnread ? "•" : " ", .new), data.sign, TextRun("  ", .text)]
    runs += headline(data, columns: columns - textColumn - width(trailing) - 3)
    var lines = [CellLine(column: 1, runs: runs, trailing: trailing)]
    if let text = data.text {
      let room = max(1, min(columns - textColumn - 1, maximumTextColumns))
      lines += CellLine.cut([text], columns: room, rows: maximumTextRows).map { CellLine(column: textColumn, runs: $0) }
    }
    return lines + [.separator]
  }

  /// Who did what. Where there is too little room names are only counted, and the one that is left is cut, but never
  /// what they did.
  private static func headline(_ data: NotificationCellData, columns: Int) -> [TextRun<StyleRole>] {
    var names = data.names
    while names.count > 1, width(words(data, of: names)) > columns { names.removeLast() }
    let missing = width(words(data, of: names)) - columns
    if missing > 0, let name = names.first {
      names[0] = DisplayWidth.truncated(name, to: max(6, DisplayWidth.columns(of: name) - missing))
    }
    let handle: [TextRun<StyleRole>] = data.handle.map { [TextRun("  \($0)", .dim)] } ?? []
    return words(data, of: names) + handle
  }

  /// What was done by `names`, the first of those who did it, and others.
  private static func words(_ data: NotificationCellData, of names: [String]) -> [TextRun<StyleRole>] {
    let others = data.othersCount + data.names.count - names.count
    var runs: [TextRun<StyleRole>] = []
    for (index, name) in names.enumerated() {
      if index > 0 { runs.append(TextRun(index == names.count - 1 && others == 0 ? " and " : ", ", .text)) }
      runs.append(TextRun(name, .name))
    }
    let end = others > 0 ? " and \(Counted.words(others, "other"))" : ""
    runs.append(TextRun(end + (names.isEmpty ? "" : " ") + data.verb, .text))
    return runs
  }

  private static func width(_ runs: [TextRun<StyleRole>]) -> Int {
    runs.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
  }
}

extension LinesCell {
  /// Draws a notification, or several that are told as one.
  convenience init(_ data: NotificationCellData) {
    self.init { NotificationCellLayout.lines(data, columns: $0) }
    // The sign says what stands there in words too.
    var said = data
    said.sign = TextRun(" ", .text)
    saidLayout = { [said] in NotificationCellLayout.lines(said, columns: $0) }
  }
}
