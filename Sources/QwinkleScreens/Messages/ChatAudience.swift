import PaneKit
import QwinkleModel
import Terminal

/// Who gets what is written in a chat besides those who take part in it: servers deliver to whom a text names. Pure.
enum ChatAudience {
  /// Of the handles that a text names, those of others than the reader and those of a conversation.
  static func others(named handles: [String], in conversation: Conversation, me: Qwinker?) -> [String] {
    let people = conversation.participants + [me].compactMap { $0 }
    return handles.filter { handle in !people.contains { $0.isCalled(handle) } }
  }

  /// `also to @carol`, as much as there is room for; nothing for nobody.
  static func warning(of others: [String], columns: Int) -> [TextRun<StyleRole>] {
    others.isEmpty ? [] : [TextRun("also to \(names(others, columns: columns - 14))", .warning)]
  }

  /// What is asked before it is sent.
  static func question(of others: [String], columns: Int) -> String {
    let start = SizeClass(columns: columns) == .compact ? "Also to" : "This also goes to"
    return "\(start) \(names(others, columns: columns - start.count - 10)). Send?"
  }

  /// `@carol, @dana`, or `@carol and 3 more` where that is too long.
  private static func names(_ others: [String], columns: Int) -> String {
    let all = others.map { "@\($0)" }.joined(separator: ", ")
    guard DisplayWidth.columns(of: all) > columns, let first = others.first else { return all }
    let rest = others.count > 1 ? " and \(others.count - 1) more" : ""
    return DisplayWidth.truncated("@\(first)", to: max(6, columns - rest.count)) + rest
  }
}
