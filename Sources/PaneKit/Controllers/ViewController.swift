public import Terminal

/// Looks after a view: fills it, is its data source, performs its actions.
@MainActor
open class ViewController: Responder {
  /// The root of its views.
  public let view: View
  public private(set) weak var parent: ViewController?
  public private(set) var children: [ViewController] = []

  /// What the screen is called, for headers.
  public var title = ""

  /// A name under which its state is kept between two runs; nil: it is not.
  public var restorationIdentifier: String?

  /// Gives what should be the same at the next start, and takes it up then. Both need ``restorationIdentifier``.
  public var encodeState: (@MainActor () -> [String: String])?
  public var restoreState: (@MainActor ([String: String]) -> Void)?

  /// Who should get keys when the controller comes to the front; nil: its view, where that accepts them.
  public weak var preferredFirstResponder: Responder?

  /// Rows that it would like as a sheet, given the room there is; nil: half of it.
  public var preferredSheetRows: (@MainActor (Size) -> Int)?

  /// Called as the view comes on screen and leaves it.
  public var didAppear: (@MainActor () -> Void)?
  public var didDisappear: (@MainActor () -> Void)?
  public var traitsDidChange: (@MainActor (Traits) -> Void)?

  public private(set) var isOnScreen = false

  public init(view: View = View()) {
    self.view = view
    super.init()
    view.controller = self
  }

  override open var nextResponder: Responder? { view.superview ?? parent ?? view.owningWindow }

  public var window: Window? { view.window }

  /// Takes `child` in: it is owned here, and its view stands in `container`, by default in this controller's view.
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

  /// Takes this sheet away. Keys go back to who had them.
  public func dismiss() {
    window?.dismiss(self)
  }

  func appear() {
    guard !isOnScreen else { return }
    isOnScreen = true
    if let window { traitsChanged(window.traits) }
    didAppear?()
    for child in children { child.appear() }
  }

  func disappear() {
    guard isOnScreen else { return }
    isOnScreen = false
    for child in children { child.disappear() }
    didDisappear?()
  }

  func traitsChanged(_ traits: Traits) {
    traitsDidChange?(traits)
    for child in children { child.traitsChanged(traits) }
  }

  /// Who should have the keys where those who had them are not seen any more.
  var responderInSight: Responder? {
    let first = initialFirstResponder
    guard let view = first as? View, let root = view.window?.rootView, !view.isInSight(below: root) else {
      return first
    }
    for child in children where !child.view.isHidden {
      if let responder = child.responderInSight { return responder }
    }
    return nil
  }

  /// Who gets the keys when this controller comes to the front.
  open var initialFirstResponder: Responder {
    if let preferredFirstResponder { return preferredFirstResponder }
    return view.acceptsFirstResponder ? view : self
  }
}
