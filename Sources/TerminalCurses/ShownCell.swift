public import Terminal

/// A cell as ncurses believes a terminal shows it.
public struct ShownCell: Hashable, Sendable {
  public var text: String
  /// 1 or 2.
  public var columns: Int
  public var attributes: TextStyle.Attributes
  /// The colour's number on this terminal; -1 is the terminal's own.
  public var foreground: Int
  /// The colour's number on this terminal; -1 is the terminal's own.
  public var background: Int
}
