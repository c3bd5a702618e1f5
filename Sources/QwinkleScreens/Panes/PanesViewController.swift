import PaneKit
import QwinkleModel
import Terminal

/// Provides the content of panes.
@MainActor
protocol PanesDelegate: AnyObject {
  /// Returns the stack that a pane shows.
  func stack(of pane: PaneID) -> PaneStack
  /// Called after a pane's stack has become visible.
  func didShow(_ stack: PaneStack)
  func encodeContent(of pane: PaneID, into state: inout RestorableState)
  /// Restores a pane of the last run. Returns false if its content is malformed or no longer available.
  func restoreContent(of pane: PaneID, from state: RestorableState) -> Bool
}

/// The panes of the window: the arrangement of the user or, without one, of ``AutomaticPanes``.
@MainActor
final class PanesViewController: ViewController {
  /// The user's arrangement; nil to arrange the panes by the window's size.
  private(set) var ownTree: PaneTree<PaneID>?
  /// The panes that fit.
  private(set) var shownTree = PaneTree.pane(PaneID.main)
  /// The pane with keyboard focus, or the pane that regains it when sheets close.
  private(set) var current = PaneID.main
  /// Whether only the current pane is shown.
  private(set) var isZoomed = false

  /// Whether the messages can be shown next to the current section.
  var allowsMessages = false {
    didSet { view.setNeedsUpdateProperties() }
  }
  /// Whether to restore the choice to show the messages from the last run. False if a setting determines it.
  var restoresMessages = true
  var automatic = AutomaticPanes()
  /// Sent after panes appear or disappear.
  var didChangePanes = TargetActions()

  private unowned let delegate: any PanesDelegate
  /// The vertical lines, by the paths of their splits.
  private var rules: [[Bool]: RuleView] = [:]
  private let panesView = PanesView()
  /// The pane that had keyboard focus when the program last quit, until it is visible.
  private var restoredFocus: PaneID?

  init(delegate: any PanesDelegate) {
    self.delegate = delegate
    super.init(view: panesView)
    restorationIdentifier = "panes"
    makesChildrenLater = true
    addChild(delegate.stack(of: .main))
    panesView.border = { [weak self] point in
      self?.frames.borders.first { $0.axis == .rows && $0.frame.contains(point) }
    }
    panesView.move = { [weak self] in self?.move($0, by: $1) }
    panesView.didLayout = { [weak self] in self?.joinRules() }
  }

  override var initialFirstResponder: Responder { delegate.stack(of: current).top.initialFirstResponder }

  override func viewDidAppear() {
    window?.firstResponderDidChange.add(self) { $0.followKeys() }
  }

  override func viewDidDisappear() { window?.firstResponderDidChange.remove(self) }

  // MARK: Panes

  var isAutomatic: Bool { ownTree == nil }
  /// All panes, whether they fit or not.
  var tree: PaneTree<PaneID> {
    ownTree ?? (allowsMessages ? automaticPanes.tree(in: size) : .pane(.main))
  }
  var shownStacks: [PaneStack] { shownTree.panes.map(delegate.stack) }
  /// The stack with keyboard focus, or the stack that regains it when sheets close.
  var focused: PaneStack { delegate.stack(of: current) }
  /// Whether the messages are visible next to another section, as arranged automatically.
  var showsMessages: Bool { isAutomatic && shownTree.contains(.messages) }
  /// Whether more than one pane is visible.
  var showsSeveral: Bool { shownTree.panes.count > 1 || focused.pane.isSideBySide }
  var showsSeveralStacks: Bool { shownTree.panes.count > 1 }
  /// Whether the messages return when the detail is closed.
  var yieldsToDetail: Bool { isAutomatic && allowsMessages && automaticPanes.yieldsToDetail(in: size) }

  var size: Size { view.frame.size }
  private var frames: PaneFrames<PaneID> { shownTree.frames(in: size) }

  private func followKeys() {
    current = shownTree.panes.first { delegate.stack(of: $0).hasKeys == true } ?? current
  }

