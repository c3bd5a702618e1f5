public import Terminal

/// A stack of controllers, of which the top one is seen. `Content` is the type that they are known by: a dynamic cast
/// would cost more than all else that a stack does.
@MainActor
public final class NavigationController<Content>: ViewController {
  public private(set) var stack: [Content]

  /// Sent after another controller came to the top.
  public var didChangeTop = TargetActions()

  private let controller: @MainActor (Content) -> ViewController
  private let restored: @MainActor (String) -> Content?
  /// The identifiers of what stood above the root at the end of the last run.
  private var keptIdentifiers: [String] = []

  /// Who had the keys in each controller below the top.
  private var responders: [WeakResponder] = []

  private struct WeakResponder {
    weak var responder: Responder?
  }

  /// A stack with nothing but `root`. `controller` says which controller some content is: `{ $0 }`. `restored` makes what
  /// stood above the root at the end of the last run, by its restoration identifier; nil where that cannot be.
  public init(
    root: Content, controller: @escaping @MainActor (Content) -> ViewController,
    restored: @escaping @MainActor (_ identifier: String) -> Content? = { _ in nil }
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

  /// Only now, as what stood above the root may come from what that shows.
  override public func didRestoreChildren() {
    let hadKeys = window?.rootResponder?.chain.contains { $0 === self } ?? true
    for identifier in keptIdentifiers {
      guard let content = restored(identifier) else { break }
      push(content, givesKeys: hadKeys)
      restoreChild(controller(content))
    }
    keptIdentifiers = []
    keptState = [:]
  }

  /// The root, and those above it that have an identifier, on screen or not.
  override public var restorationChildren: [ViewController] {
    [controller(stack[0])] + stack.dropFirst().map(controller).prefix { $0.restorationIdentifier != nil }
  }

  override public func layout(in size: Size) -> Layout? { .layers([topController.view]) }

  public var top: Content { stack[stack.count - 1] }

  private var topController: ViewController { controller(top) }

  /// Puts `content` on top and gives it the keys.
  public func push(_ content: Content) {
    push(content, givesKeys: true)
  }

  private func push(_ content: Content, givesKeys: Bool) {
    responders.append(WeakResponder(responder: givesKeys ? window?.rootResponder : nil))
    topController.removeFromParent()
    stack.append(content)
    takeTop(responder: nil, givesKeys: givesKeys)
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
