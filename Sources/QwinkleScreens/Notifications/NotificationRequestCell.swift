import FoundationEssentials
import PaneKit
import QwinkleModel
import Terminal
import Timekeeping

/// Texts of a notification request's cell, made from the model.
struct NotificationRequestCellData: Hashable {
  var avatar: TextRun<StyleRole>
  var name: String
  var nameRole: StyleRole
  var handle: String
  /// The number of notifications.
  var count: String
  var time: String
  /// The start of the last qwink, or its cover.
  var text: TextRun<StyleRole>?

  /// `cover` replaces the text of the last qwink. If `isHidden` is true, no part of the qwink is shown.
  init(
    _ request: NotificationRequest, cover: Disclosure.Cover?, isHidden: Bool, me: Qwinker.ID?, now: Date,
    zone: ClockZone
  ) {
    let qwinker = request.qwinker
    avatar = TextRun(AvatarInitials.letters(of: qwinker), AvatarInitials.role(of: qwinker))
    name = qwinker.displayName
    nameRole = AvatarInitials.nameRole(of: qwinker)
    handle = "@" + qwinker.handle
    count = FilteredWords.notifications(request.notificationsCount)
    time = RelativeTime.short(request.updatedAt, at: now, in: zone)
    text =
      isHidden ? nil : request.lastQwink.flatMap { NotificationCellData.text(of: $0, cover, .text, me: me) }
  }
}

/// The layout of a notification request's cell. A pure function of the texts and the width.
enum NotificationRequestCellLayout {
  static func lines(_ data: NotificationRequestCellData, columns: Int) -> [CellLine] {
    let column = CellLine.avatarColumn + 4
    let count = TextRun<StyleRole>(data.count, .dim)
    let time = CellLine.padded(data.time)
    let names = NameAndHandle(data.name, data.handle, nameRole: data.nameRole)
    var lines: [CellLine]
    if SizeClass(columns: columns) == .compact {
      lines = names.stacked(column: column, columns: columns, handleTrailing: [time], avatar: data.avatar)
      lines.append(CellLine(column: column, runs: [count]))
    } else {
      lines = names.lines(
        column: column, columns: columns, trailing: [count, TextRun("  ", .dim), time], avatar: data.avatar)
    }
    if let text = data.text {
      let room = max(1, min(columns - column - 1, ContentWidth.text))
      lines += CellLine.cut([text], columns: room, rows: 1).map { CellLine(column: column, runs: $0) }
    }
    return lines + [.separator]
  }
}

extension LinesCell {
  convenience init(_ data: NotificationRequestCellData, pictures: CellPictures?) {
    self.init { NotificationRequestCellLayout.lines(data, columns: $0) }
    self.pictures = pictures
  }
}
