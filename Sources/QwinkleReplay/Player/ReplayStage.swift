import FoundationEssentials
public import Terminal
public import Timekeeping

/// A program that a tape is played on: its terminal, its time, and what goes on around it. Everything that it does
/// after a step is done when ``settle()`` returns, so that the same tape gives the same screens wherever it runs.
@MainActor
public protocol ReplayStage: AnyObject {
  /// The program's only time.
  var clock: VirtualClock { get }
  var size: Size { get }
  /// With what it has ended; nil while it runs.
  var status: Int32? { get }
  /// What it put into the clipboard last.
  var copied: String? { get }

  /// Hands it bytes as its terminal would.
  func type(_ bytes: [UInt8])
  func resize(to size: Size)
  func receive(_ signal: TapeSignal)
  /// Returns once nothing is left to do but what waits for the clock, and what came of it is on the screen.
  func settle() async
  /// What the terminal shows, by ncurses' account.
  func snapshot() -> Snapshot
  /// What was sent to the terminal so far, and what was drawn, in numbers.
  var statistics: TerminalStatistics { get }
  /// What has been sent to the terminal since the last call.
  func takeOutput() -> [UInt8]

  /// Has another qwinker do something on the embedded service.
  ///
  /// - Throws: ``ReplayError`` where there is none, or it cannot be done.
  func serve(_ act: TapeServe) async throws
  /// Treats the network so from now on.
  ///
  /// - Throws: ``ReplayError`` where no fault has that name.
  func setNet(_ name: String) throws
}

/// Why a step of a tape cannot be done.
public struct ReplayError: Error, Hashable, Sendable {
  public let sentence: String

  public init(_ sentence: String) {
    self.sentence = sentence
  }
}

/// What a tape says of the program before it starts: everything up to the first command that does something.
public struct ReplaySetting: Sendable {
  public var size = Size(rows: 24, columns: 80)
  /// Seconds since 1970: 1 January 2026, unless the tape says otherwise.
  public var start = 1_767_225_600.0
  public var seed: UInt64 = 1
  public var environment: [String: String] = [:]
  public var typingInterval = Duration.milliseconds(50)
  public var waitTimeout = Duration.seconds(15)
  public var waitPattern: TapePattern?
  public var playbackSpeed = 1.0
  public var hasWelcome = false
  public var isSignedIn = true
  /// How the network is treated from the start on; nil: well.
  public var net: String?

  public init(of tape: Tape) {
    for command in tape.commands {
      switch command.step {
      case .resize(let size): self.size = size
      case .clock(let date): start = date.timeIntervalSince1970
      case .seed(let seed): self.seed = seed
      case .environment(let name, let value): environment[name] = value
      case .set(let setting): take(setting)
      case .net(let name): net = name
      case .hide, .show, .output, .require: continue
      default: return
      }
    }
  }

  mutating func take(_ setting: TapeSetting) {
    switch setting {
    case .typingSpeed(let interval): typingInterval = interval
    case .waitTimeout(let timeout): waitTimeout = timeout
    case .waitPattern(let pattern): waitPattern = pattern
    case .playbackSpeed(let speed): playbackSpeed = speed
    case .welcome(let isOn): hasWelcome = isOn
    case .signedIn(let isOn): isSignedIn = isOn
    case .withoutEffect: break
    }
  }
}
