import FoundationEssentials
import PaneKit
import QwinkleModel
import Terminal
import Timekeeping

/// A message of a chat with all words of its cell.
public struct ChatRow: Hashable, Identifiable {
  /// The message.
  enum Content: Hashable {
    case qwink(Qwink)
    case outgoing(OutgoingMessage)
  }

  /// The delivery of my own message.
  enum Delivery: Hashable {
    case sending, sent, failed(String)
    /// Sent in `seconds`, unless the user undoes it. While the user `isWriting`, no key but `Esc` is a command.
    case held(seconds: Int, isWriting: Bool)

    /// - Parameter secondsHeld: nil if the message isn't held.
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
  /// The day, if it differs from that of the message above.
  var day: String?
  /// Whether this is the first unread one.
  var isFirstNew = false
  /// The author, if the message does not continue what the same person said just before.
  var name: String?
  var nameRole = StyleRole.name
  /// The letters of the author's avatar, beside the name.
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

  /// The message, if it isn't known to have arrived.
  var outgoing: OutgoingMessage? {
    if case .outgoing(let message) = content { message } else { nil }
  }

  /// The message, if it did not arrive or may not have.
  var failedMessage: OutgoingMessage? { outgoing?.failure == nil ? nil : outgoing }
}

/// Makes the rows of a chat from its messages.
@MainActor
struct ChatRows {
  /// How long messages of one author stand below one name.
  private static let runTime: TimeInterval = 300

  /// What the name above a message stands for.
  private struct Head {
    /// nil: me.
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
  /// The words of a message's cell.
  var cellData: (Qwink) -> QwinkCellData
  var me: Qwinker?
  var isMine: (Qwinker) -> Bool
  var now: Date
  var zone: ClockZone
  /// Returns how many seconds a message is still held; nil if it isn't.
  var secondsHeld: (OutgoingMessage) -> Int? = { _ in nil }
  /// Whether the entry has the keys.
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

  /// Adds name and day where they change; the name also below a rule, and from time to time.
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
    row.extras = data.extras + signs(of: qwink)
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
    ChatRow(
      content: .outgoing(message), isMine: true, time: RelativeTime.clock(message.writtenAt, in: zone),
      delivery: ChatRow.Delivery(of: message, secondsHeld: secondsHeld(message), isWriting: isWriting),
      paragraphs: RichText(plain: message.text).runs)
  }
}
