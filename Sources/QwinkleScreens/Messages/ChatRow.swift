import FoundationEssentials
import PaneKit
import QwinkleModel
import Terminal
import Timekeeping

/// A chat message with all texts of its cell.
public struct ChatRow: Hashable, Identifiable {
  /// A message from the server, or a message being sent.
  enum Content: Hashable {
    case qwink(Qwink)
    case outgoing(OutgoingMessage)
  }

  /// Delivery state of the user's message.
  enum Delivery: Hashable {
    case sending, sent, failed(String)
    /// Pending: sent in `seconds`, unless the user undoes it. If `isWriting` is true, the undo key works only after the
    /// user has left the text field with `Esc`.
    case held(seconds: Int, isWriting: Bool)

    /// - Parameter secondsHeld: Nil if the message isn't pending.
    init(of message: OutgoingMessage, secondsHeld: Int?, isWriting: Bool) {
      self =
        if let failure = message.failure {
          .failed(failure.sentence)
        } else {
          secondsHeld.map { .held(seconds: $0, isWriting: isWriting) } ?? .sending
        }
    }
  }

  var content: Content
  /// The day, if it differs from the day of the message above.
  var day: String?
  /// Whether this is the first unread message.
  var isFirstNew = false
  /// The author's name; nil if the message continues a run by the same author.
  var name: String?
  var nameRole = StyleRole.name
  /// Width of the names' column in the whole chat.
  var nameColumns = 0
  /// Initials for the author's avatar, next to the name.
  var avatar: TextRun<StyleRole>?
  var isMine: Bool
  /// `18:02`.
  var time: String
  var delivery: Delivery?
  var warning: String?
  /// Whether the text behind the warning is shown.
  var isRevealed = true
  var paragraphs: [[TextRun<StyleRole>]]
  var extras: [[TextRun<StyleRole>]] = []

  public var id: String {
    switch content {
    case .qwink(let qwink): "qwink \(qwink.id.rawValue)"
    case .outgoing(let message): "outgoing \(message.id)"
    }
  }

  var qwink: Qwink? {
    if case .qwink(let qwink) = content { qwink } else { nil }
  }

  /// The user's message, if its arrival isn't confirmed: it is being sent, has failed, or may not have arrived.
  var outgoing: OutgoingMessage? {
    if case .outgoing(let message) = content { message } else { nil }
  }

  /// The user's message, if it has failed or may not have arrived.
  var failedMessage: OutgoingMessage? { outgoing?.failure == nil ? nil : outgoing }
}

/// Creates the rows of a chat from its messages.
@MainActor
struct ChatRows {
  /// Seconds within which messages by one author share one name.
  private static let runTime: TimeInterval = 300

  /// The last message with a name above it.
  private struct Head {
    /// Nil for the user.
    var speaker: Qwinker.ID?
    var day: String
    var at: Date
  }

  var conversation: Conversation
  var messages: [Qwink]
  var outgoing: [OutgoingMessage]
  /// The last message read; nil if unknown.
  var lastRead: Qwink.ID?
  /// Whether the chat had unread messages when it was opened.
  var wasUnread: Bool
  /// Returns the texts of a message's cell.
  var cellData: (Qwink) -> QwinkCellData
  var me: Qwinker?
  var isMine: (Qwinker) -> Bool
  var now: Date
  var zone: ClockZone
  /// Returns the seconds until a pending message is sent, or nil if the message isn't pending.
  var secondsHeld: (OutgoingMessage) -> Int? = { _ in nil }
  /// Whether the entry has keyboard focus.
  var isWriting = false

  func make() -> [ChatRow] {
    let firstNew = firstNew
    let lastOwn = messages.last { isMine($0.author) }?.id
    var rows: [ChatRow] = []
    var head: Head?
    for (index, qwink) in messages.enumerated() {
      var row = row(of: qwink)
      if row.isMine, qwink.id == lastOwn, outgoing.isEmpty { row.delivery = .sent }
      row.isFirstNew = index == firstNew
      name(&row, by: qwink.author, at: qwink.createdAt, &head)
      rows.append(row)
    }
    for message in outgoing {
      var row = row(of: message)
      name(&row, by: me, at: message.writtenAt, &head)
      rows.append(row)
    }
    let names = rows.compactMap(\.name) + conversation.participants.map(\.shortName) + [MessagesWords.me]
    let widest = names.map { DisplayWidth.columns(of: $0) }.max() ?? 0
    for index in rows.indices { rows[index].nameColumns = min(widest, QwinkCellLayout.listNameColumns) }
    return rows
  }

  /// The index of the first unread message.
  private var firstNew: Int? {
    let start: Int
    if let lastRead, let index = messages.firstIndex(where: { $0.id == lastRead }) {
      start = index + 1
    } else if wasUnread {
      start = (messages.lastIndex { isMine($0.author) } ?? -1) + 1
    } else {
      return nil
    }
    return messages.indices[start...].first { !isMine(messages[$0].author) }
  }

  /// Sets the name and the day where they change. Repeats the name below a rule and after `runTime`.
  private func name(_ row: inout ChatRow, by author: Qwinker?, at date: Date, _ head: inout Head?) {
    let speaker = row.isMine ? nil : author?.id
    let day = RelativeTime.day(date, at: now, in: zone)
    if day != head?.day { row.day = day }
    if let head, row.day == nil, !row.isFirstNew, head.speaker == speaker,
      date.timeIntervalSince(head.at) < Self.runTime
    {
      return
    }
    row.name = row.isMine ? MessagesWords.me : author?.shortName
    if let author {
      row.nameRole = AvatarInitials.nameRole(of: author)
      row.avatar = TextRun(AvatarInitials.letters(of: author), AvatarInitials.role(of: author))
    }
    head = Head(speaker: speaker, day: day, at: date)
  }

  private func row(of qwink: Qwink) -> ChatRow {
    var shown = qwink
    shown.text = ConversationWords.shown(qwink, in: conversation, me: me?.id)
    let data = cellData(shown)
    var row = ChatRow(
      content: .qwink(qwink), isMine: isMine(qwink.author), time: RelativeTime.clock(qwink.createdAt, in: zone),
      paragraphs: shown.text.isEmpty ? [] : data.paragraphs)
    row.warning = data.warning
    row.isRevealed = data.isRevealed
    row.extras = data.summaries + signs(of: qwink)
    return row
  }

  private func signs(of qwink: Qwink) -> [[TextRun<StyleRole>]] {
    var words: [String] = []
    if qwink.favouritesCount > 0 || qwink.isFavourite { words.append("★") }
    if qwink.isBookmarked { words.append("⚑") }
    if qwink.editedAt != nil { words.append("edited") }
    if let audience = ConversationWords.audience(of: qwink) { words.append(audience) }
    return words.isEmpty ? [] : [[TextRun(words.joined(separator: "  "), .dim)]]
  }

  private func row(of message: OutgoingMessage) -> ChatRow {
    var row = ChatRow(
      content: .outgoing(message), isMine: true, time: RelativeTime.clock(message.writtenAt, in: zone),
      delivery: ChatRow.Delivery(of: message, secondsHeld: secondsHeld(message), isWriting: isWriting),
      paragraphs: RichText(plain: message.text).runs)
    let files = message.files ?? []
    if !files.isEmpty {
      let words = files.enumerated().map { index, file in
        let name = file.name ?? EntryFileWords.name(ofUnnamed: file.kind, number: index + 1)
        return file.altText.isEmpty ? name : "\(name): \(file.altText)"
      }
      row.extras = [[TextRun("▣ ", .dim), TextRun(words.joined(separator: " / "), .dim)]]
    }
    return row
  }
}
