import PaneKit
import QwinkleModel
import Terminal

/// Layout of a notification's cell, with an avatar in a wide comfortable list. Depends only on the data, the width and
/// the density.
enum NotificationCellLayout {
  typealias Act = NotificationCellData.Act

  private static let maximumTextRows = 3
  /// Width of the unread mark, two symbols and a space.
  private static let signColumns = 4
  /// Range of widths for the names and verbs on a compact line. The names and verbs are padded, so that the texts after
  /// them are aligned.
  private static let headlineWidths = 24...44
  private static let separator = TextRun<StyleRole>(" · ", .dim)

  static func lines(_ data: NotificationCellData, columns: Int, density: Density = .comfortable) -> [CellLine] {
    let isNarrow = SizeClass(columns: columns) == .compact
    if density == .index || (density == .compact && !isNarrow) { return [compact(data, columns: columns)] }
    let hasAvatar = hasAvatars(columns: columns, density: density)
    let start = hasAvatar ? QwinkCellLayout.nameColumn : CellLine.avatarColumn
    var lines = headlines(data, columns: columns, start: start)
    if hasAvatar { lines[0].avatar = data.avatar }
    if let text = data.text {
      let column = start + signColumns
      let room = max(1, min(columns - column - 1, ContentWidth.text))
      let rows = data.isQuote || !density.hasBlankRows ? 1 : maximumTextRows
      lines += CellLine.cut([text], columns: room, rows: rows).map { CellLine(column: column, runs: $0) }
    }
    return lines + (density.hasBlankRows ? [.separator] : [])
  }

  /// Returns the row above the notifications, with the number of filtered requests.
  static func requestLines(_ count: Int) -> [CellLine] {
    let words = TextRun<StyleRole>(FilteredWords.requests(count), .accent)
    return [CellLine(column: CellLine.avatarColumn, runs: [TextRun("▽ ", .dim), words]), .separator]
  }

  /// Whether rows have avatars. In a narrow list, names and verbs need the room.
  static func hasAvatars(columns: Int, density: Density) -> Bool {
    density == .comfortable && SizeClass(columns: columns) != .compact
  }

  /// Returns the people and their actions on one line. If they don't fit, returns one or two lines per action, and a
  /// line for the handle, if any. The unread mark is in the column `start`.
  private static func headlines(_ data: NotificationCellData, columns: Int, start: Int) -> [CellLine] {
    let trailing = trailing(data)
    let column = start + signColumns
    let room = CellLine.room(column: column, columns: columns, trailing: trailing)
    let handle: [TextRun<StyleRole>] = data.handle.map { [TextRun("  \($0)", .dim)] } ?? []
    if let words = fitting(data.acts, columns: room - CellLine.width(handle)) {
      let signs = signs(data.acts, isUnread: data.isUnread)
      return [CellLine(column: start, runs: signs + words + handle, trailing: trailing)]
    }
    var lines: [CellLine] = []
    for (index, act) in data.acts.enumerated() {
      let end = index == 0 ? trailing : []
      let room = CellLine.room(column: column, columns: columns, trailing: end)
      let signs = signs([act], isUnread: data.isUnread && index == 0)
      let words = cut(act, columns: room)
      if CellLine.width(words) <= room {
        lines.append(CellLine(column: start, runs: signs + words, trailing: end))
      } else if act.names.isEmpty {
        // A whole sentence, which may be the server's.
        let rows = CellLine.cut(words, columns: room, rows: maximumTextRows)
        lines.append(CellLine(column: start, runs: signs + (rows.first ?? []), trailing: end))
        lines += rows.dropFirst().map { CellLine(column: column, runs: $0) }
      } else {
        // A name that is a handle isn't truncated, so it gets the whole row, and the verb the next rows.
        lines.append(CellLine(column: start, runs: signs + words.prefix(1)))
        let verb = Array(words.dropFirst())
        var rows =
          CellLine.width(verb) <= room ? [verb] : CellLine.cut(verb, columns: room, rows: maximumTextRows)
        lines.append(CellLine(column: column, runs: rows.isEmpty ? [] : rows.removeFirst(), trailing: end))
        lines += rows.map { CellLine(column: column, runs: $0) }
      }
    }
    if let handle = data.handle { lines.append(CellLine(column: column, runs: [TextRun(handle, .dim)])) }
    return lines
  }

