import Foundation
import QwinkleModel
import QwinkleScreens

/// Direct messages as plain text.
enum PlainConversation {
  /// A conversation in a list: participants, time, id and last message.
  static func text(_ conversation: Conversation, me: Qwinker?, _ style: PlainStyle) -> String {
    let columns = style.indented(by: 2).columns
    let names = conversation.participants.map { NameAndHandle.text(of: $0, columns: columns) }.joined(separator: ", ")
    let time = conversation.lastQwink.map { "  " + style.time($0.createdAt) } ?? ""
    let audience = conversation.lastQwink.flatMap { MessagesWords.audience(of: $0) }.map { "  \($0)" } ?? ""
    var lines = [
      (conversation.isUnread ? "• " : "") + (names.isEmpty ? "yourself" : names) + time + audience
        + "  \(conversation.id)"
    ]
    if conversation.lastQwink == nil { lines.append("  \(MessagesWords.lastDeleted)") }
    if let last = conversation.lastQwink {
      let body = PlainQwink.body(of: shown(last, in: conversation, me), in: .thread, style)
      let words = body.filter { !$0.isEmpty }.joined(separator: " ")
      lines.append("  \(last.author.shortName): \(words.replacing("\n", with: " "))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A message in a chat: time, author and text. The first line ends with the id.
  static func message(
    _ qwink: Qwink, of conversation: Conversation, me: Qwinker?, _ style: PlainStyle
  ) -> String {
    let body = PlainQwink.body(of: shown(qwink, in: conversation, me), in: .thread, style)
      .filter { !$0.isEmpty }.joined(separator: "\n")
    let audience = MessagesWords.audience(of: qwink).map { "  \($0)" } ?? ""
    return "\(style.fullTime(qwink.createdAt))  \(qwink.author.shortName)\(audience)  \(qwink.id)\n"
      + body.indented(by: 2)
  }

  /// Returns the message without mentions of participants. Servers require these mentions in each message, but readers
  /// don't need them.
  private static func shown(_ qwink: Qwink, in conversation: Conversation, _ me: Qwinker?) -> Qwink {
    var shown = qwink
    shown.text = MessageText.shown(
      qwink, among: Set((conversation.participants + [qwink.author, me].compactMap { $0 }).map(\.id)))
    return shown
  }
}
