import FoundationEssentials
public import Terminal
public import Timekeeping

/// The program driven by a tape, with its terminal, clock and environment. All work of a step is done when ``settle()``
/// returns, so a tape produces the same screens everywhere.
@MainActor
public protocol ReplayStage: AnyObject {
  /// The program's only clock.
  var clock: VirtualClock { get }
  var size: Size { get }
  /// Whether the program is stopped, as by ^Z. Time still passes, and the program's timers fire late.
  var isStopped: Bool { get }
  /// The program's exit status; nil while it runs.
  var status: Int32? { get }
  /// The text that the program copied last.
  var copied: String? { get }

  /// Sends bytes to the program as its terminal would.
  func type(_ bytes: [UInt8])
  func resize(to size: Size)
  func receive(_ signal: TapeSignal)
  /// Waits until the program has done all its work and drawn the result. Work that waits for the clock is excluded.
  ///
  /// - Throws: ``ReplayError`` that names the work that doesn't end.
  func settle() async throws
  /// Returns the screen according to ncurses, with the looks of the theme's roles.
  func snapshot() -> Snapshot
  /// Statistics of drawing and terminal output so far.
  var statistics: TerminalStatistics { get }
  /// Returns the terminal output since the last call.
  func takeOutput() -> [UInt8]

  /// Appends a line to one of the program's configuration files.
  ///
  /// - Throws: ``ReplayError`` if the line can't be written.
  func write(_ line: String, to file: String) throws
  /// Terminates the program immediately, as SIGKILL does.
  func kill()
  /// Starts the program again.
  ///
  /// - Throws: ``ReplayError`` if the program is running or can't be started.
  func start(_ start: TapeStart) throws

  /// Performs an action on the embedded service in the name of another user.
  ///
  /// - Throws: ``ReplayError`` if there is no service or the action fails.
  func serve(_ act: TapeServe) async throws
  /// Applies the network fault `name` from now on.
  ///
  /// - Throws: ``ReplayError`` if no fault has that name.
  func setNet(_ name: String) throws
}

/// An error in a step of a tape.
public struct ReplayError: Error, Hashable, Sendable {
  public let sentence: String

  public init(_ sentence: String) {
    self.sentence = sentence
  }
}

/// The program's initial conditions: a tape's settings before its first action.
public struct ReplaySetting: Sendable {
  public var size = Size(rows: 24, columns: 80)
  /// Seconds since 1970; 1 January 2026 unless the tape sets it.
  public var start = 1_767_225_600.0
  public var environment: [String: String] = [:]
  /// Position of the command that sets `TERM`, if any.
  public private(set) var terminalPlace: TapePlace?
  public var typingInterval = Duration.milliseconds(50)
  public var waitTimeout = Duration.seconds(15)
  public var waitPattern: TapePattern?
  public var playbackSpeed = 1.0
  public var hasWelcome = false
  public var isSignedIn = true
  /// Additional accounts on the embedded service.
  public var accounts: [String] = []
  /// The cell size that the terminal reports, if any.
  public var cellSize: CellSize?
  /// The background that the terminal reports, if any.
  public var background: TerminalBackground?
  /// The network fault at the start, if any.
  public var net: String?
  /// Lines to write to configuration files before the program starts.
  public var lines: [(file: String, text: String)] = []

  public init(of tape: Tape) {
    for command in tape.commands {
      switch command.step {
      case .resize(let size): self.size = size
      case .clock(let date): start = date.timeIntervalSince1970
      case .environment(let name, let value):
        environment[name] = value
        if name == "TERM" { terminalPlace = command.place }
      case .set(let setting): take(setting)
      case .net(let name): net = name
      case .write(let file, let text): lines.append((file, text))
      case .hide, .show, .output, .require, .seed: continue
      default: return
      }
    }
  }

  /// The terminal type.
  public var terminal: String { environment["TERM"] ?? "xterm-256color" }

  mutating func take(_ setting: TapeSetting) {
    switch setting {
    case .typingSpeed(let interval): typingInterval = interval
    case .waitTimeout(let timeout): waitTimeout = timeout
    case .waitPattern(let pattern): waitPattern = pattern
    case .playbackSpeed(let speed): playbackSpeed = speed
    case .welcome(let isOn): hasWelcome = isOn
    case .signedIn(let isOn): isSignedIn = isOn
    case .accounts(let names): accounts = names
    case .cellSize(let size): cellSize = size
    case .background(let background): self.background = background
    case .withoutEffect: break
    }
  }
}
