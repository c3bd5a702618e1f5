/// A range of widths, which determines how views are arranged.
public enum SizeClass: Hashable, Sendable, Comparable, CaseIterable {
  /// Below 60 columns: only one pane is visible. Texts have smaller margins, and rows show less.
  case compact
  /// 60 to 99 columns: one pane, unless the user splits it.
  case regular
  /// 100 to 159 columns: two panes fit, such as a timeline and the messages.
  case wide
  /// From 160 columns: three panes fit, such as a timeline, a thread and the messages.
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
