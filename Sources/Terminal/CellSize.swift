/// How large a cell of the screen is, in pixels.
public struct CellSize: Hashable, Sendable {
  public let width: Int
  public let height: Int

  /// nil for what no cell measures: terminals claim many things.
  public init?(width: Int, height: Int) {
    guard (2...128).contains(width), (4...256).contains(height) else { return nil }
    self.init(ofWidth: width, height: height)
  }

  private init(ofWidth width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// That of a screen of `size` in `width` by `height` pixels, a margin of less than a cell left out.
  public init?(of size: Size, inWidth width: Int, height: Int) {
    guard size.columns > 0, size.rows > 0 else { return nil }
    self.init(width: width / size.columns, height: height / size.rows)
  }

  /// What is taken where a terminal doesn't say: twice as high as wide.
  public static let common = CellSize(ofWidth: 8, height: 16)

  /// How many times as high as wide.
  public var aspect: Double { Double(height) / Double(width) }
}
