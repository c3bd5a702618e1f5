public import PaneKit
public import QwinkleModel

/// An item of a section's stack: a screen, or a list with the thread of its selected qwink.
@MainActor
public protocol Pane: ViewController {
  /// The screen in it that has the keys.
  var front: any Screen { get }
  /// Its first screen.
  var main: any Screen { get }
  /// Puts titles on the rules above its screens: the way there, which begins with `above`, the titles of the panes
  /// below it.
  func showTitles(above: [String])
  /// Makes the thread of `qwink` first responder. Returns false if it cannot be shown here.
  func openThread(of qwink: Qwink) -> Bool
  /// Goes back from a thread to the list. Returns false if that has the keys already.
  @discardableResult
  func closeThread() -> Bool
}

/// A screen that is a pane by itself.
extension Screen {
  public var front: any Screen { self }
  public var main: any Screen { self }
  public func showTitles(above: [String]) { showTitle(above + [title]) }
  public func openThread(of qwink: Qwink) -> Bool { false }
  public func closeThread() -> Bool { false }
}

/// The panes of a section.
typealias PaneStack = NavigationController<any Pane>

extension PaneStack {
  /// `restored` makes the pane with an identifier.
  convenience init(root: any Pane, restored: @escaping @MainActor (_ identifier: String) -> (any Pane)?) {
    self.init(root: root, controller: { $0 }, restored: restored)
  }

  var panes: [any Pane] { stack }

  /// The visible pane.
  var pane: any Pane { top }
}
