public import FoundationEssentials
public import Terminal

/// A step of a tape: VHS's steps, then additions.
public enum TapeStep: Hashable, Sendable {
  // MARK: VHS

  case press(TapePress)
  /// Turns the mouse wheel `count` times. The kind is always `.wheelUp` or `.wheelDown`.
  case scroll(MouseEvent.Kind, count: Int, interval: Duration?)
  /// Types a text, one key per character. If the interval is nil, the setting `TypingSpeed` applies.
  case type(String, interval: Duration?)
  case sleep(Duration)
  case wait(TapeWait)
  case set(TapeSetting)
  /// Delays the recording of output until ``show``.
  case hide
  case show
  /// Requires a program in `PATH`.
  case require(String)
  case environment(name: String, value: String)
  /// Writes the recording (`.cast`) or the last screen (`.svg`, `.txt`) to a file, depending on the file's extension.
  case output(String)
  case screenshot(String)
  /// Copies a text to the clipboard.
  case copy(String)
  /// Pastes the text that the program copied last. If it hasn't copied any, pastes the text of the last ``copy(_:)``.
  case paste

  // MARK: Beyond VHS

  case resize(Size)
  case mouse(MouseEvent)
  case signal(TapeSignal)
  case advance(Duration)
  /// Requires the pattern to match in a line of the screen, counted from 1, or anywhere on the screen if `line` is nil.
  case expect(TapePattern, line: Int?)
  /// Requires the pattern not to match anywhere on the screen.
  case refuse(TapePattern)
  /// Compares these rows of the screen with the saved snapshot of the given name.
  case snapshot(String, rows: TapeRows)
  /// Checks the terminal output since the last ``counters(_:)`` or the start, and restarts counting.
  case counters(TapeBounds)
  /// Applies a network fault by name.
  case net(String)
  /// Sets the time.
  case clock(Date)
  /// Has no effect. Tapes of earlier versions contain it.
  case seed
  /// Performs an action on the embedded service in the name of another user.
  case serve(TapeServe)
  /// Adds a line to a configuration file.
  case write(file: String, text: String)
  /// Terminates the program immediately, as SIGKILL does.
  case kill
  /// Starts the program again in the same home directory, after it has ended or was killed.
  case start(TapeStart)
}

/// Options for starting the program again.
public struct TapeStart: Hashable, Sendable {
  /// The terminal's new size; nil if unchanged.
  public var size: Size?
  /// Whether the program starts without the screen of the last run.
  public var isFresh = false
  /// Whether the program is killed before its first frame.
  public var isUnseen = false

  public init(size: Size? = nil, isFresh: Bool = false, isUnseen: Bool = false) {
    self.size = size
    self.isFresh = isFresh
    self.isUnseen = isUnseen
  }
}

/// A key, or a sequence of keys, pressed a number of times.
public struct TapePress: Hashable, Sendable {
  /// Usually one key; `Ctrl+X+E` is two keys, both with Control.
  public var keys: [Key]
  public var count = 1
  /// Interval between two keys. If nil, the setting `TypingSpeed` applies.
  public var interval: Duration?
}

/// Waits until a pattern matches.
public struct TapeWait: Hashable, Sendable {
  public enum Scope: Hashable, Sendable {
    /// The line with the cursor.
    case line
    case screen
  }

  public var scope = Scope.line
  /// If nil, the timeout is the setting `WaitTimeout`.
  public var timeout: Duration?
  /// If nil, the pattern is the setting `WaitPattern`, by default `>$`.
  public var pattern: TapePattern?
}
