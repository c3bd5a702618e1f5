import PaneKit
import Terminal

/// The layout of a profile: a pure function of the words and the width.
enum QwinkerProfileLayout {
  private static let maximumTextColumns = 100

  /// Rows of the note shown before it is opened.
  private static func noteRows(isCompact: Bool) -> Int { isCompact ? 2 : 4 }

  static func lines(_ data: QwinkerProfileData, columns: Int) -> [CellLine] {
    let isCompact = SizeClass(columns: columns) == .compact
    let column = isCompact ? CellLine.avatarColumn : CellLine.avatarColumn + 4
    let room = max(1, min(columns - column - 1, maximumTextColumns))
    func line(_ runs: [TextRun<StyleRole>]) -> CellLine { CellLine(column: column, runs: runs) }
    func wrapped(_ paragraphs: [[TextRun<StyleRole>]]) -> [[TextRun<StyleRole>]] {
      paragraphs.flatMap { TextLayout.wrap($0, columns: room) }
    }
    var lines = head(data, isCompact: isCompact)
    var about = wrapped(data.note)
    var details = wrapped(data.fields)
    if !data.origin.isEmpty { details += wrapped([[TextRun(data.origin, .dim)]]) }
    var isCut = false
    if !data.isWhole {
      let most = noteRows(isCompact: isCompact)
      isCut = about.count > most || (isCompact && !details.isEmpty)
      about = TextLayout.cut(about, columns: room, rows: most)
      if isCompact { details = [] }
    }
    lines += about.map(line)
    if !details.isEmpty { lines += (about.isEmpty ? [] : [line([])]) + details.map(line) }
    lines.append(counts(data, column: column, columns: room, isCompact: isCompact))
    lines.append(hints(data, isCut: isCut, column: column, columns: columns - 2))
    return lines + [.separator]
  }

  private static func head(_ data: QwinkerProfileData, isCompact: Bool) -> [CellLine] {
    let column = CellLine.avatarColumn + 4
    let relationship: [TextRun<StyleRole>] = data.relationship.isEmpty ? [] : [TextRun(data.relationship, .accent)]
    let name = TextRun<StyleRole>(data.qwinker.name, .name)
    var handle = [TextRun<StyleRole>(data.qwinker.handle, .dim)]
    if !data.qwinker.signs.isEmpty { handle.append(TextRun("  \(data.qwinker.signs)", .warning)) }
    guard isCompact else {
      return [
        CellLine(
          column: column, runs: [name, TextRun("  ", .dim)] + handle, trailing: relationship,
          avatar: data.qwinker.avatar)
      ]
    }
    var lines = [
      CellLine(column: column, runs: [name], avatar: data.qwinker.avatar), CellLine(column: column, runs: handle),
    ]
    if !relationship.isEmpty { lines.append(CellLine(column: column, runs: relationship)) }
    return lines
  }

  private static func counts(
    _ data: QwinkerProfileData, column: Int, columns: Int, isCompact: Bool
  ) -> CellLine {
    var runs: [TextRun<StyleRole>] = []
    for count in data.counts {
      let part: [TextRun<StyleRole>] =
        [TextRun(count.words, .text)] + (count.key.map { [TextRun(" \($0)", .key)] } ?? [])
      let gap = runs.isEmpty ? 0 : 3
      guard width(runs) + gap + width(part) <= columns else { break }
      if gap > 0 { runs.append(TextRun("   ", .dim)) }
      runs += part
    }
    return CellLine(column: column, runs: runs)
  }

  /// What the keys do here, while it is selected; as many hints as fit beside the selection's bar.
  private static func hints(_ data: QwinkerProfileData, isCut: Bool, column: Int, columns: Int) -> CellLine {
    var words: [(String, String)] = []
    for (key, word) in data.requestWords.sorted(by: { $0.key < $1.key }) { words.append((key, word)) }
    if let follow = data.followWord { words.append(("F", follow)) }
    if data.followWord != nil { words.append(("p", QwinkerWords.message)) }
    if isCut {
      words.append(("Enter", QwinkerWords.showAll))
    } else if data.isWhole {
      words.append(("Enter", QwinkerWords.showLess))
    }
    func runs(gap: Int) -> [TextRun<StyleRole>] {
      words.enumerated().flatMap { index, word -> [TextRun<StyleRole>] in
        let space = String(repeating: " ", count: index > 0 ? gap : 0)
        return [TextRun(space + word.0, .key), TextRun(" \(word.1)", .dim)]
      }
    }
    let gap = width(runs(gap: 3)) <= columns ? 3 : 2
    while words.count > 1, width(runs(gap: gap)) > columns { words.removeLast() }
    return CellLine(column: column, runs: [], trailing: runs(gap: gap), isHint: true)
  }

  private static func width(_ runs: [TextRun<StyleRole>]) -> Int {
    runs.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
  }
}
