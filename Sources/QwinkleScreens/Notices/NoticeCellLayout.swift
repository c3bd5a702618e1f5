import PaneKit
import Terminal

/// Where the words of a notice's cell stand. A pure function of the words and the width.
enum NoticeCellLayout {
  /// As much of a text as is told here.
  private static let mostTextRows = 3
  private static let mostTextColumns = 100
  private static let textColumn = 5

  static func lines(_ data: NoticeCellData, columns: Int) -> [CellLine] {
    var trailing = [CellLine.padded(data.time)]
    if let audience = data.audience { trailing.insert(TextRun("\(audience)  ", .warning), at: 0) }
    let trailingColumns = trailing.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
    var runs: [TextRun<StyleRole>] = [TextRun(data.isUnread ? "•" : " ", .new), data.sign, TextRun("  ", .text)]
    runs += headline(data, columns: columns - textColumn - trailingColumns - 3)
    var lines = [CellLine(column: 1, runs: runs, trailing: trailing)]
    if let text = data.text {
      let room = max(1, min(columns - textColumn - 1, mostTextColumns))
      lines += CellLine.cut([text], columns: room, rows: mostTextRows).map { CellLine(column: textColumn, runs: $0) }
    }
    return lines + [.separator]
  }

  /// Who did what. Names are cut before what they did is.
  private static func headline(_ data: NoticeCellData, columns: Int) -> [TextRun<StyleRole>] {
    let others = data.othersCount > 0 ? " and \(Counted.words(data.othersCount, "other"))" : ""
    let end = (data.names.isEmpty ? "" : " ") + data.verb
    let between = max(0, data.names.count - 1) * 5
    let room = columns - DisplayWidth.columns(of: others + end) - between
    let share = max(6, room / max(1, data.names.count))
    let fits = data.names.reduce(0) { $0 + DisplayWidth.columns(of: $1) } <= room
    var runs: [TextRun<StyleRole>] = []
    for (index, name) in data.names.enumerated() {
      if index > 0 {
        runs.append(TextRun(index == data.names.count - 1 && others.isEmpty ? " and " : ", ", .text))
      }
      runs.append(TextRun(fits ? name : DisplayWidth.truncated(name, to: share), .name))
    }
    runs.append(TextRun(others + end, .text))
    if let handle = data.handle { runs.append(TextRun("  \(handle)", .dim)) }
    return runs
  }
}

extension LinesCell {
  /// Draws a notice, or several that are told as one.
  convenience init(_ data: NoticeCellData) {
    self.init { NoticeCellLayout.lines(data, columns: $0) }
    // The sign says what stands there in words too.
    var said = data
    said.sign = TextRun(" ", .text)
    saidLayout = { [said] in NoticeCellLayout.lines(said, columns: $0) }
  }
}
