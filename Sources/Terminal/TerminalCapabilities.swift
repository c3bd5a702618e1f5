/// What a terminal draws on.
public enum TerminalBackground: String, Hashable, Sendable {
  case light
  case dark
}

/// How pictures are drawn over cells.
public enum PictureDrawing: Hashable, Sendable {
  case sixel
  /// iTerm2's protocol for files within text (OSC 1337).
  case file
}

/// What a terminal can do, chosen once at start and asked by the rest of the program. What the terminal answers later
/// is told with ``TerminalEvent/capabilities(_:)``.
public struct TerminalCapabilities: Hashable, Sendable {
  /// How many colours: 0 (monochrome), 8, 16, 256 or 1 << 24.
  public var colors: Int
  /// Whether a frame is sent so that the terminal shows it whole or not at all (mode 2026).
  public var synchronizesOutput = false
  /// Whether it says where the mouse is clicked and turned.
  public var reportsMouse = false
  /// Whether text can be put into its clipboard (OSC 52). It does not say whether it did.
  public var takesClipboard = false
  /// Whether its window has a title that can be set, and set back.
  public var hasTitle = false
  /// Whether text is only ever appended, line by line, as for a screen reader: see ``TerminalDriver/append(_:)``.
  public var isLinear = false
  /// Whether pictures in pixels can be placed among text: see ``TerminalDriver/place(_:)``.
  public var placesPictures = false
  /// How one picture in pixels is drawn over cells that nothing else changes; nil where that can't be done, as where
  /// the terminal hasn't said how large a cell is.
  public var drawsPictures: PictureDrawing?
  /// How large a cell is; nil where the terminal hasn't said.
  public var cellSize: CellSize?
  /// What it draws on; nil where it hasn't said.
  public var background: TerminalBackground?
  /// How it draws text.
  public var textForm = TextForm.unicode

  public init(colors: Int) {
    self.colors = colors
  }

  /// Whether pictures and colours look just as on a terminal with these.
  public func looks(like other: TerminalCapabilities) -> Bool {
    showsPictures(like: other) && background == other.background
  }

  /// Whether pictures are shown just as on a terminal with these.
  public func showsPictures(like other: TerminalCapabilities) -> Bool {
    placesPictures == other.placesPictures && drawsPictures == other.drawsPictures && cellSize == other.cellSize
  }
}
