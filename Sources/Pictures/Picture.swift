public import Terminal

/// A picture as the terminal shows it.
public struct Picture: Hashable, Sendable {
  /// One cell: a character that is one column wide, and its colours.
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
  /// Row by row; empty if it comes as pixels.
  public var cells: [Cell]
  /// If it was ordered as pixels.
  public var pixels: PixelPicture?
  /// How much of the whole it shows.
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

  /// The cells of a row.
  public func row(_ row: Int) -> ArraySlice<Cell> {
    guard (row + 1) * size.columns <= cells.count else { return [] }
    return cells[(row * size.columns)..<((row + 1) * size.columns)]
  }

  /// Memory that it takes, about.
  public var byteCount: Int { cells.count * MemoryLayout<Cell>.stride + (pixels?.bytes.count ?? 0) }
}
