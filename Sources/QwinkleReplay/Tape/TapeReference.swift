/// The reference of the tape language, for the manual.
public enum TapeReference {
  /// A command with its arguments and its meaning.
  public struct Entry: Hashable, Sendable {
    public let usage: String
    public let meaning: String

    fileprivate init(_ usage: String, _ meaning: String) {
      self.usage = usage
      self.meaning = meaning
    }
  }

  /// A group of entries with a title.
  public struct Part: Hashable, Sendable {
    public let title: String
    public let entries: [Entry]
  }

  /// All parts, in reading order.
  public static let parts = [
    Part(title: "Keys", entries: keys), Part(title: "Time and checks", entries: checks),
    Part(title: "Terminal, network and users", entries: world), Part(title: "Files", entries: files),
    Part(title: "Settings", entries: settings),
  ]

  static let keys = [
    Entry("Type[@TIME] TEXT", "Types text, with TIME between two keys. Several texts are joined by a space."),
    Entry(
      "KEY[@TIME] [COUNT]",
      """
      Presses a key COUNT times: Enter, Backspace, Delete, Insert, Tab, Escape, Space, Up, Down, Left, Right, \
      PageUp, PageDown, Home, End, F1 to F12.
      """),
    Entry("Ctrl+KEY, Alt+KEY, Shift+KEY", "Presses a key with modifiers: Ctrl+D, Ctrl+Alt+Up."),
    Entry("ScrollUp[@TIME] [COUNT], ScrollDown[@TIME] [COUNT]", "Turns the mouse wheel."),
    Entry(
      "Mouse EVENT ROW COLUMN",
      "Sends press, drag, release, wheelup or wheeldown at a cell. Rows and columns count from 1."),
    Entry("Copy TEXT", "Copies text to the tape's clipboard."),
    Entry("Paste", "Pastes the clipboard, as a terminal does."),
    Entry("Signal NAME", "Sends a signal: \(TapeSignal.allCases.map(\.rawValue).joined(separator: ", "))."),
  ]

  static let checks = [
    Entry("Sleep TIME", "Waits for this time."),
    Entry("Advance TIME", "Skips this time: timers fire in order, and no frame is drawn in between."),
    Entry(
      "Wait[+Screen|+Line][@TIME] [/PATTERN/]",
      "Waits until the screen, or the line with the cursor, matches; fails after TIME."),
    Entry("Expect[+Line NUMBER] /PATTERN/", "Fails unless the screen, or one of its lines, matches now."),
    Entry("Refuse /PATTERN/", "Fails if the screen matches now."),
    Entry(
      "Snapshot NAME [rows FIRST-LAST]",
      "Compares the screen, or some of its rows, with a saved snapshot: text, styles and cursor."),
    Entry(
      "Counters [COUNTER<=NUMBER …]",
      """
      Fails if the output since the last Counters is above a limit: \
      \(TapeBounds.Counter.allCases.map(\.rawValue).joined(separator: ", ")). Then counts from 0.
      """),
    Entry("Hide, Show", "Exclude a part from a recording."),
  ]

  static let world = [
    Entry("Resize COLUMNSxROWS", "Resizes the terminal."),
    Entry("Clock TIME", "Sets the date and time: 2026-03-01T09:30:00Z."),
    Entry("Seed NUMBER", "Has no effect. Tapes of earlier versions contain it."),
    Entry("Net CONDITION", "Simulates a network failure; off ends it."),
    Entry("Serve NAME posts TEXT [COUNT]", "Posts as another user, COUNT times if given."),
    Entry("Serve NAME warns WARNING TEXT", "Posts behind a content warning."),
    Entry(
      "Serve NAME shows TEXT DESCRIPTION [COUNT], veils TEXT DESCRIPTION [COUNT]",
      "Posts with a small picture, a blue disc on a gradient, or with COUNT of them; veils marks them as sensitive."),
    Entry("Serve NAME messages TEXT", "Sends you a direct message."),
    Entry("Serve NAME follows", "Follows you."),
    Entry("Serve NAME boosts /PATTERN/, favourites /PATTERN/", "Reacts to the newest post that matches."),
    Entry("Serve NAME answers /PATTERN/ TEXT", "Replies to the newest post that matches."),
    Entry("Serve NAME quotes /PATTERN/ TEXT", "Quotes the newest post that matches."),
    Entry("Serve NAME edits /PATTERN/ TEXT", "Edits the user's newest post that matches."),
    Entry("Serve NAME describes TEXT", "Changes the text in their profile."),
    Entry("Serve NAME revokes", "Revokes the program's token for this account."),
    Entry("Kill", "Kills the program, like kill -9."),
    Entry(
      "Start [COLUMNSxROWS] [fresh] [unseen]",
      "Starts the program again: fresh without the last screen, unseen killed before its first frame."),
  ]

  static let files = [
    Entry("Source TAPE", "Plays another tape here."),
    Entry("Screenshot FILE", "Saves the screen to a file: .svg or .txt."),
    Entry("Output FILE", "Records the tape to a file: .cast, .svg or .txt."),
    Entry(
      "Write FILE TEXT",
      "Adds a line to a configuration file, such as config.toml; before the first key, also before the start."),
    Entry(
      "Env NAME VALUE",
      "Sets a variable of the program's environment. TERM needs a built-in description or the host's."),
    Entry("Require PROGRAM", "Fails unless a program is installed."),
  ]

  static let settings =
    [
      Entry("Set TypingSpeed TIME", "The time between two keys of Type."),
      Entry("Set WaitTimeout TIME", "Timeout of Wait."),
      Entry("Set WaitPattern /PATTERN/", "Default pattern of Wait."),
      Entry("Set PlaybackSpeed NUMBER", "The speed of a recording."),
      Entry("Set Welcome on|off", "Whether the service starts with its welcome posts; off by default."),
      Entry("Set SignedIn on|off", "Whether an account is signed in; on by default."),
      Entry("Set Accounts NAMES", "More accounts on the service, to switch to."),
      Entry("Set CellSize WIDTHxHEIGHT", "Cell size in pixels, reported by the terminal; not reported by default."),
      Entry("Set Background light|dark", "Background reported by the terminal; not reported by default."),
    ] + [Entry("Set \(idle.map(\.rawValue).joined(separator: ", "))", "As in VHS; no effect here.")]

  private static let idle = TapeSettingName.allCases.filter { $0.reasonForNoEffect != nil }
}
