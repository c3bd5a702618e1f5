import FoundationEssentials
import PaneKit
public import QwinkleModel
import Terminal
import Timekeeping

/// What the cell of a notice says: words, made from the model.
struct NoticeCellData: Hashable {
  var sign: TextRun<StyleRole>
  /// Who did it: the names that are told, the latest first, and how many there are besides.
  var names: [String]
  var othersCount: Int
  /// What they did, `favourited`.
  var verb: String
  /// Where somebody tells more of themselves than their name: a follower's handle.
  var handle: String?
  var time: String
  var isUnread: Bool
  /// Who may see it, where that is not everybody.
  var audience: String?
  /// What it is about; nil where it is about nothing that has words.
  var text: TextRun<StyleRole>?

  /// `me` tells answers to me, and my own polls, from others; nil where that is not known yet.
  init(_ group: NoticeGroup, me: Qwinker.ID?, now: Date, zone: ClockZone) {
    let notice = group.newest
    let qwinkers = group.qwinkers
    let told = qwinkers.count > 3 ? 2 : qwinkers.count
    names = qwinkers.prefix(told).map(\.displayName)
    othersCount = qwinkers.count - told
    sign = Self.sign(of: notice.kind)
    verb = NoticeWords.verb(of: notice, me: me)
    if notice.kind == .poll, notice.qwinker.id == me { names = [] }
    time = RelativeTime.short(notice.createdAt, at: now, in: zone)
    isUnread = group.isUnread
    audience = notice.qwink.flatMap { QwinkCellData.audience(of: $0.visibility) }
    switch notice.kind {
    case .follow, .followRequest:
      handle = "@" + notice.qwinker.handle
      text = notice.qwinker.note.isEmpty ? nil : TextRun(notice.qwinker.note.oneLine, .dim)
    case .favourite, .boost, .poll:
      text = notice.qwink.flatMap { Self.text(of: $0, .dim) }
    default:
      text = notice.qwink.flatMap { Self.text(of: $0, .text) }
    }
  }

  private static func text(of qwink: Qwink, _ role: StyleRole) -> TextRun<StyleRole>? {
    if let warning = QwinkCellData.warning(of: qwink) { return TextRun("⚠ \(warning)", .warning) }
    if !qwink.text.isEmpty { return TextRun(qwink.text.oneLine, role) }
    return qwink.attachments.isEmpty ? nil : TextRun("▣ \(AttachmentWords.summary(of: qwink.attachments))", .dim)
  }

  private static func sign(of kind: Notice.Kind) -> TextRun<StyleRole> {
    switch kind {
    case .mention: TextRun("@", .mention)
    case .boost: TextRun("↻", .accent)
    case .favourite: TextRun("★", .accent)
    case .follow: TextRun("+", .accent)
    case .followRequest: TextRun("?", .warning)
    case .poll: TextRun("◔", .dim)
    case .qwink: TextRun("»", .accent)
    case .edit: TextRun("✎", .dim)
    case .other: TextRun("·", .dim)
    }
  }
}

/// What happened, in words.
public enum NoticeWords {
  /// What was done, to stand behind who did it.
  public static func verb(of notice: Notice, me: Qwinker.ID?) -> String {
    switch notice.kind {
    case .mention:
      if notice.qwink?.visibility == .direct { return "wrote to you" }
      return me != nil && notice.qwink?.inReplyToAuthor == me ? "answered you" : "mentioned you"
    case .boost: return "boosted"
    case .favourite: return "favourited"
    case .follow: return "follows you"
    case .followRequest: return "asks to follow you"
    case .poll: return notice.qwinker.id == me ? "Your poll has ended" : "asked in a poll that has ended"
    case .qwink: return "wrote"
    case .edit: return "edited"
    case .other(let word): return words(of: word)
    }
  }

  /// A kind that this program does not know, by the wire's word: `admin.sign_up` is `admin: sign up`.
  private static func words(of kind: String) -> String {
    let words = kind.map { $0 == "_" ? " " : $0 == "." ? ":" : String($0) }.joined()
    return words.replacing(":", with: ": ")
  }
}

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
  }
}
