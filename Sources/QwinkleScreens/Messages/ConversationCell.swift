import FoundationEssentials
import PaneKit
import QwinkleModel
import Terminal
import Timekeeping

/// Texts of a conversation's cell, made from the model.
struct ConversationCellData: Hashable {
  /// Initials for the first participant's avatar, with their style.
  var avatar: TextRun<StyleRole>?
  /// The other participants: the display name of a single participant, or the short names of several.
  var names: String
  var nameRole: StyleRole
  /// The short names of the other participants, for layouts without a handle.
  var shortNames: String
  /// The handle of the only other participant.
  var handle: String?
  var time: String
  var isUnread: Bool
  /// The audience of the last message, if it may not be direct.
  var audience: String?
  /// The last message, the warning that hides it, or a note that it was deleted. If a message was not sent, that
  /// message instead.
  var text: [TextRun<StyleRole>]

  /// `cover` hides the last message. `failed` is the text of a message that was not sent.
  init(
    _ conversation: Conversation, cover: Disclosure.Cover?, isMine: Bool, me: Qwinker.ID?, failed: String?, now: Date,
    zone: ClockZone
  ) {
    avatar = ConversationWords.face(of: conversation, me: me).map {
      TextRun(AvatarInitials.letters(of: $0), AvatarInitials.role(of: $0))
    }
    let other = ConversationWords.other(in: conversation, me: me)
    names = other?.displayName ?? ConversationWords.names(of: conversation, me: me)
    shortNames = ConversationWords.names(of: conversation, me: me)
    handle = other.map { "@\($0.handle)" }
    time = conversation.lastQwink.map { RelativeTime.short($0.createdAt, at: now, in: zone) } ?? ""
    isUnread = conversation.isUnread
    nameRole = isUnread ? other.map(AvatarInitials.nameRole) ?? .name : .quietName
    audience = conversation.lastQwink.flatMap { ConversationWords.audience(of: $0) }
    if let failed {
      text = [TextRun(MessagesWords.notSentStart, .error), TextRun(failed, .text)]
    } else {
      text = Self.text(of: conversation, cover, isMine: isMine, me: me)
    }
  }

  private static func text(
    of conversation: Conversation, _ cover: Disclosure.Cover?, isMine: Bool, me: Qwinker.ID?
  ) -> [TextRun<StyleRole>] {
    guard let last = conversation.lastQwink else { return [TextRun(MessagesWords.lastDeleted, .dim)] }
    var author: String?
    if isMine {
      author = MessagesWords.me
    } else if conversation.participants.count > 1 {
      author = last.author.shortName
    }
    let role: StyleRole = conversation.isUnread ? .text : .dim
    let start = author.map { [TextRun("\($0): ", StyleRole.dim)] } ?? []
    if let cover { return start + [TextRun("⚠ \(cover.words)", .warning)] }
    let shown = ConversationWords.shown(last, in: conversation, me: me).oneLine
    if !shown.isEmpty { return start + [TextRun(shown, role)] }
    return start + [TextRun("▣ \(AttachmentWords.summary(of: last))", .dim)]
  }
}

/// Names of a conversation's participants.
enum ConversationWords {
  static let yourself = "yourself"

  /// `Frank, Dana`, or `yourself` if there are no other participants.
  static func names(of conversation: Conversation, me: Qwinker.ID?) -> String {
    let others = conversation.participants.filter { $0.id != me }
    return others.isEmpty ? yourself : others.map(\.shortName).joined(separator: ", ")
  }

  /// The audience of a message that may not be direct, with the reason if the audience is unclear. Nil for a direct
  /// message.
  static func audience(of qwink: Qwink) -> String? {
    qwink.audience == .unclear ? QwinkCellData.unclearAudience : MessagesWords.audience(of: qwink)
  }

  /// The qwinker whose avatar represents the conversation: the first other participant, or else the user.
  static func face(of conversation: Conversation, me: Qwinker.ID?) -> Qwinker? {
    conversation.participants.first { $0.id != me } ?? conversation.participants.first
  }

