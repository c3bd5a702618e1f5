public import Terminal

/// Manages a view: fills it, is its data source, performs its actions. Made to be subclassed, as in UIKit.
@MainActor
open class ViewController: Responder {
  /// The root of its views.
  public let view: View
  public private(set) weak var parent: ViewController?
  public private(set) var children: [ViewController] = []

  /// What the screen is called, for headers.
  public var title = ""

  /// Its part of the path under which its state is kept between runs, below those of the controllers around it; nil:
  /// its own state is not kept.
  public var restorationIdentifier: String?

  /// State that is saved before its own, by whoever made the controller: what it takes to make it again.
  public var restorationContext: RestorableState = [:]

  /// The first responder when the controller comes to the front; nil: its view, if that accepts it.
  public weak var preferredFirstResponder: Responder?

  public private(set) var isOnScreen = false

  /// Whether it makes some of its restoration children later, and hands them to ``restoreChild(_:)`` then.
  public var makesChildrenLater = false

  /// The state of restoration children that have not been made yet.
  var keptState: StateArchive = [:]

  public init(view: View = View()) {
    self.view = view
    super.init()
    view.controller = self
  }

  override open var nextResponder: Responder? { view.superview ?? parent ?? view.owningWindow }

  public var window: Window? { view.window }

  // MARK: To override

  /// The view has come on screen, or has left it: with its parent, as a sheet, or by being shown or hidden, as in a
  /// split view. The defaults do nothing.
  open func viewDidAppear() {}
  open func viewWillDisappear() {}
  open func viewDidDisappear() {}

  /// The window has another size, or the view came into a window. The default does nothing.
  open func traitsDidChange(_ traits: Traits) {}

  /// Brings what the views show up to date: the step before layout, called as ``View/updateProperties()`` is. The
  /// default does nothing.
  open func updateProperties() {}

  /// How the subviews of its view share the room; see ``View/layout(in:)``. The default is nil.
  open func layout(in size: Size) -> Layout? { nil }

  /// The rows it wants as a sheet in a window of `size`. The default is half of them.
  open func preferredSheetRows(in size: Size) -> Int { size.rows / 2 }

  /// Save the controller's state, and restore it at the next start. Both need ``restorationIdentifier``. The defaults
  /// do nothing.
  open func encodeRestorableState(with state: inout RestorableState) {}
  open func decodeRestorableState(with state: RestorableState) {}

  /// Called once the controller and its restoration children are restored. The default does nothing.
  open func didRestoreChildren() {}

  /// The controllers whose state is kept with this one's, on screen or not. The default is its children.
  open var restorationChildren: [ViewController] { children }

  /// The controller's text in linear form; ignored where its view has text of its own.
  open var linearTexts: [LinearText] { [] }

  // MARK: Children and sheets

  /// Adds `child`, with its view in `container`, by default this controller's view.
  public func addChild(_ child: ViewController, in container: View? = nil) {
    child.removeFromParent()
    child.parent = self
    children.append(child)
    (container ?? view).addSubview(child.view)
    if isOnScreen { child.appear() }
  }

  public func removeFromParent() {
    guard let parent else { return }
    disappear()
    view.removeFromSuperview()
    parent.children.removeAll { $0 === self }
    self.parent = nil
  }

  /// Shows `sheet` over the lower part of the window and gives it the keys.
  public func present(_ sheet: ViewController) {
    window?.present(sheet)
  }

  /// Removes this sheet. The former first responder gets the keys back.
  public func dismiss() {
    window?.dismiss(self)
  }

  /// Has this controller and its children appear or disappear as their views are seen.
  func updateAppearance() {
    guard isOnScreen == view.isInSight() else { return isOnScreen ? disappear() : appear() }
    for child in children { child.updateAppearance() }
  }

  func appear() {
    guard !isOnScreen, view.isInSight() else { return }
    assert(window?.isLayingOut != true, "controllers appear after layout")
    isOnScreen = true
    if let window { traitsChanged(window.traits) }
    viewDidAppear()
    for child in children { child.appear() }
  }

  func disappear() {
    guard isOnScreen else { return }
    viewWillDisappear()
    isOnScreen = false
    for child in children { child.disappear() }
    viewDidDisappear()
  }

  func traitsChanged(_ traits: Traits) {
    traitsDidChange(traits)
    for child in children { child.traitsChanged(traits) }
  }

  /// The visible responder that takes over when the first responder is hidden.
  var responderInSight: Responder? {
    guard view.isInSight() else { return nil }
    let first = initialFirstResponder
    if (first as? View ?? (first as? ViewController)?.view ?? view).isInSight() { return first }
    for child in children {
      if let responder = child.responderInSight { return responder }
    }
    return view.acceptsFirstResponder ? view : self
  }

  /// The first responder when this controller comes to the front.
  open var initialFirstResponder: Responder {
    if let preferredFirstResponder { return preferredFirstResponder }
    return view.acceptsFirstResponder ? view : self
  }
}
