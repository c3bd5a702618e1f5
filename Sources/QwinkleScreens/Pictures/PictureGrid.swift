import PaneKit
import Pictures
import Terminal

/// The layout of several pictures as thumbnails: a pure function of their number and of the view's size.
struct PictureGrid: Hashable {
  /// A picture that would be smaller isn't recognizable.
  static let minimum = Size(rows: 4, columns: 14)
  /// In narrower views the pictures are in one column, if they fit.
  private static let columnsForTwo = 60
  private static let columnsForThree = 120
  /// One column is the bar of the selected picture, one is blank.
  private static let gap = Size(rows: 1, columns: 2)

  let columnCount: Int
  /// The areas of the pictures, in order.
  let rects: [Rect]

  /// Returns nil for fewer than two pictures, and if the pictures don't fit at their minimum size.
  init?(count: Int, in size: Size) {
    guard count > 1 else { return nil }
    let preferred =
      size.columns < Self.columnsForTwo ? 1 : count > 4 && size.columns >= Self.columnsForThree ? 3 : 2
    for columns in preferred...max(preferred, 4) {
      let rows = (count + columns - 1) / columns
      let each = Size(
        rows: (size.rows + Self.gap.rows) / rows - Self.gap.rows, columns: size.columns / columns - Self.gap.columns)
      guard each.columns >= Self.minimum.columns else { return nil }
      guard each.rows >= Self.minimum.rows else { continue }
      columnCount = columns
      rects = (0..<count).map { index in
        Rect(
          row: index / columns * (each.rows + Self.gap.rows),
          column: 1 + index % columns * (each.columns + Self.gap.columns), rows: each.rows, columns: each.columns)
      }
      return
    }
    return nil
  }

  /// Returns the index after a move from `index`. Moves beyond an edge do nothing. From the row above an incomplete
  /// last row, a move down selects the last picture.
  func index(from index: Int, columns: Int, rows: Int) -> Int {
    if columns != 0 {
      let next = index + columns
      return rects.indices.contains(next) ? next : index
    }
    let next = index + rows * columnCount
    if rects.indices.contains(next) { return next }
    let lastRow = (rects.count - 1) / columnCount
    return rows > 0 && index / columnCount < lastRow ? rects.count - 1 : index
  }
}

/// A picture of a ``PictureGrid``.
struct PictureThumbnail: Hashable {
  var rect: Rect
  /// The picture or its placeholder.
  var picture: Picture?
  /// Shown in place of a missing picture, or over a placeholder.
  var words: String
  /// Drawn in a corner, such as `▶ 1:24`.
  var mark: String
  var isSelected: Bool
}
