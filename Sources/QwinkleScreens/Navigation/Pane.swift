public import PaneKit

/// An item of a section's stack: a screen, or a list with its detail, such as the thread of the selected qwink.
@MainActor
public protocol Pane: ViewController {
  /// The screen in it that has the keys.
  var front: any Screen { get }
  /// Its first screen.
  var main: any Screen { get }
  /// The titles on the way to what stands on top of it.
  var titles: [String] { get }
  /// Puts titles on the rules above its screens: the way there, which begins with `above`, the titles of the panes
  /// below it.
  func showTitles(above: [String])
  /// Whether list and detail are both seen.
  var isSideBySide: Bool { get }
  /// Whether the detail has something to show.
  var hasDetail: Bool { get }
  /// Shows `place` as the detail and gives it the keys. Returns false if it cannot be shown here.
  func openDetail(_ place: Place) -> Bool
  /// Gives the keys to the detail of the selected row. Returns false if it has them already, or there is none.
  func openDetail() -> Bool
  /// Goes back from the detail to the list. Returns false if that has the keys already.
  @discardableResult
  func closeDetail() -> Bool
  /// Shows the detail of the selected row, if that is the row of `screen` in this pane and there is room.
  func follow(_ screen: any Screen)
}

/// A screen that is a pane by itself.
extension Screen {
  public var front: any Screen { self }
  public var main: any Screen { self }
  public var titles: [String] { [title] }
  public func showTitles(above: [String]) { showTitle(above + [title]) }
  public var isSideBySide: Bool { false }
  public var hasDetail: Bool { true }
  public func openDetail(_ place: Place) -> Bool { false }
  public func openDetail() -> Bool { false }
  public func closeDetail() -> Bool { false }
  public func follow(_ screen: any Screen) {}
}

/// The panes of a section.
typealias PaneStack = NavigationController<any Pane>

extension PaneStack {
  /// `restored` makes the pane with an identifier, whose state it is given.
  convenience init(
    root: any Pane,
    restored: @escaping @MainActor (_ identifier: String, _ state: RestorableState) -> (any Pane)?
  ) {
    self.init(root: root, controller: { $0 }, restored: restored)
  }

  var panes: [any Pane] { stack }

  /// The visible pane.
  var pane: any Pane { top }
}
