/// A terminal's background.
public enum TerminalBackground: String, Hashable, Sendable {
  case light
  case dark
}

/// A protocol for drawing pictures over cells.
public enum PictureDrawing: Hashable, Sendable {
  case sixel
  /// iTerm2's protocol for inline files (OSC 1337).
  case file
}

/// A terminal's capabilities, detected at startup. If the terminal later reports capabilities that change the look of
/// text, colours or pictures, the driver sends ``TerminalEvent/capabilities(_:)``.
public struct TerminalCapabilities: Hashable, Sendable {
  /// Number of colours that are drawn: 0 (monochrome), 8, 16, 256 or 1 << 24.
  public var colors: Int
  /// Whether the terminal reports mouse events.
  public var reportsMouse = false
  /// Whether text can be copied to the terminal's clipboard (OSC 52). This is inferred from the terminal's type, and
  /// terminals don't confirm that they have copied a text.
  public var takesClipboard = false
  /// Whether the title of the terminal's window can be set and restored.
  public var hasTitle = false
  /// Whether text is only appended, line by line, as for a screen reader: see ``TerminalDriver/append(_:)``.
  public var isLinear = false
  /// Whether pixel pictures can be placed in text: see ``TerminalDriver/place(_:)``.
  public var placesPictures = false
  /// The protocol for drawing pixel pictures over cells. A picture remains visible until its cells are written again.
  /// Nil if the terminal supports no such protocol, or if it hasn't reported the size of a cell.
  public var drawsPictures: PictureDrawing?
  /// The size of a cell, if reported.
  public var cellSize: CellSize?
  /// The background, if reported.
  public var background: TerminalBackground?
  /// The form in which the terminal draws text.
  public var textForm = TextForm.unicode

  public init(colors: Int) {
    self.colors = colors
  }

  /// Whether pictures and colours look the same with both sets of capabilities.
  public func looks(like other: TerminalCapabilities) -> Bool {
    showsPictures(like: other) && background == other.background
  }

  /// Whether pictures look the same with both sets of capabilities.
  public func showsPictures(like other: TerminalCapabilities) -> Bool {
    colors == other.colors && placesPictures == other.placesPictures && drawsPictures == other.drawsPictures
      && cellSize == other.cellSize
  }
}
