/// One picture of the whole screen.
public struct Frame: Hashable, Sendable {
  public var grid: CellGrid
  /// Where the cursor stands; nil hides it.
  public var cursor: Point?
  /// The rows that may differ from the frame before; nobody looks at the others.
  public var changedRows: RangeSet<Int>

  /// A frame of which all rows may have changed, unless `changedRows` says which.
  public init(grid: CellGrid, cursor: Point? = nil, changedRows: RangeSet<Int>? = nil) {
    self.grid = grid
    self.cursor = cursor
    self.changedRows = changedRows ?? RangeSet(0..<grid.size.rows)
  }
}

/// A terminal, live, headless or in memory. Only the main actor talks to it.
@MainActor
public protocol TerminalDriver: AnyObject {
  /// Where keys and changes go. Held weakly.
  var delegate: (any TerminalDriverDelegate)? { get set }
  var size: Size { get }
  var capabilities: TerminalCapabilities { get }

  /// Takes the terminal over. Throws a ``TerminalError`` where there is none that it can use.
  func start() throws
  /// Shows `frame`, sending only what differs from the last in its changed rows. Never waits for the terminal: one that
  /// does not keep up is shown the latest frame when it does.
  func present(_ frame: Frame)
  /// Writes lines below what is there. Only where ``TerminalCapabilities/isLinear`` is set, and in place of frames.
  func append(_ text: String)
  /// Puts text into the terminal's clipboard, for a key that the user pressed. Returns whether it was asked to.
  func copy(_ text: String) -> Bool
  /// Gives the terminal's window a title, until the terminal is given back.
  func setTitle(_ title: String)
  /// Calls the attention of somebody who looks elsewhere. `text` is said where the terminal shows notifications of the
  /// desktop; without one, or elsewhere, the bell rings.
  func callAttention(_ text: String?)
  /// Has the terminal know a picture by the time of the next frame, and returns what to draw in its cells. Ask again
  /// whenever they are drawn: a picture that is not on the screen may be forgotten. nil where
  /// ``TerminalCapabilities/placesPictures`` isn't set, or the picture is too large. Where
  /// ``TerminalCapabilities/drawsPictures`` says how, one in that format is drawn while all of its cells are shown.
  func place(_ picture: PixelPicture) -> PicturePlacement?
  /// Has text drawn in this form from now on, whatever the terminal says.
  func use(_ form: TextForm)
  /// Whether the mouse is ours; otherwise it selects text, as it does without the program.
  var usesMouse: Bool { get set }
  /// What has been drawn so far.
  var statistics: TerminalStatistics { get }
  /// Forgets what it believes is shown, so that the next frame is sent whole.
  func redrawAll()
  /// Gives the terminal back until ``resume()``.
  func suspend()
  func resume()
  /// Gives the terminal back for good, as it was. Saying so twice does no harm.
  func stop()
}

extension TerminalDriver {
  public func place(_ picture: PixelPicture) -> PicturePlacement? { nil }
}

/// Told what the user and the terminal do.
@MainActor
public protocol TerminalDriverDelegate: AnyObject {
  /// `events` came together; one frame for all of them is enough.
  func terminalDriver(_ driver: any TerminalDriver, didReceive events: [TerminalEvent])
}

/// Why a terminal could not be taken over.
public enum TerminalError: Error, Hashable, Sendable {
  /// Input or output is no terminal.
  case notATerminal
  /// No description of this kind of terminal, nor of any in its place.
  case unknownKind(String)

  /// What failed and what to do.
  public var sentence: String {
    switch self {
    case .notATerminal: "Not a terminal. To print the timeline, run: qwinkle timeline public"
    case .unknownKind(let name):
      "Unknown terminal “\(name)”. Try TERM=xterm-256color qwinkle, or install ncurses-term."
    }
  }
}
