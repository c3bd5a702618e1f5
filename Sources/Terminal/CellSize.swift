/// The size of a cell in pixels.
public struct CellSize: Hashable, Sendable {
  public let width: Int
  public let height: Int

  /// Returns nil for an implausible size. Some terminals report such sizes.
  public init?(width: Int, height: Int) {
    guard (2...128).contains(width), (4...256).contains(height) else { return nil }
    self.init(ofWidth: width, height: height)
  }

  private init(ofWidth width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Computes the cell size of a screen of `size` that is `width` by `height` pixels large. Ignores a margin of less
  /// than a cell.
  public init?(of size: Size, inWidth width: Int, height: Int) {
    guard size.columns > 0, size.rows > 0 else { return nil }
    self.init(width: width / size.columns, height: height / size.rows)
  }

  /// Assumed if the terminal doesn't report a size: twice as high as wide.
  public static let common = CellSize(ofWidth: 8, height: 16)

  /// Height divided by width.
  public var aspect: Double { Double(height) / Double(width) }
}
