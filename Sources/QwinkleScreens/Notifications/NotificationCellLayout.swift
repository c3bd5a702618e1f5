import PaneKit
import QwinkleModel
import Terminal

/// Where the words of a notification's cell stand. A pure function of the words, the width and the density.
enum NotificationCellLayout {
  typealias Act = NotificationCellData.Act

  /// As much of a text as is told here.
  private static let maximumTextRows = 3
  private static let maximumTextColumns = 80
  /// Behind the sign for unread, two signs of what was done, and a space.
  private static let textColumn = 5
  /// What people did takes that much of a compact line, so that texts stand below each other.
  private static let headlineWidths = 24...44
  private static let separator = TextRun<StyleRole>(" · ", .dim)

  /// Where an avatar stands, if there is one: behind the signs. What is said begins beside it.
  static let avatarColumn = textColumn
  private static let avatarColumns = CellPictures.avatarSize.columns + 1

  static func lines(
    _ data: NotificationCellData, columns: Int, density: Density = .comfortable, hasAvatar: Bool = false
  ) -> [CellLine] {
    let isNarrow = SizeClass(columns: columns) == .compact
    if density == .compact, !isNarrow { return [compact(data, columns: columns)] }
    let shift = hasAvatar ? avatarColumns : 0
    var lines = headlines(data, columns: columns, shift: shift)
    if let text = data.text {
      let room = max(1, min(columns - textColumn - shift - 1, maximumTextColumns))
      let rows = data.isQuote || density == .compact ? 1 : maximumTextRows
      lines += CellLine.cut([text], columns: room, rows: rows).map { CellLine(column: textColumn + shift, runs: $0) }
    }
    return lines + (density == .compact ? [] : [.separator])
  }

  /// Who did what: on one line, or a line for each act where that is too long.
  private static func headlines(_ data: NotificationCellData, columns: Int, shift: Int) -> [CellLine] {
    let trailing = trailing(data)
    let column = textColumn + shift
    let room = CellLine.room(column: column, columns: columns, trailing: trailing)
    func signs(_ acts: [Act], isUnread: Bool) -> [TextRun<StyleRole>] {
      self.signs(acts, isUnread: isUnread)
        + (shift > 0 ? [TextRun(String(repeating: " ", count: shift), .text)] : [])
    }
    let handle: [TextRun<StyleRole>] = data.handle.map { [TextRun("  \($0)", .dim)] } ?? []
    if let words = fitting(data.acts, columns: room - CellLine.width(handle)) {
      return [CellLine(column: 1, runs: signs(data.acts, isUnread: data.isUnread) + words + handle, trailing: trailing)]
    }
    var lines: [CellLine] = []
    for (index, act) in data.acts.enumerated() {
      let end = index == 0 ? trailing : []
      let room = CellLine.room(column: column, columns: columns, trailing: end)
      let signs = signs([act], isUnread: data.isUnread && index == 0)
      let words = cut(act, columns: room)
      if words.count == 1 || CellLine.width(words) <= room {
        lines.append(CellLine(column: 1, runs: signs + words, trailing: end))
      } else {
        // A handle needs the row for itself.
        lines.append(CellLine(column: 1, runs: signs + words.prefix(1)))
        lines.append(CellLine(column: column, runs: Array(words.dropFirst()), trailing: end))
      }
    }
    if let handle = data.handle { lines.append(CellLine(column: column, runs: [TextRun(handle, .dim)])) }
    return lines
  }

