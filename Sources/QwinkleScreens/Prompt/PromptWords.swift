/// What the `:` prompt says. What each command does is told in ``PromptCommand/all``.
enum PromptWords {
  static let title = "Command"
  static let hint = "Tab lists commands"
  static let noMatches = "No matches"
  static let tooLong = "The command is too long."
  static let signIn = "This needs an account. Sign in: qwinkle login URL"
  static let accountLoading = "Your account is still loading. Try again in a moment."
  static let noQwink = "Select a qwink first."
  static let badTag = "A hashtag is one word, such as :tag garden."

  static func lookingUp(_ name: String) -> String { "Looking up @\(name)…" }

  static func noUser(_ name: String, on host: String) -> String { "No user “\(name)” on \(host)." }

  static func badUser(_ text: String) -> String { "Not a user name: “\(text)”. Examples: alice, alice@example.org" }

  static func badAddress(_ text: String) -> String { "Not an address: “\(text)”. Example: https://example.org/page" }

  /// `known` are the timelines that have a name.
  static func noTimeline(_ text: String, known: [String]) -> String {
    "No timeline “\(text)”. Timelines: \(known.joined(separator: ", ")), #tag"
  }

  // MARK: Commands

  /// `nearest` is the command that was probably meant.
  static func noCommand(_ name: String, nearest: String?) -> String {
    "No command “:\(name)”. " + (nearest.map { "Did you mean :\($0)?" } ?? "Tab lists all commands.")
  }

  static func usage(_ usage: String, _ summary: String) -> String { "Usage: \(usage) (\(summary))" }

  static func noArgument(_ name: String) -> String { ":\(name) takes no argument." }

  // MARK: Settings

  static let mouseOn = "Mouse on. Shift and drag selects text."
  static let noMouse = "This terminal does not report the mouse."
  static let mouseOff = "Mouse off. Dragging selects text."
  static let ambiguousNarrow = "Ambiguous-width characters take one column"
  static let ambiguousWide = "Ambiguous-width characters take two columns"

  static func cacheSize(_ megabytes: Int) -> String { "Keeping up to \(megabytes) MB for reading offline" }

  static func attention(_ kind: AttentionKind) -> String {
    switch kind {
    case .off: "Messages and mentions don't call"
    case .bell: "Messages and mentions ring the bell"
    case .notify: "Messages and mentions notify, where this terminal shows that"
    }
  }

  static func quiet(_ hours: QuietHours?) -> String {
    hours.map { "Quiet from \($0.from):00 to \($0.to):00" } ?? "No quiet hours"
  }

  static func noSetting(_ words: String, known: [String]) -> String {
    "No setting “\(words)”. Settings: \(known.joined(separator: ", "))"
  }

  static func valueMissing(_ name: some StringProtocol, values: [Substring]) -> String {
    "\(name) needs a value: \(values.joined(separator: " or "))."
  }
}
