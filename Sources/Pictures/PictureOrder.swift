public import Terminal

/// A request to decode a picture in a certain form and size.
public struct PictureOrder: Hashable, Sendable {
  /// The characters to draw cells with, from coarse to fine.
  public enum Symbols: UInt8, Sendable {
    case halves, quadrants, sextants

    /// Names in chafa's syntax.
    var names: String {
      switch self {
      case .halves: "space+solid+half"
      case .quadrants: "space+solid+half+quad"
      case .sextants: "space+solid+half+quad+sextant"
      }
    }
  }

  public enum Form: UInt8, Sendable {
    /// Coloured characters.
    case cells = 1
    /// A PNG of the requested size, for terminals that can show pixels.
    case pixels
    /// A PNG with no more pixels than ``sixel`` allows, for terminals that must receive the PNG each time it is drawn.
    case file
    /// Sixels, with the exact number of pixels in the terminal cells that the picture occupies.
    case sixel
    /// A report of the child's permissions instead of a picture. For tests.
    case probe
    /// The picture's blurhash.
    case blurhash = 16
  }

  public var form: Form
  /// Available size in cells.
  public var room: Size
  /// Number of colours: 16, 256 or 1 << 24.
  public var colors: Int
  public var symbols: Symbols
  /// Whether the picture fills the room and is cropped to it, as avatars are.
  public var fills: Bool
  /// Size of a cell in pixels.
  public var cell: CellSize
  /// Magnification relative to the size that fits the room. Ignored if ``fills`` is true.
  public var zoom: PictureZoom

  public init(
    _ form: Form = .cells, room: Size, colors: Int = 1 << 24, symbols: Symbols = .quadrants, fills: Bool = false,
    cell: CellSize = .common, zoom: PictureZoom = .fit
  ) {
    self.form = form
    // The terminal scales PNGs to the room, but not sixels, so the room can't be larger than the largest sixel picture.
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

  /// Returns the size in pixels of a picture that occupies `size` cells. In the form ``Form/cells``, a cell counts as 8
  /// by 16 pixels; in other forms, a cell has as many pixels as in the terminal. Reduces the size if the picture would
  /// have too many pixels.
  func pixels(of size: Size) -> (width: Int, height: Int) {
    let cell = form == .cells ? .common : cell
    let (width, height) = (size.columns * cell.width, size.rows * cell.height)
    let most = form == .file ? SixelText.largestSide * SixelText.largestSide : Self.mostPixels
    guard width * height > most else { return (width, height) }
    let scale = (Double(most) / Double(width * height)).squareRoot()
    return (max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale)))
  }

  /// Number of pixels in a picture of the ``largest`` size with cells of 8 by 16 pixels.
  private static let mostPixels = 8 * 400 * 16 * 200

  /// Maximum size of a picture in cells.
  static let largest = Size(rows: 200, columns: 400)
}

/// The reason why a picture can't be shown.
public enum PictureError: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// The libraries are missing, the child can't be started, or the child's resource limits can't be set.
  case unavailable = 1
  /// The data isn't a picture, or the format isn't supported.
  case unknownKind
  /// The picture has too many pixels, or the file has too many bytes.
  case tooManyPixels
  /// The file is corrupt, or decoding needed too much memory.
  case damaged
  /// Decoding took too long, or the child crashed or sent an invalid answer.
  case failed

  /// A short description for the user.
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
