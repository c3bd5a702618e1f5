public import Terminal

/// A stack of controllers, of which only the top one is visible. `Content` is the type of the stack's elements. Code
/// that creates a navigation controller chooses this type, so that it can read the stack without dynamic casts.
@MainActor
public final class NavigationController<Content>: ViewController {
  public private(set) var stack: [Content]

  /// Sent after the top controller has changed.
  public var didChangeTop = TargetActions()

  private let controller: @MainActor (Content) -> ViewController
  private let restored: @MainActor (String, RestorableState) -> Content?
  /// Identifiers of the controllers above the root when the last run ended.
  private var restoredIdentifiers: [String] = []

  /// The responders to focus when the controllers below the top are shown again.
  private var responders: [WeakResponder] = []

  private struct WeakResponder {
    weak var responder: Responder?
  }

  /// Creates a stack that contains only `root`.
  ///
  /// - Parameter controller: Returns the controller of an element, or the element itself if it is a controller.
  /// - Parameter restored: Called at launch to recreate the elements above the root, from bottom to top, from their
  ///   restoration identifiers and states. Returning nil ends the stack there.
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
    restoredIdentifiers = []
    while let identifier = state["\(restoredIdentifiers.count + 1)"] { restoredIdentifiers.append(identifier) }
  }

  /// Restores the elements above the root. They are restored after the root, because they may depend on its state.
  override public func didRestoreChildren() {
    let hadKeys = hasKeys ?? true
    for identifier in restoredIdentifiers {
      guard let content = restored(identifier, restoredState[identifier] ?? [:]) else { break }
      push(content, givesKeys: hadKeys)
      restoreChild(controller(content))
    }
    restoredIdentifiers = []
    restoredState = [:]
  }

  /// The root and the controllers above it, up to but excluding the first one without a restoration identifier.
  override public var restorationChildren: [ViewController] {
    [controller(stack[0])] + stack.dropFirst().map(controller).prefix { $0.restorationIdentifier != nil }
  }

  override public func layout(in size: Size) -> Layout? { .layers([topController.view]) }

  public var top: Content { stack[stack.count - 1] }

  private var topController: ViewController { controller(top) }

  /// Pushes `content` and focuses its controller.
  public func push(_ content: Content) {
    push(content, givesKeys: true)
  }

  private func push(_ content: Content, givesKeys: Bool) {
    responders.append(WeakResponder(responder: givesKeys ? window?.rootResponder : nil))
    topController.removeFromParent()
    stack.append(content)
    takeTop(responder: nil, givesKeys: givesKeys)
  }

  /// Replaces the top with `content` and focuses its controller. If the top is the root, pushes `content` instead,
  /// because the root always stays.
  public func replaceTop(with content: Content) {
    guard stack.count > 1 else { return push(content) }
    topController.removeFromParent()
    stack[stack.count - 1] = content
    takeTop(responder: nil)
  }

  /// Pops the top controller. Returns false if it is the root.
  @discardableResult
  public func pop() -> Bool {
    guard stack.count > 1 else { return false }
    topController.removeFromParent()
    stack.removeLast()
    takeTop(responder: responders.popLast()?.responder)
    return true
  }

  /// Pops the top controller and returns it, for use in another stack. The root stays; for it, returns nil.
  public func removeTop() -> Content? {
    let content = top
    return pop() ? content : nil
  }

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
