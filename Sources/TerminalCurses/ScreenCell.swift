import CNcurses
public import Terminal

/// A cell of the screen as ncurses reports it.
public struct ScreenCell: Hashable, Sendable {
  public var text: String
  /// 1 or 2, or more for a cluster that the terminal draws as a whole. Such a cluster's text is only in its first
  /// column.
  public var columns: Int
  public var attributes: TextStyle.Attributes
  /// Number of the colour on this terminal, or -1 for the default.
  public var foreground: Int
  /// Number of the colour on this terminal, or -1 for the default.
  public var background: Int
  /// The address of the link that the cell is in, if the terminal supports links.
  public var link: String?
}

extension ScreenCell {
  init(_ cell: qw_cell) {
    text = Self.text(of: cell)
    columns = Int(cell.columns)
    attributes = TextStyle.Attributes(rawValue: UInt8(truncatingIfNeeded: cell.attributes))
    foreground = Int(cell.foreground)
    background = Int(cell.background)
  }

  private static func text(of cell: qw_cell) -> String {
    // Most cells have a single scalar.
    if cell.scalars.1 == 0 { return Unicode.Scalar(cell.scalars.0).map { String(Character($0)) } ?? "" }
    let scalars = [cell.scalars.0, cell.scalars.1, cell.scalars.2, cell.scalars.3, cell.scalars.4, cell.scalars.5]
    var text = ""
    for scalar in scalars.prefix(while: { $0 != 0 }) { Unicode.Scalar(scalar).map { text.unicodeScalars.append($0) } }
    return text
  }
}
