public import Terminal

/// Manages a view: fills it with content and handles its actions. Meant for subclassing, as in UIKit.
@MainActor
open class ViewController: Responder {
  /// The root of the controller's view hierarchy.
  public let view: View
  public private(set) weak var parent: ViewController?
  public private(set) var children: [ViewController] = []

  /// The screen's name in headers.
  public var title = ""

  /// The controller's component in the path of its saved state, after its ancestors' components. If nil, its own state
  /// isn't saved.
  public var restorationIdentifier: String?

  /// State that the controller's creator needs to recreate the controller at the next launch. Saved along with the
  /// controller's own state.
  public var restorationContext: RestorableState = [:]

  /// The responder to focus when the controller is shown. If nil, the controller's view is focused, or the controller
  /// itself if the view doesn't accept focus.
  public weak var preferredFirstResponder: Responder?

  public private(set) var isOnScreen = false

  /// Whether some restoration children don't exist yet when this controller is restored. They are passed to
  /// ``restoreChild(_:)`` after they have been created.
  public var makesChildrenLater = false

  /// States of restoration children that haven't been created yet.
  var restoredState: StateArchive = [:]

  public init(view: View = View()) {
    self.view = view
    super.init()
    view.controller = self
  }

  override open var nextResponder: Responder? { view.superview ?? parent ?? view.owningWindow }

  public var window: Window? { view.window }

  /// Whether this controller or a descendant is focused, or is focused again when all sheets are dismissed. Nil if the
  /// controller isn't in a window, or nothing is focused.
  public var hasKeys: Bool? { window?.rootResponder?.chain.contains { $0 === self } }

  // MARK: To override

  /// Called after the view has become visible: together with its parent, as a sheet, or because the view itself was
  /// shown, as in a split view. ``viewWillDisappear()`` and ``viewDidDisappear()`` are called when the view is hidden.
  /// The defaults do nothing.
  open func viewDidAppear() {}
  open func viewWillDisappear() {}
  open func viewDidDisappear() {}

  /// Updates the views' content before layout. Called like ``View/updateProperties()``. The default does nothing.
  open func updateProperties() {}

  /// Returns the layout of the view's subviews; see ``View/layout(in:)``. The default is nil.
  open func layout(in size: Size) -> Layout? { nil }

  /// Returns the preferred height as a sheet in a window of `size`. The default is half of the window.
  open func preferredSheetRows(in size: Size) -> Int { size.rows / 2 }

  /// Saves the controller's state for the next launch. ``decodeRestorableState(with:)`` restores it then. Both are
  /// called only if the controller has a ``restorationIdentifier``. The defaults do nothing.
  open func encodeRestorableState(with state: inout RestorableState) {}
  open func decodeRestorableState(with state: RestorableState) {}

  /// Called after the controller and its restoration children have been restored. The default does nothing.
  open func didRestoreChildren() {}

  /// Controllers whose state is saved along with this controller's, visible or not. The default is its children.
  open var restorationChildren: [ViewController] { children }

  /// The controller's text for a terminal that only appends text. Used only if the controller's view doesn't provide
  /// its own text.
  open var linearTexts: [LinearText] { [] }

  // MARK: Children and sheets

  /// Adds `child`, and its view to this controller's view.
  public func addChild(_ child: ViewController) {
    child.removeFromParent()
    child.parent = self
    children.append(child)
    view.addSubview(child.view)
    if isOnScreen { child.appear() }
  }

  public func removeFromParent() {
    guard let parent else { return }
    disappear()
    view.removeFromSuperview()
    parent.children.removeAll { $0 === self }
    self.parent = nil
  }

  /// Presents and focuses `sheet` at the bottom of the window.
  public func present(_ sheet: ViewController) {
    window?.present(sheet)
  }

  /// Dismisses this sheet and restores the previous first responder.
  public func dismiss() {
    window?.dismiss(self)
  }

  /// Calls ``appear()`` or ``disappear()`` on this controller and its children to match the visibility of their views.
  func updateAppearance() {
    guard isOnScreen == view.isInSight() else { return isOnScreen ? disappear() : appear() }
    for child in children { child.updateAppearance() }
  }

  func appear() {
    guard !isOnScreen, view.isInSight() else { return }
    assert(window?.isLayingOut != true, "controllers must not appear during layout")
    isOnScreen = true
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

  /// The responder to focus instead of a first responder that has been hidden. Nil if this controller's view isn't
  /// visible.
  var responderInSight: Responder? {
    guard view.isInSight() else { return nil }
    let first = initialFirstResponder
    if (first as? View ?? (first as? ViewController)?.view ?? view).isInSight() { return first }
    for child in children {
      if let responder = child.responderInSight { return responder }
    }
    return view.acceptsFirstResponder ? view : self
  }

  /// The responder that is focused when this controller is shown.
  open var initialFirstResponder: Responder {
    if let preferredFirstResponder { return preferredFirstResponder }
    return view.acceptsFirstResponder ? view : self
  }
}
