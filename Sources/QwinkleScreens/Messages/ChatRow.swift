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
  }

  var content: Content
  /// The day, if it differs from that of the message above.
  var day: String?
  /// Whether this is the first unread one.
  var isFirstNew = false
  /// The author, if the message above has another one.
  var name: String?
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

  /// The message, if it did not arrive or may not have.
  var failedMessage: OutgoingMessage? {
    if case .outgoing(let message) = content, message.failure != nil { message } else { nil }
  }
}

/// Makes the rows of a chat from its messages.
@MainActor
struct ChatRows {
  var conversation: Conversation
  var messages: [Qwink]
  var outgoing: [OutgoingMessage]
  /// The last message read; nil if unknown.
  var lastRead: Qwink.ID?
  /// Whether the chat had unread messages when it was opened.
  var wasUnread: Bool
  /// Whether a warning has been opened.
  var isRevealed: (Qwink) -> Bool
  var me: Qwinker.ID?
  var isMine: (Qwinker) -> Bool
  var now: Date
  var zone: ClockZone

  func make() -> [ChatRow] {
    let firstNew = firstNew
    let lastOwn = messages.last { isMine($0.author) }?.id
    var rows: [ChatRow] = []
    var previous: (author: Qwinker.ID?, day: String)?
    for (index, qwink) in messages.enumerated() {
      var row = row(of: qwink)
      if row.isMine, qwink.id == lastOwn, outgoing.isEmpty { row.delivery = .sent }
      row.isFirstNew = index == firstNew
      head(&row, author: row.isMine ? nil : qwink.author, at: qwink.createdAt, &previous)
      rows.append(row)
    }
    for message in outgoing {
      var row = row(of: message)
      head(&row, author: nil, at: message.writtenAt, &previous)
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

  /// Adds name and day where they change; the name also below a line that separates messages.
  private func head(
    _ row: inout ChatRow, author: Qwinker?, at date: Date, _ previous: inout (author: Qwinker.ID?, day: String)?
  ) {
    let day = RelativeTime.day(date, at: now, in: zone)
    if day != previous?.day { row.day = day }
    if row.day != nil || row.isFirstNew || previous?.author != author?.id {
      row.name = author?.displayName ?? "you"
    }
    previous = (author?.id, day)
  }

  private func row(of qwink: Qwink) -> ChatRow {
    var shown = qwink
    shown.text = ConversationWords.shown(qwink, in: conversation, me: me)
    let data = QwinkCellData(shown, isRevealed: isRevealed(qwink), now: now, zone: zone)
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
    if qwink.isAudienceUnclear { words.append(QwinkCellData.unclearAudience) }
    return words.isEmpty ? [] : [[TextRun(words.joined(separator: "  "), .dim)]]
  }

  private func row(of message: OutgoingMessage) -> ChatRow {
    ChatRow(
      content: .outgoing(message), isMine: true, time: RelativeTime.clock(message.writtenAt, in: zone),
      delivery: message.failure.map { .failed($0.sentence) } ?? .sending,
      paragraphs: RichText(plain: message.text).runs)
  }
}
