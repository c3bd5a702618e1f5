import PaneKit
import QwinkleModel
import QwinkleConfig

/// Strings of the `:` prompt. The commands' descriptions are in ``PromptCommand/all``.
enum PromptWords {
  static let title = "Command"
  static let hint = "\(Action.promptComplete.key) lists commands"
  static let noMatches = "No matches"
  static let tooLong = "The command is too long."
  static let signIn = "This needs an account. Sign in: qwinkle login URL"
  static let accountLoading = "Your account is still loading. Try again in a moment."
  static let noPicture = "No picture here"
  static let noQwink = "Select a post first."
  static let selectionChanged = "Nothing was done, because another row is selected now. Repeat the command."
  static let noAuthor = "Select a post or a user first."
  static let badTag = "A hashtag is one word. Example: :tag garden."

  static func lookingUp(_ name: String) -> String { "Looking up @\(name)…" }

  static func noUser(_ name: String, on host: String) -> String { "No user “\(name)” on \(host)." }

  static func badUser(_ text: String) -> String { "Not a user name: “\(text)”. Examples: alice, alice@example.org" }

  static func badAddress(_ text: String) -> String { "Not an address: “\(text)”. Example: https://example.org/page" }

  /// - Parameter known: The names of all timelines that have a name. The message lists them.
  static func noTimeline(_ text: String, known: [String]) -> String {
    "No timeline “\(text)”. Timelines: \(known.joined(separator: ", ")), #tag"
  }

  // MARK: Commands

  /// - Parameter nearest: The command that the user probably meant.
  static func noCommand(_ name: String, nearest: String?) -> String {
    "No command “:\(name)”. "
      + (nearest.map { "Did you mean :\($0)?" } ?? "\(Action.promptComplete.key) lists all commands.")
  }

  private static func hides(_ kinds: Set<HiddenKind>) -> String {
    kinds.isEmpty ? "Timelines hide nothing" : "Timelines hide \(HidingWords.list(kinds, "and"))"
  }

  static func usage(_ usage: String, _ summary: String) -> String { "Usage: \(usage) (\(summary))" }

  static func noRule(_ rule: MissingRule) -> String {
    "\(rule.sentence) \(rule.count == 0 ? "Type “violation” instead." : ":server lists them.")"
  }

  /// The help for the argument of `:report`.
  static let reportChoices =
    "\(Report.Category.allCases.map(\.rawValue).joined(separator: ", ")), then a comment"
  static let rulesUnknown = "The server's rules haven't loaded yet. :server shows them."
  static let unclearRule = "Which rule? Type its number, then a comment: rule 2 They sell pills."

  static func noArgument(_ name: String) -> String { ":\(name) takes no argument." }

  // MARK: Settings

  static let mouseOn = "Mouse on. To select text, hold Shift and drag."
  static let noMouse = "This terminal doesn't support the mouse."
  static let mouseOff = "Mouse off. Drag to select text."

  static func density(_ density: Density) -> String {
    switch density {
    case .comfortable: "Comfortable list"
    case .compact: "Compact list"
    case .index: "Index: one row a post"
    }
  }

  /// Returns a message about the effect of a setting.
  static func applied(_ key: ConfigKey, _ value: ConfigValue) -> String {
    switch (key, value.text) {
    case (.ambiguousWidth, "wide"): "Ambiguous-width characters take two columns"
    case (.ambiguousWidth, _): "Ambiguous-width characters take one column"
    case (.density, let form): density(Density(rawValue: form) ?? .comfortable)
    case (.times, "relative"): "Relative times"
    case (.times, "clock"): "Clock times"
    case (.times, _): "Dates and times in full"
    case (.enter, "sends"): "\(Action.chatEnter.key) sends in chats; \(Action.chatNewline.key) begins a new line"
    case (.enter, _): "\(Action.chatEnter.key) begins a new line in chats; \(Action.chatSend.key) sends"
    case (.new, "flows"): "New posts flow in while you are at the top"
    case (.new, _): "New posts are added above the visible rows"
    case (.order, "oldest"): "Timelines show the oldest rows first"
    case (.order, _): "Timelines show the newest rows first"
    case (.hide, _): hides(Set(value.list.compactMap(HiddenKind.init)))
    case (.attention, "bell"): "Messages and mentions ring the bell"
    case (.attention, "notify"): "Desktop notifications for messages and mentions, if the terminal supports them"
    case (.attention, _): "No alerts for messages and mentions"
    case (.quiet, let hours):
      QuietHours(rawValue: hours).map { "Quiet from \($0.from):00 to \($0.to):00" } ?? "No quiet hours"
    case (.pictures, let form): PictureForm(rawValue: form).map(PictureWords.set) ?? form
    case (.picturesFrom, "all"): PictureWords.fromAll
    case (.picturesFrom, _): PictureWords.fromServer
    case (.metered, _): value.flag ? PictureWords.metered : PictureWords.notMetered
    case (.cache, _): "Caching up to \(value.number) MB for reading offline"
    case (.start, _), (.socket, _), (.linkConditioner, _): "\(key.name): \(value.typed), after the next start"
    default: "\(key.name): \(value.typed.isEmpty ? "none" : value.typed)"
    }
  }

  static func written(_ said: String) -> String { "\(said) (written to config.toml)" }
  static let reloaded = "Configuration reloaded"
  static let settings = "Settings"
  static let unset = "(empty)"
  static let noConfig = "No configuration file is in use"

  static func noSetting(_ words: String, nearest: String?) -> String {
    "No setting “\(words)”. "
      + (nearest.map { "Did you mean \($0)?" } ?? "\(Action.promptComplete.key) lists all settings.")
  }

  static func noValue(_ typed: some StringProtocol, of name: String, nearest: String) -> String {
    "“\(typed)” is not a value of \(name). Did you mean \(nearest)?"
  }

  static func valueMissing(_ name: some StringProtocol, values: [String]) -> String {
    "\(name) needs a value" + (values.isEmpty ? "." : ": \(values.joined(separator: " or ")).")
  }
}
