/// What tapes understand, for the manual.
public enum TapeReference {
  /// A command with its arguments, and what it does.
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
    Part(title: "The world", entries: world), Part(title: "Files", entries: files),
    Part(title: "Settings", entries: settings),
  ]

  static let keys = [
    Entry("Type[@TIME] TEXT", "Types a text, with this time between two keys. Several texts are joined by a space."),
    Entry(
      "KEY[@TIME] [COUNT]",
      """
      Presses a key as often as COUNT says: Enter, Backspace, Delete, Insert, Tab, Escape, Space, Up, Down, Left, Right, \
      PageUp, PageDown, Home, End, F1 to F12.
      """),
    Entry("Ctrl+KEY, Alt+KEY, Shift+KEY", "Presses a key or a character with these held down: Ctrl+D, Ctrl+Alt+Up."),
    Entry("ScrollUp[@TIME] [COUNT], ScrollDown[@TIME] [COUNT]", "Turns the mouse's wheel."),
    Entry("Mouse EVENT ROW COLUMN", "press, drag, release, wheelup or wheeldown at a cell; both count from 1."),
    Entry("Copy TEXT", "Puts a text on the tape's clipboard."),
    Entry("Paste", "Pastes the clipboard, as a terminal does."),
    Entry("Signal NAME", "Sends a signal: \(TapeSignal.allCases.map(\.rawValue).joined(separator: ", "))."),
  ]

  static let checks = [
    Entry("Sleep TIME", "Lets time pass."),
    Entry("Advance TIME", "Lets time pass at once: timers ring in order, and no frame is drawn in between."),
    Entry(
      "Wait[+Screen|+Line][@TIME] [/PATTERN/]",
      "Lets time pass until the screen, or the line with the cursor, matches; fails after the time."),
    Entry("Expect[+Line NUMBER] /PATTERN/", "Fails unless the screen, or one of its lines, matches now."),
    Entry("Refuse /PATTERN/", "Fails if the screen matches, now or in any frame until the next Refuse."),
    Entry(
      "Snapshot NAME [rows FIRST-LAST]",
      "Compares the screen with the kept one: its text, its styles and the cursor, or some of its rows."),
    Entry(
      "Counters [COUNTER<=NUMBER …]",
      """
      Fails if more was sent to the terminal since the last Counters: \
      \(TapeBounds.Counter.allCases.map(\.rawValue).joined(separator: ", ")). Then counts anew.
      """),
    Entry("Hide, Show", "Leave a part out of a recording."),
  ]

  static let world = [
    Entry("Resize COLUMNSxROWS", "Gives the terminal this size."),
    Entry("Clock TIME", "Sets the date and time: 2026-03-01T09:30:00Z."),
    Entry("Seed NUMBER", "Chooses the ids and the order of what is random."),
    Entry("Net CONDITION", "Makes the network fail in this way, or work again: off."),
    Entry("Serve NAME posts TEXT [COUNT]", "Another user posts, also many times."),
    Entry("Serve NAME warns WARNING TEXT", "Posts behind a content warning."),
    Entry(
      "Serve NAME shows TEXT DESCRIPTION, veils TEXT DESCRIPTION",
      "Posts with a small picture, a blue disc on a gradient; veils marks it as sensitive."),
    Entry("Serve NAME messages TEXT", "Sends you a direct message."),
    Entry("Serve NAME follows", "Follows you."),
    Entry("Serve NAME boosts /PATTERN/, favourites /PATTERN/", "Reacts to the newest qwink that matches."),
    Entry("Serve NAME answers /PATTERN/ TEXT", "Replies to it."),
    Entry("Serve NAME edits /PATTERN/ TEXT", "Edits their own."),
    Entry("Serve NAME describes TEXT", "Changes the text in their profile."),
    Entry("Serve NAME revokes", "Ends the sign-in that the program has for this account."),
    Entry("Kill", "Ends the program at once, as kill -9 does."),
    Entry(
      "Start [COLUMNSxROWS] [fresh] [unseen]",
      "Starts it again: fresh without the screen of last time, unseen killed before its first frame."),
  ]

  static let files = [
    Entry("Source TAPE", "Plays another tape here."),
    Entry("Screenshot FILE", "Draws the screen into a file: .svg or .txt."),
    Entry("Output FILE", "Records the tape into a file: .cast, .svg or .txt."),
    Entry(
      "Write FILE TEXT",
      "Adds a line to a file of the configuration, such as config.toml; before the first key also before the start."),
    Entry(
      "Env NAME VALUE",
      "Sets a variable of the program's environment. TERM needs a built-in description or the host's."),
    Entry("Require PROGRAM", "Fails unless a program is installed."),
  ]

  static let settings =
    [
      Entry("Set TypingSpeed TIME", "The time between two keys of Type."),
      Entry("Set WaitTimeout TIME", "How long Wait waits."),
      Entry("Set WaitPattern /PATTERN/", "What Wait waits for."),
      Entry("Set PlaybackSpeed NUMBER", "The speed of a recording."),
      Entry("Set Welcome on|off", "Whether the service begins with its welcome posts; off if not set."),
      Entry("Set SignedIn on|off", "Whether there is an account; on if not set."),
      Entry("Set Accounts NAMES", "More accounts on the service, to switch to."),
      Entry("Set CellSize WIDTHxHEIGHT", "The pixels of a cell, as the terminal says; it says nothing if not set."),
      Entry("Set Background light|dark", "What the terminal says that it draws on; it says nothing if not set."),
    ] + [Entry("Set \(idle.map(\.rawValue).joined(separator: ", "))", "As in VHS; without effect here.")]

  private static let idle = TapeSettingName.allCases.filter { $0.reasonForNoEffect != nil }
}
