import PaneKit
import PaneTrees
import Terminal

/// The panes that Qwinkle shows by itself: the current section and, in large windows, the messages.
struct AutomaticPanes {
  /// Whether the user wants the messages; nil to show them where they fit.
  var wantsMessages: Bool?
  /// Width of the messages after the user moved the line next to them.
  var columns: Int?
  /// Height of the messages below the section after the user moved the line above them.
  var rows: Int?
  /// Whether the section shows a detail that the user opened, such as a thread.
  var isDetailOpen = false

  private static let usualColumns = 38...64
  /// From this width on, a list and a thread fit next to the messages.
  private static let columnsForThree = SizeClass.extraWide.minimumColumns
  /// Columns that an opened thread and its list need, with the line next to them.
  private static let columnsForThread = ContentWidth.listAndThread + 1
  /// Size of the window from which the messages fit below the section.
  private static let minimumStack = Size(rows: 30, columns: 80)
  private static let usualRows = 8

  /// Whether the messages fit in a window.
  static func hasRoom(in window: Size) -> Bool {
    isBeside(in: window) || (window.rows >= minimumStack.rows && window.columns >= minimumStack.columns)
  }

  /// Whether the messages are next to the section instead of below it.
  private static func isBeside(in size: Size) -> Bool { SizeClass(columns: size.columns) >= .wide }

  /// Whether the open detail takes the room of the messages.
  func yieldsToDetail(in size: Size) -> Bool {
    isDetailOpen && wantsMessages != false && Self.isBeside(in: size) && size.columns < Self.columnsForThree
  }

  /// Returns the panes for a part of a window. A notice that makes the part smaller doesn't hide the messages.
  func tree(in size: Size, of window: Size) -> PaneTree<PaneID> {
    guard wantsMessages ?? true, Self.hasRoom(in: window), size.rows > 0, !yieldsToDetail(in: size) else {
      return .pane(.main)
    }
    let isBeside = Self.isBeside(in: size)
    let length = isBeside ? size.columns - 1 : size.rows
    let wanted = isBeside ? columns ?? usualColumns(in: size) : rows ?? Self.usualRows
    let rest = length - min(max(wanted, 1), length / 2)
    // The middle of a cell, so that rounding doesn't change the length.
    let share = (Double(rest) + 0.5) / Double(length)
    return .split(isBeside ? .columns : .rows, share: share, .pane(.main), .pane(.messages))
  }

  private func usualColumns(in size: Size) -> Int {
    let usual = min(max(size.columns * 3 / 10, Self.usualColumns.lowerBound), Self.usualColumns.upperBound)
    return size.columns < Self.columnsForThree ? usual : min(usual, size.columns - Self.columnsForThread)
  }
}
