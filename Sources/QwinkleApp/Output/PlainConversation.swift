import Foundation
import QwinkleModel
import QwinkleScreens
import Timekeeping

/// Private messages as plain text.
enum PlainConversation {
  /// A conversation in a list: participants, time, id and the last message.
  static func text(_ conversation: Conversation, me: Qwinker?, now: Date, zone: ClockZone) -> String {
    let names = conversation.participants.map { "\($0.displayName) @\($0.handle)" }.joined(separator: ", ")
    let time = conversation.lastQwink.map { "  " + RelativeTime.short($0.createdAt, at: now, in: zone) } ?? ""
    var lines = [
      (conversation.isUnread ? "• " : "") + (names.isEmpty ? "yourself" : names) + time + "  \(conversation.id)"
    ]
    if let last = conversation.lastQwink {
      let words = PlainQwink.body(of: shown(last, in: conversation, me)).filter { !$0.isEmpty }.joined(separator: " ")
      lines.append("  \(last.author.displayName): \(words.replacing("\n", with: " "))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A message in a chat: time, author and text. The first line ends with the id.
  static func message(_ qwink: Qwink, of conversation: Conversation, me: Qwinker?, zone: ClockZone) -> String {
    let body = PlainQwink.body(of: shown(qwink, in: conversation, me)).filter { !$0.isEmpty }.joined(separator: "\n")
    return "\(RelativeTime.full(qwink.createdAt, in: zone))  \(qwink.author.displayName)  \(qwink.id)\n"
      + body.indented(by: 2)
  }

  /// Without the mentions of participants, which servers require in each message.
  private static func shown(_ qwink: Qwink, in conversation: Conversation, _ me: Qwinker?) -> Qwink {
    var shown = qwink
    shown.text = MessageText.shown(
      qwink, among: Set((conversation.participants + [qwink.author, me].compactMap { $0 }).map(\.id)))
    return shown
  }
}
