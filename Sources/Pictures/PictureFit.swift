public import Terminal

/// How large a picture is in cells.
public enum PictureFit {
  /// Cells are taken to be twice as high as they are wide.
  public static let cellHeight = 2

  /// The largest size within `room` that keeps the picture's proportions; at least one cell where there is room.
  public static func size(width: Int, height: Int, in room: Size) -> Size {
    guard width > 0, height > 0, room.rows > 0, room.columns > 0 else { return .zero }
    // In halves of a cell's height, so that both have the same unit.
    let rows = Double(room.rows * cellHeight)
    let scale = min(Double(room.columns) / Double(width), rows / Double(height))
    let columns = (Double(width) * scale).rounded()
    let halves = (Double(height) * scale / Double(cellHeight)).rounded()
    return Size(
      rows: min(room.rows, max(1, Int(halves))), columns: min(room.columns, max(1, Int(columns))))
  }
}