  /// The other participant, if there is only one.
  static func other(in conversation: Conversation, me: Qwinker.ID?) -> Qwinker? {
    let others = conversation.participants.filter { $0.id != me }
    return others.count == 1 ? others.first : nil
  }

  /// The text of `qwink`, without mentions of participants.
  static func shown(_ qwink: Qwink, in conversation: Conversation, me: Qwinker.ID?) -> RichText {
    var people = Set(conversation.participants.map(\.id))
    // Everyone mentioned in a private message receives it. Until the user's account has loaded, hide all mentions,
    // because the user is one of the people mentioned.
    if let me { people.insert(me) } else { people.formUnion(qwink.mentions.map(\.id)) }
    return MessageText.shown(qwink, among: people)
  }
}

/// Layout of a conversation's cell, with an avatar in comfortable density. Depends only on the data, the width and the
/// density.
enum ConversationCellLayout {
  private static let maximumTextRows = 2

  static func lines(
    _ data: ConversationCellData, columns: Int, density: Density = .comfortable
  ) -> [CellLine] {
    let hasAvatar = density == .comfortable
    let markColumn = hasAvatar ? QwinkCellLayout.nameColumn : CellLine.avatarColumn
    let textColumn = markColumn + 2
    let time = data.time.isEmpty ? [] : [CellLine.padded(data.time)]
    let avatar = hasAvatar ? data.avatar : nil
    var head: [CellLine]
    if let handle = data.handle {
      head = NameAndHandle(data.names, handle, nameRole: data.nameRole)
        .lines(column: textColumn, columns: columns, trailing: time, avatar: avatar)
    } else {
      head = [CellLine(column: textColumn, runs: [TextRun(data.names, data.nameRole)], trailing: time, avatar: avatar)]
    }
    head[0].column = markColumn
    head[0].runs = mark(data) + head[0].runs
    let textColumns = max(1, min(columns - textColumn - 1, ContentWidth.fields))
    let text = CellLine.cut(data.text, columns: textColumns, rows: maximumTextRows)
    let audience = data.audience.map { TextLayout.wrap([TextRun($0, StyleRole.dim)], columns: textColumns) } ?? []
    return head
      + (text + audience).map { CellLine(column: textColumn, runs: $0) } + [.separator]
  }

  /// Returns a conversation in one row, for lists with few rows.
  static func line(_ data: ConversationCellData, columns: Int) -> CellLine {
    let nameColumns = QwinkCellLayout.listNameColumns
    let name = TextRun(NameAndHandle.cut(shortName: data.shortNames, columns: nameColumns), data.nameRole)
    let time = data.time.isEmpty ? [] : [CellLine.padded(data.time)]
    let start = mark(data) + [name].padded(to: nameColumns) + [TextRun("  ", .text)]
    let room = CellLine.room(column: CellLine.avatarColumn + CellLine.width(start), columns: columns, trailing: time)
    let audience = data.audience.map { [TextRun("\($0) · ", StyleRole.dim)] } ?? []
    let text = CellLine.cut(audience + data.text, columns: room, rows: 1).first ?? []
    return CellLine(column: CellLine.avatarColumn, runs: start + text, trailing: time)
  }

  private static func mark(_ data: ConversationCellData) -> [TextRun<StyleRole>] {
    [TextRun(data.isUnread ? "•" : " ", .new), TextRun(" ", .text)]
  }
}

extension LinesCell {
  /// Draws a conversation in a list, in one row if `isShort` is true.
  convenience init(
    _ data: ConversationCellData, density: Density = .comfortable, isShort: Bool = false, pictures: CellPictures? = nil
  ) {
    self.init {
      isShort
        ? [ConversationCellLayout.line(data, columns: $0)]
        : ConversationCellLayout.lines(data, columns: $0, density: density)
    }
    saidLayout = { ConversationCellLayout.lines(data, columns: $0) }
    self.pictures = pictures
  }
}
