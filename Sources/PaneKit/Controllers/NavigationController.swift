public import Terminal

/// A stack of controllers that shows its top one. `Content` is the type by which its owner knows them, which spares a
/// dynamic cast.
@MainActor
public final class NavigationController<Content>: ViewController {
  public private(set) var stack: [Content]

  /// Sent after another controller came to the top.
  public var didChangeTop = TargetActions()

  private let controller: @MainActor (Content) -> ViewController
  private let restored: @MainActor (String, RestorableState) -> Content?
  /// The identifiers of the controllers above the root at the end of the last run.
  private var keptIdentifiers: [String] = []

  /// The first responder of each controller below the top.
  private var responders: [WeakResponder] = []

  private struct WeakResponder {
    weak var responder: Responder?
  }

  /// A stack with nothing but `root`. `controller` returns the controller of some content: `{ $0 }`. At a start,
  /// `restored` makes the contents above the root again, by their restoration identifiers and the states of their
  /// controllers; nil ends the stack there.
  public init(
    root: Content, controller: @escaping @MainActor (Content) -> ViewController,
    restored: @escaping @MainActor (_ identifier: String, _ state: RestorableState) -> Content? = { _, _ in nil }
  ) {
    stack = [root]
    self.controller = controller
    self.restored = restored
    super.init()
    makesChildrenLater = true
    addChild(topController)
    preferredFirstResponder = topController.initialFirstResponder
  }

  override public func encodeRestorableState(with state: inout RestorableState) {
    for (index, child) in restorationChildren.enumerated().dropFirst() {
      state["\(index)"] = child.restorationIdentifier
    }
  }

  override public func decodeRestorableState(with state: RestorableState) {
    keptIdentifiers = []
    while let identifier = state["\(keptIdentifiers.count + 1)"] { keptIdentifiers.append(identifier) }
  }

  /// Waits for the root's state: the contents above it may be made of what it shows.
  override public func didRestoreChildren() {
    let hadKeys = window?.rootResponder?.chain.contains { $0 === self } ?? true
    for identifier in keptIdentifiers {
      guard let content = restored(identifier, keptState[identifier] ?? [:]) else { break }
      push(content, givesKeys: hadKeys)
      restoreChild(controller(content))
    }
    keptIdentifiers = []
    keptState = [:]
  }

  /// The root, and the controllers above it up to the first without an identifier.
  override public var restorationChildren: [ViewController] {
    [controller(stack[0])] + stack.dropFirst().map(controller).prefix { $0.restorationIdentifier != nil }
  }

  override public func layout(in size: Size) -> Layout? { .layers([topController.view]) }

  public var top: Content { stack[stack.count - 1] }

  private var topController: ViewController { controller(top) }

  /// Puts `content` on top and makes it first responder.
  public func push(_ content: Content) {
    push(content, givesKeys: true)
  }

  private func push(_ content: Content, givesKeys: Bool) {
    responders.append(WeakResponder(responder: givesKeys ? window?.rootResponder : nil))
    topController.removeFromParent()
    stack.append(content)
    takeTop(responder: nil, givesKeys: givesKeys)
  }

  /// Puts `content` in the place of what is on top, but for the root, and makes it first responder.
  public func replaceTop(with content: Content) {
    guard stack.count > 1 else { return push(content) }
    topController.removeFromParent()
    stack[stack.count - 1] = content
    takeTop(responder: nil)
  }

  /// Goes back to the controller below. Returns false on the root, which stays.
  @discardableResult
  public func pop() -> Bool {
    guard stack.count > 1 else { return false }
    topController.removeFromParent()
    stack.removeLast()
    takeTop(responder: responders.popLast()?.responder)
    return true
  }

  /// Goes back to the root.
  public func popToRoot() {
    guard stack.count > 1 else { return }
    topController.removeFromParent()
    stack.removeSubrange(1...)
    let responder = responders.first?.responder
    responders = []
    takeTop(responder: responder)
  }

  private func takeTop(responder: Responder?, givesKeys: Bool = true) {
    let top = topController
    addChild(top)
    view.setNeedsLayout()
    view.setNeedsDisplay()
    let responder = responder ?? top.initialFirstResponder
    preferredFirstResponder = responder
    if isOnScreen, givesKeys { window?.makeFirstResponder(responder) }
    didChangeTop.send()
  }
}
