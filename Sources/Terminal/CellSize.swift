/// The size of a cell in pixels.
public struct CellSize: Hashable, Sendable {
  public let width: Int
  public let height: Int

  /// Creates a cell size. Returns nil for an implausible size, which some terminals report.
  public init?(width: Int, height: Int) {
    guard (2...128).contains(width), (4...256).contains(height) else { return nil }
    self.init(ofWidth: width, height: height)
  }

  private init(ofWidth width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Computes the cell size of a screen from its size in cells and in pixels, rounded down, because the size in pixels
  /// may include a margin around the cells.
  public init?(of size: Size, inWidth width: Int, height: Int) {
    guard size.columns > 0, size.rows > 0 else { return nil }
    self.init(width: width / size.columns, height: height / size.rows)
  }

  /// The cell size that is assumed if the terminal doesn't report one: twice as high as wide.
  public static let common = CellSize(ofWidth: 8, height: 16)

  /// Height divided by width.
  public var aspect: Double { Double(height) / Double(width) }
}
