public import Terminal

/// Computes the size of a picture in cells.
public enum PictureFit {
  /// Returns the largest size within `room` that preserves the picture's proportions. The size is at least one cell,
  /// unless the picture or `room` is empty. If the picture is fitted into a room of the returned size again, its width
  /// stays the same.
  public static func size(width: Int, height: Int, in room: Size, cell: CellSize = .common) -> Size {
    guard width > 0, height > 0, room.rows > 0, room.columns > 0 else { return .zero }
    // Height of the room in cell widths, so that both sides have the same unit.
    let rows = Double(room.rows) * cell.aspect
    let scale = min(Double(room.columns) / Double(width), rows / Double(height))
    let lines = min(room.rows, max(1, Int((Double(height) * scale / cell.aspect).rounded())))
    // Compute the columns from the rounded rows, so that the proportions match.
    let columns = Double(lines) * cell.aspect * Double(width) / Double(height)
    return Size(rows: lines, columns: max(1, Int(min(Double(room.columns), columns.rounded()))))
  }
}
