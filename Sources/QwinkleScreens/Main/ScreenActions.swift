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
  public static let editProfile: Action = "profile.edit"
  public static let follow: Action = "follow"
  public static let followers: Action = "followers"
  public static let following: Action = "following"
  public static let searchEdit: Action = "search.edit"
  public static let findingGo: Action = "finding.go"
  public static let findingLeave: Action = "finding.leave"
  public static let formSave: Action = "form.save"
  public static let formNext: Action = "form.next"
  public static let formLeave: Action = "form.leave"
  public static let entrySend: Action = "entry.send"
  public static let entryLeave: Action = "entry.leave"
  public static let entryVisibility: Action = "entry.visibility"
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
  public static let search: KeyContext = "search"
  /// The row of a search in which is typed what to look for.
  public static let finding: KeyContext = "finding"
  /// Several fields to write in.
  public static let form: KeyContext = "form"
  public static let entry: KeyContext = "entry"
  /// The sheet of links.
  public static let links: KeyContext = "links"
  /// The `:` prompt.
  public static let prompt: KeyContext = "prompt"
}
