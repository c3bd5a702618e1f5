import PaneKit
import QwinkleModel
import Terminal

/// Recipients of a chat message. Servers deliver a message to everyone it mentions, even outside the conversation.
enum ChatAudience {
  /// Returns the mentioned handles that belong neither to the user nor to a participant.
  static func others(named handles: [String], in conversation: Conversation, me: Qwinker?) -> [String] {
    let people = conversation.participants + [me].compactMap { $0 }
    return handles.filter { handle in !people.contains { $0.isCalled(handle) } }
  }

  /// `to @bob only`, or `to @bob` if the next message also goes to `others`.
  static func words(_ people: [Qwinker], others: [String], columns: Int) -> String {
    let shown = people.isEmpty ? ConversationWords.yourself : names(people.map(\.handle), columns: columns - 20)
    return others.isEmpty ? MessagesWords.onlyTo(shown) : MessagesWords.to(shown)
  }

  /// `also to @carol`, shortened to fit; empty if `others` is empty.
  static func warning(of others: [String], columns: Int) -> [TextRun<StyleRole>] {
    others.isEmpty ? [] : [TextRun(MessagesWords.alsoTo(names(others, columns: columns - 14)), .warning)]
  }

  /// Confirmation for sending a message that also goes to people outside the conversation.
  static func question(of others: [String], columns: Int) -> String {
    let isShort = SizeClass(columns: columns) == .compact
    let room = columns - MessagesWords.askToSend(alsoTo: "", isShort: isShort).count - 2
    return MessagesWords.askToSend(alsoTo: names(others, columns: room), isShort: isShort)
  }

  /// `@carol, @dana`, or `@carol and 3 more` if that is too long.
  private static func names(_ others: [String], columns: Int) -> String {
    let all = others.map { "@\($0)" }.joined(separator: ", ")
    guard DisplayWidth.columns(of: all) > columns, let first = others.first else { return all }
    let rest = others.count > 1 ? " and \(others.count - 1) more" : ""
    return DisplayWidth.truncated("@\(first)", to: max(6, columns - rest.count)) + rest
  }
}
