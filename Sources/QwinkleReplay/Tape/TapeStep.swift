public import FoundationEssentials
public import Terminal

/// What a command asks for: VHS's steps, then our additions.
public enum TapeStep: Hashable, Sendable {
  // MARK: VHS

  case press(TapePress)
  /// Turns the mouse wheel `count` times; always `.wheelUp` or `.wheelDown`.
  case scroll(MouseEvent.Kind, count: Int, interval: Duration?)
  /// Types a text, one key per character. The default interval is `TypingSpeed`.
  case type(String, interval: Duration?)
  case sleep(Duration)
  case wait(TapeWait)
  case set(TapeSetting)
  /// Holds output back from the recording until ``show``.
  case hide
  case show
  /// Requires a program in `PATH`.
  case require(String)
  case environment(name: String, value: String)
  /// Writes a file, in the format of its extension.
  case output(String)
  case screenshot(String)
  /// Copies a text to the clipboard.
  case copy(String)
  /// Pastes the clipboard.
  case paste

  // MARK: Beyond VHS

  case resize(Size)
  case mouse(MouseEvent)
  case signal(TapeSignal)
  /// Advances the clock.
  case advance(Duration)
  /// The pattern must match in a line of the screen, counted from 1, or without `line` anywhere on it.
  case expect(TapePattern, line: Int?)
  /// The pattern must not match anywhere on the screen.
  case refuse(TapePattern)
  /// Compares these rows of the screen with the snapshot of this name.
  case snapshot(String, rows: TapeRows)
  /// Checks what was sent to the terminal since the last such step, or the start, and restarts counting.
  case counters(TapeBounds)
  /// Applies a network fault by name.
  case net(String)
  /// Sets the time.
  case clock(Date)
  /// Seeds random choices.
  case seed(UInt64)
  /// Makes another qwinker act on the embedded service.
  case serve(TapeServe)
  /// Adds a line to a file of the configuration.
  case write(file: String, text: String)
  /// Ends the program as SIGKILL does: it does nothing more.
  case kill
  /// Starts the program again in its home, after it has ended or was killed.
  case start(TapeStart)
}

/// How a program starts again.
public struct TapeStart: Hashable, Sendable {
  /// The terminal's size from then on; nil: as before.
  public var size: Size?
  /// Whether it starts without the screen of the last run.
  public var isFresh = false
  /// Whether it is killed before its first frame.
  public var isUnseen = false

  public init(size: Size? = nil, isFresh: Bool = false, isUnseen: Bool = false) {
    self.size = size
    self.isFresh = isFresh
    self.isUnseen = isUnseen
  }
}

/// A key, or keys in turn, pressed a number of times.
public struct TapePress: Hashable, Sendable {
  /// Mostly one; `Ctrl+X+E` is two, both with control.
  public var keys: [Key]
  public var count: Int
  /// The time between two; nil for `TypingSpeed`.
  public var interval: Duration?

  public init(_ keys: [Key], count: Int = 1, interval: Duration? = nil) {
    self.keys = keys
    self.count = count
    self.interval = interval
  }
}

/// Waits until a pattern matches.
public struct TapeWait: Hashable, Sendable {
  public enum Scope: Hashable, Sendable {
    /// The line with the cursor.
    case line
    case screen
  }

  public var scope: Scope
  /// nil for `WaitTimeout`.
  public var timeout: Duration?
  /// nil for `WaitPattern`.
  public var pattern: TapePattern?

  public init(_ scope: Scope = .line, timeout: Duration? = nil, pattern: TapePattern? = nil) {
    self.scope = scope
    self.timeout = timeout
    self.pattern = pattern
  }
}