  private static func compact(_ data: NotificationCellData, columns: Int) -> CellLine {
    let trailing = trailing(data)
    let textColumn = CellLine.avatarColumn + signColumns
    let headline = min(max(columns * 2 / 5, headlineWidths.lowerBound), headlineWidths.upperBound)
    let whole = data.acts.count > 1 ? data.everybody : data.acts[0]
    var words = fitting(data.acts, columns: headline) ?? cut(whole, columns: headline)
    if whole.names.isEmpty {
      words = CellLine.truncated(
        words, columns: CellLine.room(column: textColumn, columns: columns, trailing: trailing))
    }
    if let handle = data.handle {
      let handle: [TextRun<StyleRole>] = [TextRun("  \(handle)", .dim)]
      let room = CellLine.room(column: textColumn, columns: columns, trailing: trailing) - CellLine.width(handle)
      if CellLine.width(words) > room { words = cut(whole, columns: room) }
      words += handle
    }
    if let text = data.text {
      let used = max(headline, CellLine.width(words))
      let room = min(
        CellLine.room(column: textColumn + used + 2, columns: columns, trailing: trailing), ContentWidth.text)
      words.append(TextRun(String(repeating: " ", count: used - CellLine.width(words) + 2), .text))
      if room > 1 { words += CellLine.cut([text], columns: room, rows: 1).first ?? [] }
    }
    let signs = signs(data.acts, isUnread: data.isUnread)
    return CellLine(column: CellLine.avatarColumn, runs: signs + words, trailing: trailing)
  }

  /// Returns the unread mark and the symbols of the first two actions, padded to the width of two symbols and a space.
  private static func signs(_ acts: [Act], isUnread: Bool) -> [TextRun<StyleRole>] {
    let signs = acts.prefix(2).map(\.sign)
    let space = String(repeating: " ", count: max(1, 3 - CellLine.width(signs)))
    return [TextRun(isUnread ? "•" : " ", .new)] + signs + [TextRun(space, .text)]
  }

  private static func trailing(_ data: NotificationCellData) -> [TextRun<StyleRole>] {
    let time = CellLine.padded(data.time)
    return data.audience.map { [TextRun("\($0)  ", .warning), time] } ?? [time]
  }

  /// Returns all actions on one line, which names as many people as fit and counts the others. Returns nil if not even
  /// one name per action fits.
  private static func fitting(_ acts: [Act], columns: Int) -> [TextRun<StyleRole>]? {
    var told = acts.map(\.names.count)
    while true {
      let parts = zip(acts, told).map { words($0, told: $1) }
      let line = Array(parts.joined(separator: [separator]))
      if CellLine.width(line) <= columns { return line }
      guard let longest = told.indices.max(by: { told[$0] < told[$1] }), told[longest] > 1 else { return nil }
      told[longest] -= 1
    }
  }

  /// Returns one action with its first name truncated to fit, unless the name is a handle. The verb is never truncated.
  private static func cut(_ act: Act, columns: Int) -> [TextRun<StyleRole>] {
    if let words = fitting([act], columns: columns) { return words }
    var act = act
    act.othersCount += max(0, act.names.count - 1)
    act.names = Array(act.names.prefix(1))
    let missing = CellLine.width(words(act, told: 1)) - columns
    if let name = act.names.first, !NameAndHandle.isHandle(name.text) {
      let columns = max(6, DisplayWidth.columns(of: name.text) - missing)
      act.names = [TextRun(DisplayWidth.truncated(name.text, to: columns), name.attribute)]
    }
    return words(act, told: act.names.count)
  }

  /// Returns the first `told` names, the number of other people and the verb.
  private static func words(_ act: Act, told: Int) -> [TextRun<StyleRole>] {
    let names = act.names.prefix(told)
    let others = act.othersCount + act.names.count - names.count
    var runs: [TextRun<StyleRole>] = []
    for (index, name) in names.enumerated() {
      if index > 0 { runs.append(TextRun(index == names.count - 1 && others == 0 ? " and " : ", ", .text)) }
      runs.append(name)
    }
    let end = NotificationWords.others(others)
    let verb = act.names.isEmpty || act.verb.isEmpty ? act.verb : " " + act.verb
    if !(end + verb).isEmpty { runs.append(TextRun(end + verb, .text)) }
    return runs
  }
}

extension LinesCell {
  /// Draws a notification or a group of notifications. `pictures` has the avatar of the latest person.
  convenience init(_ data: NotificationCellData, density: Density = .comfortable, pictures: CellPictures? = nil) {
    self.init { NotificationCellLayout.lines(data, columns: $0, density: density) }
    self.pictures = pictures
    // In linear form (for screen readers), the verbs are enough, so the symbols are omitted.
    var said = data
    for index in said.acts.indices { said.acts[index].sign = TextRun(" ", .text) }
    saidLayout = { [said] in NotificationCellLayout.lines(said, columns: $0) }
  }
}
