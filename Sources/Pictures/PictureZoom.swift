/// The visible part of a picture, in thousandths of its sides.
public struct PicturePart: Hashable, Sendable {
  public var left: Int
  public var top: Int
  public var width: Int
  public var height: Int

  public static let whole = PicturePart(left: 0, top: 0, width: 1000, height: 1000)

  var isValid: Bool {
    [left, top, width, height].allSatisfy { (0...1000).contains($0) } && width > 0 && height > 0
      && left + width <= 1000 && top + height <= 1000
  }
}

/// The magnification of a picture relative to the size that fits its room, and the center of the visible part.
public struct PictureZoom: Hashable, Sendable {
  /// Zoom steps in percent.
  private static let steps = [100, 150, 200, 300, 400, 600, 800, 1200, 1600]

  /// At least 100, at which the whole picture fits.
  public private(set) var percent: Int
  /// The center of the visible part, in thousandths of the picture's sides.
  public private(set) var column: Int
  public private(set) var row: Int

  /// The whole picture.
  public static let fit = PictureZoom(percent: 100, column: 500, row: 500)

  private init(percent: Int, column: Int, row: Int) {
    self.percent = percent
    self.column = column
    self.row = row
  }

  /// Whether the picture is larger than its room.
  public var isLarger: Bool { percent > 100 }
  public var isLargest: Bool { percent == Self.steps.last }

  /// The next larger step, or this zoom if it's the largest.
  public var larger: PictureZoom {
    PictureZoom(percent: Self.steps.first { $0 > percent } ?? percent, column: column, row: row)
  }

  /// The next smaller step. At 100 percent, the picture is centered.
  public var smaller: PictureZoom {
    let next = Self.steps.last { $0 < percent } ?? 100
    return next == 100 ? .fit : PictureZoom(percent: next, column: column, row: row)
  }

  public var whole: PictureZoom { .fit }

  /// Returns the zoom with its center moved by `columns` steps to the right and `rows` steps down. A step is a quarter
  /// of the visible `part`. The visible part stays within the picture.
  public func moved(columns: Int, rows: Int, from part: PicturePart) -> PictureZoom {
    func moved(_ middle: Int, _ length: Int, by steps: Int) -> Int {
      let half = (length + 1) / 2
      func within(_ middle: Int) -> Int { min(max(half, middle), 1000 - half) }
      return within(within(middle) + steps * max(1, length / 4))
    }
    return PictureZoom(
      percent: percent, column: columns == 0 ? column : moved(column, part.width, by: columns),
      row: rows == 0 ? row : moved(row, part.height, by: rows))
  }

  // MARK: Encoding

  /// The zoom encoded as two numbers.
  var numbers: (UInt32, UInt32) { (UInt32(percent), UInt32(column) | UInt32(row) << 16) }

  init?(_ first: UInt32, _ second: UInt32) {
    let (column, row) = (Int(second & 0xFFFF), Int(second >> 16))
    guard (100...1600).contains(first), (0...1000).contains(column), (0...1000).contains(row) else { return nil }
    self.init(percent: Int(first), column: column, row: row)
  }
}
