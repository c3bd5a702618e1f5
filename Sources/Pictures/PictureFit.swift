public import Terminal

/// How large a picture is in cells.
public enum PictureFit {
  /// The largest size within `room` that keeps the picture's proportions; at least one cell where there is room. In a
  /// room of that size the picture takes all columns.
  public static func size(width: Int, height: Int, in room: Size, cell: CellSize = .common) -> Size {
    guard width > 0, height > 0, room.rows > 0, room.columns > 0 else { return .zero }
    // In widths of a cell, so that both sides have the same unit.
    let rows = Double(room.rows) * cell.aspect
    let scale = min(Double(room.columns) / Double(width), rows / Double(height))
    let lines = min(room.rows, max(1, Int((Double(height) * scale / cell.aspect).rounded())))
    // By the rounded rows: fewer of them make a narrower picture.
    let columns = Double(lines) * cell.aspect * Double(width) / Double(height)
    return Size(rows: lines, columns: max(1, Int(min(Double(room.columns), columns.rounded()))))
  }
}
