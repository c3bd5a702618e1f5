public import PaneKit

/// An item of a section's navigation stack: a screen, or a list with a detail, such as the thread of the selected
/// qwink.
@MainActor
public protocol Pane: ViewController {
  /// The pane's focused screen.
  var front: any Screen { get }
  /// The pane's first screen.
  var main: any Screen { get }
  /// The titles that this pane adds to the path shown by the panes opened from it.
  var titles: [String] { get }
  /// Shows the path in the title rows of the pane's screens. The path begins with `above`, the titles of the panes that
  /// this pane was opened from.
  func showTitles(above: [String])
  /// Whether list and detail are both visible.
  var isSideBySide: Bool { get }
  /// Whether the detail has content. True for a pane without a detail.
  var hasDetail: Bool { get }
  /// Shows `place` as the detail and focuses it. Returns false if the pane can't show it.
  func openDetail(_ place: Place) -> Bool
  /// Whether the user opened the detail and didn't close it. False if the detail is only a preview.
  var isDetailOpen: Bool { get }
  /// Closes the detail and returns to the list. Returns false if no detail is focused or open.
  @discardableResult
  func closeDetail() -> Bool
  /// Moves focus from the list to the visible detail, or back. Returns false if there is no such move.
  func focusDetail(_ isDetail: Bool) -> Bool
  /// Shows the detail of the selected row, if `screen` is in this pane and the detail is visible.
  func follow(_ screen: any Screen)
}

/// Defaults for a screen that is a pane by itself.
extension Screen {
  public var front: any Screen { self }
  public var main: any Screen { self }
  public var titles: [String] { [title] }
  public func showTitles(above: [String]) { showTitle(above + [title]) }
  public var isSideBySide: Bool { false }
  public var hasDetail: Bool { true }
  public func openDetail(_ place: Place) -> Bool { false }
  public var isDetailOpen: Bool { false }
  public func closeDetail() -> Bool { false }
  public func focusDetail(_ isDetail: Bool) -> Bool { false }
  public func follow(_ screen: any Screen) {}
}

/// The panes of a section.
typealias PaneStack = NavigationController<any Pane>

extension PaneStack {
  /// Creates a stack. At launch, `restored` recreates the panes above the root from their identifiers and saved states.
  convenience init(
    root: any Pane,
    restored: @escaping @MainActor (_ identifier: String, _ state: RestorableState) -> (any Pane)?
  ) {
    self.init(root: root, controller: { $0 }, restored: restored)
  }

  var panes: [any Pane] { stack }

  /// The visible pane.
  var pane: any Pane { top }

  /// Whether the root pane is visible and focused on its first screen, so that there is nothing to go back to.
  var isAtRoot: Bool { panes.count == 1 && pane.front === pane.main }
}
