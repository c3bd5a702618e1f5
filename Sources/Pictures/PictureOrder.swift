public import Terminal

/// What is wanted of a picture.
public struct PictureOrder: Hashable, Sendable {
  /// The characters that cells are drawn with, from coarse to fine.
  public enum Symbols: UInt8, Sendable {
    case halves, quadrants, sextants

    /// In chafa's words.
    var names: String {
      switch self {
      case .halves: "space+solid+half"
      case .quadrants: "space+solid+half+quad"
      case .sextants: "space+solid+half+quad+sextant"
      }
    }
  }

  public enum Form: UInt8, Sendable {
    /// Characters with colours.
    case cells = 1
    /// A PNG of the wanted size, for terminals that show pixels.
    case pixels
    /// The same of at most as many pixels as ``sixel``, for terminals that are sent it again and again.
    case file
    /// Sixels, in the very size of the terminal's cells.
    case sixel
    /// Nothing: tells what the child may do. For tests.
    case probe
    /// Its blurhash.
    case blurhash = 16
  }

  public var form: Form
  /// The room, in cells.
  public var room: Size
  /// 16, 256 or 1 << 24.
  public var colors: Int
  public var symbols: Symbols
  /// Whether the room is filled and what is beyond it cut off, as with avatars.
  public var fills: Bool
  /// How large a cell is.
  public var cell: CellSize
  /// How much larger it is drawn than what fits, where it doesn't fill its room.
  public var zoom: PictureZoom

  public init(
    _ form: Form = .cells, room: Size, colors: Int = 1 << 24, symbols: Symbols = .quadrants, fills: Bool = false,
    cell: CellSize = .common, zoom: PictureZoom = .fit
  ) {
    self.form = form
    // Sixels are as large as they are; all else is fitted into cells.
    let side = form == .sixel ? SixelText.largestSide : Int.max
    self.room = Size(
      rows: min(room.rows, Self.largest.rows, side / cell.height),
      columns: min(room.columns, Self.largest.columns, side / cell.width))
    self.colors = colors
    self.symbols = symbols
    self.fills = fills
    self.cell = cell
    self.zoom = zoom
  }

  /// The pixels of a picture of so many cells: as many as the finest characters can tell apart, or the terminal's own,
  /// fewer where these would be too many.
  func pixels(of size: Size) -> (width: Int, height: Int) {
    let cell = form == .cells ? .common : cell
    let (width, height) = (size.columns * cell.width, size.rows * cell.height)
    let most = form == .file ? SixelText.largestSide * SixelText.largestSide : Self.mostPixels
    guard width * height > most else { return (width, height) }
    let scale = (Double(most) / Double(width * height)).squareRoot()
    return (max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale)))
  }

  /// The pixels of the largest picture of common cells.
  private static let mostPixels = 8 * 400 * 16 * 200

  /// No picture is drawn larger.
  static let largest = Size(rows: 200, columns: 400)
}

/// Why there is no picture.
public enum PictureError: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// The libraries are missing, or the child doesn't start.
  case unavailable = 1
  /// It is no picture, or of a kind that isn't decoded.
  case unknownKind
  /// It has more pixels than are decoded.
  case tooManyPixels
  /// Its file is damaged, or it took too much memory.
  case damaged
  /// It took too long, or broke the child.
  case failed

  /// What is wrong, in a few words.
  public var sentence: String {
    switch self {
    case .unavailable: "pictures need libgd and libchafa"
    case .unknownKind: "not a picture that can be shown"
    case .tooManyPixels: "too many pixels"
    case .damaged: "damaged"
    case .failed: "cannot be decoded"
    }
  }
}
