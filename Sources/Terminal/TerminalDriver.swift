/// The contents of the whole screen.
public struct Frame: Hashable, Sendable {
  /// The cells. A link has the same number in all frames, until the driver redraws the whole screen.
  public var grid: CellGrid
  /// Position of the cursor, or nil to hide it.
  public var cursor: Point?
  /// Rows that may differ from the previous frame. Other rows are not compared.
  public var changedRows: RangeSet<Int>

  /// Creates a frame. If `changedRows` is nil, all rows may have changed.
  public init(grid: CellGrid, cursor: Point? = nil, changedRows: RangeSet<Int>? = nil) {
    self.grid = grid
    self.cursor = cursor
    self.changedRows = changedRows ?? RangeSet(0..<grid.size.rows)
  }
}

/// A terminal: live, headless or in memory.
@MainActor
public protocol TerminalDriver: AnyObject {
  /// Receives events. Not retained.
  var delegate: (any TerminalDriverDelegate)? { get set }
  var size: Size { get }
  var capabilities: TerminalCapabilities { get }

  /// Opens the terminal for the program. Throws a ``TerminalError`` if the terminal isn't usable.
  func start() throws
  /// Shows `frame`. Sends only cells that are in changed rows and differ from the previous frame. Never waits for the
  /// terminal: a slow terminal skips frames and shows the latest one when it catches up.
  func present(_ frame: Frame)
  /// Writes lines below the existing ones. If ``TerminalCapabilities/isLinear`` is set, the program calls this instead
  /// of ``present(_:)``.
  func append(_ text: String)
  /// Copies text to the terminal's clipboard. Call only after the user pressed a key. Returns whether the text was sent
  /// to the terminal.
  func copy(_ text: String) -> Bool
  /// Sets the title of the terminal's window until the terminal is released.
  func setTitle(_ title: String)
  /// Alerts a user who is looking elsewhere. Shows `text` as a desktop notification if the terminal supports that.
  /// Otherwise, or without `text`, rings the bell.
  func callAttention(_ text: String?)
  /// Queues a picture, which is sent to the terminal with the next frame, and returns its placement, which must be
  /// drawn in the picture's cells. Call this again whenever the cells are drawn, because a picture that isn't visible
  /// may be deleted from the terminal. Returns nil if the terminal can't show the picture, or if the picture is too
  /// large.
  ///
  /// If ``TerminalCapabilities/placesPictures`` is false, the picture must have the format of
  /// ``TerminalCapabilities/drawsPictures``. The picture is then shown only while all of its cells are visible.
  func place(_ picture: PixelPicture) -> PicturePlacement?
  /// Changes the form in which all further text is drawn.
  func use(_ form: TextForm)
  /// The user's choice of the number of colours. ``TerminalCapabilities/colors`` is the resulting number.
  var colors: ColorChoice { get set }
  /// Whether the program receives mouse events. Otherwise the mouse selects text, as it does without the program.
  var usesMouse: Bool { get set }
  /// Statistics of drawing so far.
  var statistics: TerminalStatistics { get }
  /// Forgets the current contents of the screen, so that the next frame is sent completely.
  func redrawAll()
  /// Releases the terminal until ``resume()``.
  func suspend()
  func resume()
  /// Restores the terminal and releases it permanently. Further calls have no effect.
  func stop()
}

extension TerminalDriver {
  public func place(_ picture: PixelPicture) -> PicturePlacement? { nil }
}

/// Receives events from the user and the terminal.
@MainActor
public protocol TerminalDriverDelegate: AnyObject {
  /// Called with events that arrived together. A single frame for all of them is enough.
  func terminalDriver(_ driver: any TerminalDriver, didReceive events: [TerminalEvent])
}

/// The reason why a terminal can't be used.
public enum TerminalError: Error, Hashable, Sendable {
  /// Input or output is not a terminal.
  case notATerminal
  /// Neither this type of terminal nor a similar one has a terminal description on this machine.
  case unknownKind(String)

  /// The problem and its solution, in sentences for the user.
  public var sentence: String {
    switch self {
    case .notATerminal: "Not a terminal. To print the timeline, run: qwinkle timeline public"
    case .unknownKind(let name):
      "Unknown terminal “\(name)”. Try TERM=xterm-256color qwinkle, or install ncurses-term."
    }
  }
}