  private static func compact(_ data: NotificationCellData, columns: Int) -> CellLine {
    let trailing = trailing(data)
    let headline = min(max(columns * 2 / 5, headlineWidths.lowerBound), headlineWidths.upperBound)
    let whole = data.acts.count > 1 ? data.everybody : data.acts[0]
    var words = fitting(data.acts, columns: headline) ?? cut(whole, columns: headline)
    if let handle = data.handle {
      let handle: [TextRun<StyleRole>] = [TextRun("  \(handle)", .dim)]
      let room = CellLine.room(column: textColumn, columns: columns, trailing: trailing) - CellLine.width(handle)
      if CellLine.width(words) > room { words = cut(whole, columns: room) }
      words += handle
    }
    if let text = data.text {
      let used = max(headline, CellLine.width(words))
      let room = min(
        CellLine.room(column: textColumn + used + 2, columns: columns, trailing: trailing), maximumTextColumns)
      words.append(TextRun(String(repeating: " ", count: used - CellLine.width(words) + 2), .text))
      if room > 1 { words += CellLine.cut([text], columns: room, rows: 1).first ?? [] }
    }
    return CellLine(column: 1, runs: signs(data.acts, isUnread: data.isUnread) + words, trailing: trailing)
  }

  /// A mark for unread and the signs of the acts, as wide as two of them.
  private static func signs(_ acts: [Act], isUnread: Bool) -> [TextRun<StyleRole>] {
    let signs = acts.prefix(2).map(\.sign)
    let space = String(repeating: " ", count: max(1, 3 - CellLine.width(signs)))
    return [TextRun(isUnread ? "•" : " ", .new)] + signs + [TextRun(space, .text)]
  }

  private static func trailing(_ data: NotificationCellData) -> [TextRun<StyleRole>] {
    let time = CellLine.padded(data.time)
    return data.audience.map { [TextRun("\($0)  ", .warning), time] } ?? [time]
  }

  /// All acts on one line of `columns`, with as many names as fit, others counted; nil: there is no room for one name
  /// each.
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

  /// One act, with the only name that is shown cut where it must be, unless it is a handle, but never the verb.
  private static func cut(_ act: Act, columns: Int) -> [TextRun<StyleRole>] {
    if let words = fitting([act], columns: columns) { return words }
    var act = act
    act.othersCount += max(0, act.names.count - 1)
    act.names = Array(act.names.prefix(1))
    let missing = CellLine.width(words(act, told: 1)) - columns
    if let name = act.names.first, !NameAndHandle.isHandle(name) {
      act.names = [DisplayWidth.truncated(name, to: max(6, DisplayWidth.columns(of: name) - missing))]
    }
    return words(act, told: act.names.count)
  }

  /// What was done by the first `told` of those who are named, and others.
  private static func words(_ act: Act, told: Int) -> [TextRun<StyleRole>] {
    let names = act.names.prefix(told)
    let others = act.othersCount + act.names.count - names.count
    var runs: [TextRun<StyleRole>] = []
    for (index, name) in names.enumerated() {
      if index > 0 { runs.append(TextRun(index == names.count - 1 && others == 0 ? " and " : ", ", .text)) }
      runs.append(TextRun(name, .name))
    }
    let end = NotificationWords.others(others)
    let verb = act.names.isEmpty || act.verb.isEmpty ? act.verb : " " + act.verb
    if !(end + verb).isEmpty { runs.append(TextRun(end + verb, .text)) }
    return runs
  }
}

extension LinesCell {
  /// Draws a notification, or several that are told as one.
  /// `avatar` is that of the latest who did it: its letters, and the picture that takes their place.
  convenience init(
    _ data: NotificationCellData, density: Density = .comfortable,
    avatar: (letters: TextRun<StyleRole>, pictures: CellPictures)? = nil
  ) {
    self.init {
      NotificationCellLayout.lines(data, columns: $0, density: density, hasAvatar: avatar != nil)
    }
    pictures = avatar?.pictures
    self.avatar = avatar.map { ($0.letters, NotificationCellLayout.avatarColumn) }
    // The signs say what stands there in words too.
    var said = data
    for index in said.acts.indices { said.acts[index].sign = TextRun(" ", .text) }
    saidLayout = { [said] in NotificationCellLayout.lines(said, columns: $0) }
  }
}
