public import PaneKit
public import QwinkleModel

/// What stands in the stack of a section: a screen, or a list with the thread of what is selected in it.
@MainActor
public protocol Pane: ViewController {
  /// The screen in it that keys are about.
  var front: any Screen { get }
  /// The screen that it begins with.
  var main: any Screen { get }
  /// What the header says of it, in the order in which one came there.
  var titles: [String] { get }
  /// Gives the thread of `qwink` the keys. Returns false where it cannot be seen here.
  func openThread(of qwink: Qwink) -> Bool
  /// Goes back from a thread to the list. Returns false where the list has the keys already.
  @discardableResult
  func closeThread() -> Bool
}

/// A screen that stands there alone.
extension Screen {
  public var front: any Screen { self }
  public var main: any Screen { self }
  public var titles: [String] { [title] }
  public func openThread(of qwink: Qwink) -> Bool { false }
  public func closeThread() -> Bool { false }
}

/// What a section has shown, one after another.
typealias PaneStack = NavigationController<any Pane>

extension PaneStack {
  /// `restored` makes the pane that has an identifier.
  convenience init(root: any Pane, restored: @escaping @MainActor (_ identifier: String) -> (any Pane)?) {
    self.init(root: root, controller: { $0 }, restored: restored)
  }

  var panes: [any Pane] { stack }

  /// The one that is seen.
  var pane: any Pane { top }
}