  /// Shows the panes of `tree`, or arranges them by the window's size if `tree` is nil. Focuses `pane`.
  func arrange(_ tree: PaneTree<PaneID>?, focusing pane: PaneID) {
    ownTree = tree
    isZoomed = false
    current = pane
    update()
    focus(pane)
  }

  /// Changes the user's arrangement. The automatic arrangement becomes the user's.
  func rearrange(focusing pane: PaneID? = nil, _ change: (inout PaneTree<PaneID>) -> Void) {
    var tree = tree
    change(&tree)
    arrange(tree, focusing: pane ?? current)
  }

  /// Focuses a pane. If the pane was hidden because another pane is zoomed, shows all panes.
  func focus(_ pane: PaneID) {
    current = pane
    if !shownTree.contains(pane) {
      isZoomed = false
      update()
    }
    window?.makeFirstResponder(delegate.stack(of: pane).pane.front.initialFirstResponder)
  }

  /// Call after `pane` shows another stack. Focuses the pane.
  func stackDidChange(in pane: PaneID) {
    current = pane
    update()
    window?.makeFirstResponder(delegate.stack(of: pane).top.initialFirstResponder)
  }

  func toggleZoom() {
    guard isZoomed || shownTree.panes.count > 1 else { return }
    isZoomed.toggle()
    update()
  }

  /// Shows or hides the messages next to the section, as arranged automatically.
  func toggleMessages() {
    let isShown = showsMessages
    automatic.wantsMessages = isShown || automatic.wantsMessages == false ? !isShown : nil
    if !isShown, yieldsToDetail { focused.pane.closeDetail() }
    view.setNeedsUpdateProperties()
  }

  /// Returns the visible pane in a direction, if any.
  func neighbor(toward direction: PaneDirection) -> PaneID? { frames.neighbor(of: current, toward: direction) }

  // MARK: Arranging

  private var automaticPanes: AutomaticPanes {
    var panes = automatic
    panes.isDetailOpen = delegate.stack(of: .main).pane.isDetailOpen
    return panes
  }

  private var wantedTree: PaneTree<PaneID> {
    let tree = tree
    if !tree.contains(current) { current = tree.panes[0] }
    // A compact window has room for one pane only.
    if isZoomed || SizeClass(columns: size.columns) == .compact { return .pane(current) }
    return tree.fitted(to: size, around: current)
  }

  override func updateProperties() { update() }

  private func update() {
    let hadKeys = hasKeys == true
    let former = shownTree
    shownTree = wantedTree
    let shown = shownStacks
    for child in children where !shown.contains(where: { $0 === child }) { child.removeFromParent() }
    for stack in shown where stack.parent !== self {
      addChild(stack)
      delegate.didShow(stack)
    }
    if let pane = restoredFocus, size.columns > 0 {
      restoredFocus = nil
      if shownTree.contains(pane) { focus(pane) }
    }
    if hadKeys, hasKeys != true { window?.makeFirstResponder(focused.pane.front.initialFirstResponder) }
    guard former != shownTree else { return }
    updateRules()
    view.setNeedsLayout()
    view.setNeedsDisplay()
    didChangePanes.send()
  }

  private func updateRules() {
    let paths = Set(frames.borders.filter { $0.axis == .columns }.map(\.path))
    for (path, rule) in rules where !paths.contains(path) {
      rule.removeFromSuperview()
      rules[path] = nil
    }
    for path in paths where rules[path] == nil {
      let rule = RuleView(.vertical)
      rule.beginsInRule = true
      rule.didDrag.add(self) { panes in
        guard let border = panes.frames.borders.first(where: { $0.path == path }) else { return }
        panes.move(border, by: rule.dragDistance)
      }
      rules[path] = rule
      view.addSubview(rule)
    }
  }

