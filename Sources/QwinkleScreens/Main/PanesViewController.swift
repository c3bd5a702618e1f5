import PaneKit
import QwinkleModel
import Terminal

/// The stack of the current section and, in wide windows, the direct messages beside it.
@MainActor
final class PanesViewController: ViewController {
  /// The narrowest window with room for both.
  static let minimumColumns = 160
  /// From here on a thread has room beside them too, so they are shown unless the reader hides them.
  private static let usualColumns = 200
  private static let usualSideColumns = 44...64
  private static let minimumSideColumns = 24

  /// The section's stack.
  private(set) var stack: PaneStack
  /// The stack of the direct messages, while they are shown.
  private(set) var side: PaneStack?

  /// Whether this section may have the messages beside it.
  var allowsSide = false {
    didSet { view.setNeedsUpdateProperties() }
  }

  /// Sent after the messages appear or disappear.
  var didChangeSide = TargetActions()

  private let makeSide: @MainActor () -> PaneStack?
  private let rule = RuleView(.vertical)
  /// Whether the reader wants the messages; nil: where there is room for a thread too.
  var wantsSide: Bool?
  /// Whether that is as it was left in the last run.
  var keepsSide = true
  /// The width the messages were dragged to; nil: the usual one.
  private var sideColumns: Int?
  /// Whether the messages had the keys at the end of the last run.
  private var sideHadKeys = false

  /// Shows `stack`. `makeSide` makes the stack of the messages each time they appear.
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

  /// The stack with the first responder, or the one that gets it back after the sheets.
  var focused: PaneStack {
    guard let side, window?.rootResponder?.chain.contains(where: { $0 === side }) == true else { return stack }
    return side
  }

  /// Shows another section's stack and makes it first responder.
  func show(_ stack: PaneStack) {
    self.stack.removeFromParent()
    self.stack = stack
    addChild(stack)
    view.setNeedsLayout()
    window?.makeFirstResponder(initialFirstResponder)
  }

  /// Makes the section first responder.
  func focusSection() {
    window?.makeFirstResponder(stack.pane.front.initialFirstResponder)
  }

  /// Whether more than one pane is seen.
  var showsSeveral: Bool { side != nil || stack.pane.isSideBySide }

  /// Makes the pane to the right or left first responder.
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

  /// Whether there is room for the messages beside a section.
  var hasRoomForSide: Bool { view.frame.size.columns >= Self.minimumColumns }

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

  /// The main controller keeps the stacks of the sections.
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
