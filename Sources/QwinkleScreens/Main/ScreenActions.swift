public import PaneKit

/// The actions of Qwinkle's screens. Their keys are in Resources/keymap.txt.
extension Action {
  public static let sectionPublic: Action = "section.public"
  public static let sectionHome: Action = "section.home"
  public static let sectionMessages: Action = "section.messages"
  public static let sectionNotices: Action = "section.notices"
  public static let sectionMarks: Action = "section.marks"
  public static let sectionSearch: Action = "section.search"
  public static let compose: Action = "compose"
  public static let refresh: Action = "refresh"
  public static let help: Action = "help"
  public static let redraw: Action = "redraw"
  public static let suspend: Action = "suspend"
  public static let interrupt: Action = "interrupt"
  public static let quit: Action = "quit"
  public static let open: Action = "open"
  public static let back: Action = "back"
  public static let reveal: Action = "reveal"
  public static let nextUnread: Action = "unread.next"
  public static let previousUnread: Action = "unread.previous"
  public static let nextPane: Action = "pane.next"
  public static let previousPane: Action = "pane.previous"
  public static let openLink: Action = "link.open"
  public static let copyLink: Action = "link.copy"
  public static let command: Action = "command"
  public static let promptRun: Action = "prompt.run"
  public static let promptLeave: Action = "prompt.leave"
  public static let promptComplete: Action = "prompt.complete"
  public static let promptCompleteBack: Action = "prompt.complete-back"
  public static let promptEarlier: Action = "prompt.earlier"
  public static let promptLater: Action = "prompt.later"
  public static let toggleMessages: Action = "pane.messages"
  public static let undo: Action = "undo"
  public static let reply: Action = "reply"
  public static let writePrivately: Action = "message"
  public static let edit: Action = "edit"
  public static let delete: Action = "delete"
  public static let boost: Action = "boost"
  public static let favourite: Action = "favourite"
  public static let mark: Action = "mark"
  public static let author: Action = "author"
  public static let parent: Action = "parent"
  public static let boosters: Action = "boosters"
  public static let favouriters: Action = "favouriters"
  public static let versions: Action = "versions"
  public static let entrySend: Action = "entry.send"
  public static let entryLeave: Action = "entry.leave"
  public static let entryVisibility: Action = "entry.visibility"
  public static let entryWarning: Action = "entry.warning"
  public static let entryEditor: Action = "entry.editor"
  public static let entryComplete: Action = "entry.complete"
  public static let entryCompleteBack: Action = "entry.complete-back"
  public static let chatSend: Action = "chat.send"
  public static let chatLeave: Action = "chat.leave"
  public static let chatWrite: Action = "chat.write"
}

/// The parts of the keymap.
extension KeyContext {
  /// Everywhere, whatever is being typed.
  public static let always: KeyContext = "always"
  /// Everywhere but in text.
  public static let global: KeyContext = "global"
  public static let list: KeyContext = "list"
  /// Where one qwink of several is selected, or one is read.
  public static let qwink: KeyContext = "qwink"
  public static let reading: KeyContext = "reading"
  public static let entry: KeyContext = "entry"
  /// The sheet of links.
  public static let links: KeyContext = "links"
  /// What is being written in a chat, and the messages above it.
  public static let chat: KeyContext = "chat"
  public static let chatMessages: KeyContext = "chat-messages"
  /// The `:` prompt.
  public static let prompt: KeyContext = "prompt"
}
