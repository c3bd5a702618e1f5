import FoundationEssentials
import PaneKit
import QwinkleModel
import Terminal
import Timekeeping

/// The texts of a qwinker's cell.
struct QwinkerCellData: Hashable {
  var avatar: TextRun<StyleRole>
  var name: String
  var nameRole: StyleRole
  var handle: String
  /// Facts to know before following: `bot`, `approves followers`, `moved`.
  var signs: String
  /// The relationship in a word or two: `you follow`, `muted`. Empty if there is no relationship or it is unknown.
  var relation: String
  /// The end of a temporary mute: ` until 22 Nov 2026, 09:30`. Otherwise empty.
  var end = ""
  /// `1,204 followers`. Empty if the number is zero or unknown.
  var followers: String
  /// The qwinker's biography in one line, if any.
  var note: String?

  init(
    _ qwinker: Qwinker, relationship: Relationship? = nil, at now: Date = .distantPast, in zone: ClockZone? = nil
  ) {
    avatar = TextRun(AvatarInitials.letters(of: qwinker), AvatarInitials.role(of: qwinker))
    name = qwinker.displayName
    nameRole = AvatarInitials.nameRole(of: qwinker)
    handle = "@" + qwinker.handle
    signs = QwinkerWords.signs(of: qwinker)
    relation = relationship.map { Self.words(of: $0, at: now) } ?? ""
    if let zone, relation == QwinkerWords.isMuted, let end = qwinker.muteEnd(relationship, at: now) {
      self.end = " \(QwinkerWords.until) \(RelativeTime.full(end, in: zone))"
    }
    followers = qwinker.followersCount > 0 ? QwinkerWords.followers(qwinker.followersCount) : ""
    note = qwinker.note.isEmpty ? nil : qwinker.note.oneLine
  }

  private static func words(of relationship: Relationship, at now: Date) -> String {
    if relationship.isBlocking { return QwinkerWords.isBlocked }
    if relationship.mutes(at: now) { return QwinkerWords.isMuted }
    if relationship.isFollowing { return QwinkerWords.following(relationship) }
    return relationship.isRequested ? QwinkerWords.followRequested : ""
  }
}

/// The layout of a qwinker's cell. A pure function of the texts and the width.
enum QwinkerCellLayout {
  static func lines(_ data: QwinkerCellData, columns: Int) -> [CellLine] {
    let isCompact = SizeClass(columns: columns) == .compact
    let column = CellLine.avatarColumn + 4
    // In a narrow window, the relationship takes precedence over the number of followers.
    let followers = isCompact && !data.relation.isEmpty ? "" : data.followers
    let relation = isCompact ? data.relation : data.relation + data.end
    let parts = [TextRun<StyleRole>(relation, .accent), TextRun<StyleRole>(followers, .dim)]
    let told = parts.filter { !$0.text.isEmpty }.map { [$0] }
    let trailing = Array(told.joined(separator: [TextRun<StyleRole>("  ", .dim)]))
    let names = NameAndHandle(data.name, data.handle, nameRole: data.nameRole)
    let signs: [TextRun<StyleRole>] = data.signs.isEmpty ? [] : [TextRun("  \(data.signs)", .warning)]
    var lines: [CellLine]
    if isCompact {
      let hasRoom = data.signs.isEmpty || !data.relation.isEmpty
      lines = names.stacked(
        column: column, columns: columns, after: signs, handleTrailing: hasRoom ? trailing : [], avatar: data.avatar)
    } else {
      lines = names.lines(
        column: column, columns: columns, after: signs, trailing: trailing, avatar: data.avatar)
    }
    if let note = data.note {
      lines.append(
        CellLine(column: column, runs: [TextRun(DisplayWidth.truncated(note, to: columns - column - 1), .text)]))
    }
    return lines + [.separator]
  }
}

extension LinesCell {
  convenience init(
    _ qwinker: Qwinker, relationship: Relationship? = nil, at now: Date = .distantPast, in zone: ClockZone? = nil,
    pictures: CellPictures? = nil
  ) {
    let data = QwinkerCellData(qwinker, relationship: relationship, at: now, in: zone)
    self.init { QwinkerCellLayout.lines(data, columns: $0) }
    self.pictures = pictures
  }

  convenience init(_ tag: Tag) {
    let text = RowText(tag, uses: tag.usesCount.flatMap { $0 > 0 ? SearchWords.recentUses($0) : nil })
    self.init { text.lines(forColumns: $0) + [.separator] }
  }
}
