public import Terminal

/// How large a picture is in cells.
public enum PictureFit {
  /// The largest size within `room` that keeps the picture's proportions; at least one cell where there is room.
  public static func size(width: Int, height: Int, in room: Size, cell: CellSize = .common) -> Size {
    guard width > 0, height > 0, room.rows > 0, room.columns > 0 else { return .zero }
    // In widths of a cell, so that both sides have the same unit.
    let rows = Double(room.rows) * cell.aspect
    let scale = min(Double(room.columns) / Double(width), rows / Double(height))
    let columns = (Double(width) * scale).rounded()
    let lines = (Double(height) * scale / cell.aspect).rounded()
    return Size(
      rows: min(room.rows, max(1, Int(lines))), columns: min(room.columns, max(1, Int(columns))))
  }
}