  /// Draws the vertical lines joined with the title rows of the panes next to them.
  private func joinRules() {
    let frames = frames
    for border in frames.borders {
      guard let rule = rules[border.path], border.axis == .columns else { continue }
      var crossings: [Int: RuleCrossing] = [:]
      for pane in frames.panes where pane.frame.origin.row > border.frame.origin.row {
        let row = pane.frame.origin.row - border.frame.origin.row
        let column = pane.frame.origin.column
        guard row < border.frame.size.rows else { continue }
        if column == border.frame.origin.column + 1 { crossings[row, default: []].insert(.right) }
        if column + pane.frame.size.columns == border.frame.origin.column { crossings[row, default: []].insert(.left) }
      }
      rule.crossings = crossings
    }
  }

  override func layout(in size: Size) -> Layout? {
    let frames = shownTree.frames(in: size)
    let panes = frames.panes.map { (delegate.stack(of: $0.pane).view as View, $0.frame) }
    return .placed(panes + frames.borders.compactMap { border in rules[border.path].map { ($0, border.frame) } })
  }

  // MARK: Sizes

  private func move(_ border: PaneBorder, by distance: Int) {
    resize { $0.move(border, by: distance, in: size) }
  }

  /// Lengthens the current pane, or shortens it if `distance` is negative.
  func growCurrent(along axis: PaneAxis, by distance: Int) {
    resize { $0.grow(current, along: axis, by: distance, in: size) }
  }

  func equalize() { resize { $0.equalize() } }

  private func resize(_ change: (inout PaneTree<PaneID>) -> Void) {
    var tree = shownTree
    change(&tree)
    if isAutomatic {
      let frame = tree.frames(in: size).frame(of: .messages)
      guard let frame else { return }
      if frame.size.columns < size.columns { automatic.columns = frame.size.columns }
      if frame.size.rows < size.rows { automatic.rows = frame.size.rows }
    } else if shownTree == ownTree {
      ownTree = tree
    } else {
      // Some panes don't fit, so the paths of the visible lines aren't the paths in the whole tree.
      return
    }
    shownTree = tree
    view.setNeedsUpdateProperties()
    view.setNeedsLayout()
    view.setNeedsDisplay()
  }

  // MARK: State

  /// The main controller restores the stacks.
  override var restorationChildren: [ViewController] { [] }

  override func encodeRestorableState(with state: inout RestorableState) {
    state["side"] = automatic.wantsMessages.map { $0 ? "shown" : "hidden" }
    state["side columns"] = automatic.columns.map(String.init)
    state["side rows"] = automatic.rows.map(String.init)
    let focus = restoredFocus ?? current
    state["keys"] = isAutomatic ? (focus == .messages ? "side" : nil) : String(focus.number)
    guard let ownTree else { return }
    state["tree"] = ownTree.map { String($0.number) }.text
    for pane in ownTree.panes { delegate.encodeContent(of: pane, into: &state) }
  }

  override func decodeRestorableState(with state: RestorableState) {
    if restoresMessages { automatic.wantsMessages = state["side"].map { $0 == "shown" } }
    automatic.columns = state["side columns"].flatMap { Int($0) }
    automatic.rows = state["side rows"].flatMap { Int($0) }
    ownTree = state["tree"].flatMap { restoredTree($0, state) }
    let focus = state["keys"].flatMap { Int($0) }.map(PaneID.init(number:))
    if let ownTree {
      current = focus.map { ownTree.contains($0) ? $0 : ownTree.panes[0] } ?? ownTree.panes[0]
    } else {
      restoredFocus = state["keys"] == "side" ? .messages : nil
    }
    view.setNeedsUpdateProperties()
    view.setNeedsLayout()
  }
  /// Returns the arrangement of the last run without panes that can't be restored.
  private func restoredTree(_ text: String, _ state: RestorableState) -> PaneTree<PaneID>? {
    guard let tree = try? PaneTree(text: text), Set(tree.panes).count == tree.panes.count else { return nil }
    var panes = tree.map { PaneID(number: Int($0) ?? -1) }
    for pane in panes.panes where pane.number < 0 || !delegate.restoreContent(of: pane, from: state) {
      guard panes.panes.count > 1 else { return nil }
      panes.remove(pane)
    }
    return panes
  }
}
