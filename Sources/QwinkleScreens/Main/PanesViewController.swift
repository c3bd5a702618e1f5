import PaneKit
import QwinkleModel
import Terminal

/// The stack of the current section and, in wide windows, the direct messages next to it.
@MainActor
final class PanesViewController: ViewController {
  /// At this width a thread fits too, so the messages are shown unless the user hides them.
  private static let usualColumns = 200
  private static let usualSideColumns = 44...64
  private static let minimumSideColumns = 24

  private(set) var stack: PaneStack
  /// The stack of the direct messages, while they are shown.
  private(set) var side: PaneStack?

  /// Whether the messages can be shown next to the current section.
  var allowsSide = false {
    didSet { view.setNeedsUpdateProperties() }
  }

  /// Sent after the messages appear or disappear.
  var didChangeSide = TargetActions()

  private let makeSide: @MainActor () -> PaneStack?
  private let rule = RuleView(.vertical)
  /// Whether the user wants the messages; nil to show them in windows of at least `usualColumns`.
  var wantsSide: Bool?
  /// Whether to restore `wantsSide` from the last run. False if a setting determines it.
  var keepsSide = true
  /// Width of the messages after the user dragged the rule; nil for the usual width.
  private var sideColumns: Int?
  /// Whether the messages had keyboard focus when the program last quit.
  private var sideHadKeys = false

  /// Creates the controller with a section's stack. `makeSide` returns the stack of the messages each time they appear.
  init(_ stack: PaneStack, makeSide: @escaping @MainActor () -> PaneStack?) {
    self.stack = stack
    self.makeSide = makeSide
    super.init()
    restorationIdentifier = "panes"
    makesChildrenLater = true
    addChild(stack)
    view.addSubview(rule)
    rule.beginsInRule = true
    rule.isHidden = true
    rule.didDrag.add(self) { $0.moveRule(by: $0.rule.dragDistance) }
  }

  override var initialFirstResponder: Responder { stack.top.initialFirstResponder }

  /// The stack with keyboard focus, or the stack that regains it when sheets close.
  var focused: PaneStack {
    if let side, side.hasKeys == true { side } else { stack }
  }

  /// Replaces the section's stack and focuses it.
  func show(_ stack: PaneStack) {
    self.stack.removeFromParent()
    self.stack = stack
    addChild(stack)
    view.setNeedsLayout()
    window?.makeFirstResponder(initialFirstResponder)
  }

  func focusSection() {
    window?.makeFirstResponder(stack.pane.front.initialFirstResponder)
  }

  /// Whether more than one pane is visible.
  var showsSeveral: Bool { side != nil || stack.pane.isSideBySide }

  /// Moves keyboard focus to the pane on the right or left.
  func move(toNext next: Bool) {
    let pane = focused.pane
    if pane.isSideBySide, next ? pane.openDetail() : pane.closeDetail() { return }
    if focused === side {
      if !next { focusSection() }
    } else if next, let side {
      window?.makeFirstResponder(side.top.initialFirstResponder)
    }
  }

  // MARK: The side

  /// Whether the window is wide enough for the messages next to a section.
  var hasRoomForSide: Bool { SizeClass(columns: view.frame.size.columns) >= .extraWide }

  /// Shows or hides the messages.
  func toggleSide() {
    wantsSide = side == nil
    view.setNeedsUpdateProperties()
  }

  override func updateProperties() {
    let isWanted =
      allowsSide && hasRoomForSide && (wantsSide ?? (view.frame.size.columns >= Self.usualColumns))
    rule.isHidden = !isWanted
    guard isWanted != (side != nil) else { return }
    if isWanted { openSide() } else { closeSide() }
    view.setNeedsLayout()
    didChangeSide.send()
  }

  private func openSide() {
    guard let side = makeSide() else { return }
    self.side = side
    side.restorationIdentifier = "side"
    addChild(side)
    restoreChild(side)
    if sideHadKeys { window?.makeFirstResponder(side.top.initialFirstResponder) }
    sideHadKeys = false
  }

  private func closeSide() {
    let hadKeys = focused === side
    side?.removeFromParent()
    side = nil
    if hadKeys { focusSection() }
  }

  private func moveRule(by columns: Int) {
    guard let side else { return }
    sideColumns = side.view.frame.size.columns - columns
    view.setNeedsLayout()
    view.setNeedsDisplay()
  }

  override func layout(in size: Size) -> Layout? {
    guard let side else { return .layers([stack.view]) }
    let usual = min(
      max(size.columns * 3 / 10, Self.usualSideColumns.lowerBound), Self.usualSideColumns.upperBound)
    let columns = min(max(sideColumns ?? usual, Self.minimumSideColumns), size.columns / 2)
    return .columns([.fill: stack.view, .fixed(1): rule, .fixed(columns): side.view])
  }

  // MARK: State

  /// The main controller restores the stacks of the sections.
  override var restorationChildren: [ViewController] { side.map { [$0] } ?? [] }

  override func encodeRestorableState(with state: inout RestorableState) {
    state["side"] = wantsSide.map { $0 ? "shown" : "hidden" }
    state["side columns"] = sideColumns.map(String.init)
    state["keys"] = sideHadKeys || focused === side ? "side" : nil
  }

  override func decodeRestorableState(with state: RestorableState) {
    if keepsSide { wantsSide = state["side"].map { $0 == "shown" } }
    sideColumns = state["side columns"].flatMap { Int($0) }
    sideHadKeys = state["keys"] == "side"
    view.setNeedsUpdateProperties()
    view.setNeedsLayout()
  }
}
