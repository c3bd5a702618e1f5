import Terminal

/// A stack of controllers, of which the top one is seen. `Content` is the type that they are known by: a dynamic cast
/// would cost more than all else that a stack does.
@MainActor
public final class NavigationController<Content>: ViewController {
  public private(set) var stack: [Content]

  /// Sent after another controller came to the top.
  public var didChangeTop = TargetActions()

  private let controller: @MainActor (Content) -> ViewController

  /// Who had the keys in each controller below the top.
  private var responders: [WeakResponder] = []

  private struct WeakResponder {
    weak var responder: Responder?
  }

  /// A stack with nothing but `root`. `controller` says which controller some content is: `{ $0 }`.
  public init(root: Content, controller: @escaping @MainActor (Content) -> ViewController) {
    stack = [root]
    self.controller = controller
    super.init()
    addChild(topController)
    preferredFirstResponder = topController.initialFirstResponder
  }

  /// All of the stack.
  override public var restorationChildren: [ViewController] { stack.map(controller) }

  override public func viewWillLayoutSubviews() {
    topController.view.frame = view.bounds
  }

  public var top: Content { stack[stack.count - 1] }

  private var topController: ViewController { controller(top) }

  /// Puts `content` on top and gives it the keys.
  public func push(_ content: Content) {
    responders.append(WeakResponder(responder: window?.rootResponder))
    topController.removeFromParent()
    stack.append(content)
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

  private func takeTop(responder: Responder?) {
    let top = topController
    addChild(top)
    view.setNeedsLayout()
    view.setNeedsDisplay()
    let responder = responder ?? top.initialFirstResponder
    preferredFirstResponder = responder
    if isOnScreen { window?.makeFirstResponder(responder) }
    didChangeTop.send()
  }
}
