import Terminal

/// A stack of controllers, of which the top one is seen.
@MainActor
public final class NavigationController: ViewController {
  public private(set) var stack: [ViewController]

  /// Told after another controller came to the top.
  public var didChangeTop: (@MainActor () -> Void)?

  /// Who had the keys in each controller below the top.
  private var responders: [WeakResponder] = []

  private struct WeakResponder {
    weak var responder: Responder?
  }

  public init(root: ViewController) {
    stack = [root]
    super.init()
    view.layout = { [weak self] size in self?.top.view.frame = Rect(origin: .zero, size: size) }
    addChild(root)
    preferredFirstResponder = root.initialFirstResponder
  }

  public var top: ViewController { stack[stack.count - 1] }

  /// Puts `controller` on top and gives it the keys.
  public func push(_ controller: ViewController) {
    responders.append(WeakResponder(responder: window?.rootResponder))
    top.removeFromParent()
    stack.append(controller)
    takeTop(responder: nil)
  }

  /// Goes back to the controller below. Returns false on the root, which stays.
  @discardableResult
  public func pop() -> Bool {
    guard stack.count > 1 else { return false }
    top.removeFromParent()
    stack.removeLast()
    takeTop(responder: responders.popLast()?.responder)
    return true
  }

  /// Goes back to the root.
  public func popToRoot() {
    guard stack.count > 1 else { return }
    top.removeFromParent()
    stack.removeSubrange(1...)
    let responder = responders.first?.responder
    responders = []
    takeTop(responder: responder)
  }

  private func takeTop(responder: Responder?) {
    addChild(top)
    view.setNeedsLayout()
    view.setNeedsDisplay()
    let responder = responder ?? top.initialFirstResponder
    preferredFirstResponder = responder
    if isOnScreen { window?.giveKeys(to: responder) }
    didChangeTop?()
  }
}
