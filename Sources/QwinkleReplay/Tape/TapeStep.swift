public import FoundationEssentials
public import Terminal

/// What a command of a tape asks for. The first part is VHS's, the second is added here.
public enum TapeStep: Hashable, Sendable {
  // MARK: VHS

  case press(TapePress)
  /// The wheel of the mouse, `count` times; always `.wheelUp` or `.wheelDown`.
  case scroll(MouseEvent.Kind, count: Int, interval: Duration?)
  /// Text that is typed, a key for each character. Without an interval, `TypingSpeed` is between two.
  case type(String, interval: Duration?)
  case sleep(Duration)
  case wait(TapeWait)
  case set(TapeSetting)
  /// What follows is not in what comes out.
  case hide
  case show
  /// A program that has to be there.
  case require(String)
  case environment(name: String, value: String)
  /// A file to write, of the kind that its ending says.
  case output(String)
  case screenshot(String)
  /// Puts a text into the clipboard.
  case copy(String)
  /// Pastes what is in the clipboard.
  case paste

  // MARK: Beyond VHS

  case resize(Size)
  case mouse(MouseEvent)
  case signal(TapeSignal)
  /// Moves the clock.
  case advance(Duration)
  /// The pattern must be in a line of the screen, counted from 1, or without one anywhere on it.
  case expect(TapePattern, line: Int?)
  /// The pattern must be nowhere on the screen.
  case refuse(TapePattern)
  /// Compares these rows of the screen with the recorded ones of this name.
  case snapshot(String, rows: TapeRows)
  /// What was sent to the terminal since the last such step, or the start, must keep to the bounds; then counting
  /// begins anew.
  case counters(TapeBounds)
  /// A fault of the network, by its name.
  case net(String)
  /// What time it is.
  case clock(Date)
  /// What random choices start from.
  case seed(UInt64)
  /// Something that another qwinker does on the embedded service.
  case serve(TapeServe)
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

/// Waiting until a pattern is there.
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
