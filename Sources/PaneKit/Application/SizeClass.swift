/// A range of widths, which determines how views are arranged.
public enum SizeClass: Hashable, Sendable, Comparable, CaseIterable {
  /// One pane, whose rows have two columns less of margin and show less.
  case compact
  /// One pane, with back navigation.
  case regular
  /// Two panes side by side, such as the conversations and a chat.
  case wide
  /// Three panes.
  case extraWide

  public init(columns: Int) {
    self = Self.allCases.last { $0.minimumColumns <= columns } ?? .compact
  }

  /// The width at which the class begins.
  public var minimumColumns: Int {
    switch self {
    case .compact: 0
    case .regular: 60
    case .wide: 100
    case .extraWide: 160
    }
  }
}
