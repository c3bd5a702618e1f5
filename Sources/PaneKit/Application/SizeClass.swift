/// A range of window widths, which determines how views are arranged.
public enum SizeClass: Hashable, Sendable, Comparable {
  /// Below 60 columns.
  case compact
  /// 60 to 119 columns: one pane, with back navigation.
  case regular
  /// From 120 columns: list and detail side by side.
  case wide

  public init(columns: Int) {
    self = columns < 60 ? .compact : columns < 120 ? .regular : .wide
  }
}
