public import Terminal

/// A picture that is ready for the terminal.
public struct Picture: Hashable, Sendable {
  /// A cell: a character one column wide, and its colours.
  public struct Cell: Hashable, Sendable {
    public var character: Character
    public var style: TextStyle

    public init(_ character: Character, _ style: TextStyle) {
      self.character = character
      self.style = style
    }
  }

  /// In cells.
  public var size: Size
  /// Cells, row by row. Empty if the picture has ``pixels``.
  public var cells: [Cell]
  /// Pixels, if they were requested instead of cells.
  public var pixels: PixelPicture?
  /// The part of the whole picture that is shown.
  public var part = PicturePart.whole

  public init(size: Size, cells: [Cell] = []) {
    self.size = size
    self.cells = cells
  }

  init(_ pixels: PixelPicture) {
    size = pixels.size
    cells = []
    self.pixels = pixels
  }

  /// Returns the cells of a row, counted from 0. Returns no cells if the picture has ``pixels`` or fewer rows.
  public func row(_ row: Int) -> ArraySlice<Cell> {
    guard (row + 1) * size.columns <= cells.count else { return [] }
    return cells[(row * size.columns)..<((row + 1) * size.columns)]
  }

  /// Approximate memory use.
  public var byteCount: Int { cells.count * MemoryLayout<Cell>.stride + (pixels?.bytes.count ?? 0) }
}
