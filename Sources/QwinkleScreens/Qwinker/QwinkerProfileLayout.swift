import PaneKit
import Terminal

/// The layout of a profile: a pure function of the text and the width.
enum QwinkerProfileLayout {
  /// Rows of the user's private note shown before the profile is expanded.
  private static let privateNoteRows = 2

  /// Rows of the biography shown before the profile is expanded.
  private static func noteRows(isCompact: Bool) -> Int { isCompact ? 2 : 4 }

  static func lines(_ data: QwinkerProfileData, columns: Int) -> [CellLine] {
    let isCompact = SizeClass(columns: columns) == .compact
    let column = textColumn(isCompact: isCompact)
    let room = textColumns(columns, isCompact: isCompact)
    func line(_ runs: [TextRun<StyleRole>]) -> CellLine { CellLine(column: column, runs: runs) }
    var lines = head(data, columns: columns, isCompact: isCompact)
    if let moved = data.moved { lines += wrapped([[TextRun(moved, .warning)]], room).map(line) }
    var about = wrapped(data.note, room)
    let isLong = isLong(data, columns: columns)
    let isCut = isLong && !data.isWhole
    if isCut { about = TextLayout.cut(about, columns: room, rows: noteRows(isCompact: isCompact)) }
    lines += about.map(line)
    if !isCut || !isCompact {
      var details = table(data.fields, columns: room)
      if !data.tags.isEmpty { details += wrapped([data.tags], room) }
      if !data.origin.isEmpty { details += wrapped([[TextRun(data.origin, .dim)]], room) }
      if !details.isEmpty { lines += (about.isEmpty ? [] : [line([])]) + details.map(line) }
    }
    var remark = wrapped(data.privateNote, room)
    if isCut { remark = TextLayout.cut(remark, columns: room, rows: privateNoteRows) }
    lines += remark.map(line)
    lines.append(counts(data, column: column, columns: room))
    // In a wider window, the status bar has room for all hints.
    if isCompact { lines.append(hints(data, isLong: isLong, column: column, columns: columns - 2)) }
    return lines + [.separator]
  }

  /// Whether the collapsed profile hides something.
  static func isLong(_ data: QwinkerProfileData, columns: Int) -> Bool {
    let isCompact = SizeClass(columns: columns) == .compact
    if isCompact, !data.fields.isEmpty || !data.origin.isEmpty || !data.tags.isEmpty { return true }
    let room = textColumns(columns, isCompact: isCompact)
    return wrapped(data.note, room).count > noteRows(isCompact: isCompact)
      || wrapped(data.privateNote, room).count > privateNoteRows
  }

  private static func textColumn(isCompact: Bool) -> Int {
    isCompact ? CellLine.avatarColumn : CellLine.avatarColumn + 4
  }

  private static func textColumns(_ columns: Int, isCompact: Bool) -> Int {
    max(1, min(columns - textColumn(isCompact: isCompact) - 1, ContentWidth.text))
  }

  private static func wrapped(_ paragraphs: [[TextRun<StyleRole>]], _ columns: Int) -> [[TextRun<StyleRole>]] {
    paragraphs.flatMap { TextLayout.wrapParagraph($0, columns: columns) }
  }

  /// Returns a two-column table of names and values.
  private static func table(_ fields: [QwinkerProfileData.Field], columns: Int) -> [[TextRun<StyleRole>]] {
    let widest = fields.map { DisplayWidth.columns(of: $0.name) }.max() ?? 0
    let names = min(widest, max(columns / 3, 1))
    return fields.flatMap { field in
      let name = DisplayWidth.truncated(field.name, to: names)
      return TextLayout.wrap(field.value, columns: max(1, columns - names - 2)).enumerated().map { row, value in
        let lead = row == 0 ? name : ""
        let space = String(repeating: " ", count: names + 2 - DisplayWidth.columns(of: lead))
        return [TextRun(lead + space, .dim)] + value
      }
    }
  }

  private static func head(_ data: QwinkerProfileData, columns: Int, isCompact: Bool) -> [CellLine] {
    let column = CellLine.avatarColumn + 4
    let relationship: [TextRun<StyleRole>] = data.relationship.isEmpty ? [] : [TextRun(data.relationship, .accent)]
    let names = NameAndHandle(data.qwinker.name, data.qwinker.handle, nameRole: data.qwinker.nameRole)
    let signs = TextRun<StyleRole>(data.qwinker.signs, .warning)
    // The relationship is next to the names only if it leaves half of the row to them.
    let isBeside = !isCompact && CellLine.width(relationship) <= columns / 2
    var lines: [CellLine]
    if isCompact {
      lines = names.stacked(column: column, columns: columns, avatar: data.qwinker.avatar)
    } else {
      lines = names.lines(
        column: column, columns: columns, trailing: isBeside ? relationship : [], avatar: data.qwinker.avatar)
    }
    if !signs.text.isEmpty {
      let last = lines[lines.count - 1]
      let beside = [TextRun<StyleRole>("  ", .dim), signs]
      let trailing = last.trailing.isEmpty ? 0 : CellLine.width(last.trailing) + 2
      if column + CellLine.width(last.runs + beside) + trailing < columns {
        lines[lines.count - 1].runs += beside
      } else {
        lines.append(CellLine(column: column, runs: [signs]))
      }
    }
    if !isBeside, !relationship.isEmpty {
      lines += wrapped([relationship], max(1, columns - column - 1)).map { CellLine(column: column, runs: $0) }
    }
    return lines
  }

  private static func counts(_ data: QwinkerProfileData, column: Int, columns: Int) -> CellLine {
    var runs: [TextRun<StyleRole>] = []
    for count in data.counts {
      let part: [TextRun<StyleRole>] =
        [TextRun(count.words, .text)] + (count.key.map { [TextRun(" \($0)", .key)] } ?? [])
      let gap = runs.isEmpty ? 0 : 3
      guard CellLine.width(runs) + gap + CellLine.width(part) <= columns else { break }
      if gap > 0 { runs.append(TextRun("   ", .dim)) }
      runs += part
    }
    return CellLine(column: column, runs: runs)
  }

  /// Returns the key hints of the selected profile, as many as fit in the line.
  private static func hints(_ data: QwinkerProfileData, isLong: Bool, column: Int, columns: Int) -> CellLine {
    var words: [(String, String)] = []
    for (key, word) in data.requestWords.sorted(by: { $0.key < $1.key }) { words.append((key, word)) }
    if let follow = data.followWord { words.append((Action.follow.key, follow)) }
    if data.followWord != nil { words.append((Action.message.key, QwinkerWords.message)) }
    if isLong { words.append((Action.open.key, data.isWhole ? QwinkerWords.showLess : QwinkerWords.showAll)) }
    func runs(gap: Int) -> [TextRun<StyleRole>] {
      words.enumerated().flatMap { index, word -> [TextRun<StyleRole>] in
        let space = String(repeating: " ", count: index > 0 ? gap : 0)
        return [TextRun(space + word.0.namingKeys, .key), TextRun(" \(word.1)", .dim)]
      }
    }
    let gap = CellLine.width(runs(gap: 3)) <= columns ? 3 : 2
    while words.count > 1, CellLine.width(runs(gap: gap)) > columns { words.removeLast() }
    return CellLine(column: column, runs: [], trailing: runs(gap: gap), isHint: true)
  }
}
