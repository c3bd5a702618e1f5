import PaneKit
import PaneTrees
import QwinkleModel
import Terminal

/// Provides the content of panes.
@MainActor
protocol PanesDelegate: AnyObject {
  /// Whether the messages can be next to the current section.
  var allowsMessages: Bool { get }
  /// Shows another layout if the configuration has one for this width.
  func followWidth(_ columns: Int)
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

  /// Whether to restore the choice to show the messages from the last run. False if a setting determines it.
  var restoresMessages = true
  var automatic = AutomaticPanes()
  /// Name of the layout that the width of the window chose last, if any.
  var widthLayout: String?
  /// Whether a pane of that layout could not be fetched. The next run tries again.
  var isWidthLayoutIncomplete = false
  /// Sent after panes appear or disappear.
  var didChangePanes = TargetActions()

  private unowned let delegate: any PanesDelegate
  /// The vertical lines, by the paths of their splits.
  private var rules: [[Bool]: RuleView] = [:]
  private let panesView = PanesView()
  /// The pane that had keyboard focus when the program last quit, until the panes are arranged.
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
    panesView.move = { [weak self] in self?.move($0, by: $1) ?? 0 }
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
    ownTree ?? (delegate.allowsMessages ? automaticPanes.tree(in: size, of: windowSize) : .pane(.main))
  }
  var shownStacks: [PaneStack] { shownTree.panes.map(delegate.stack) }
  /// Whether the user types into a text field of a pane.
  var isTyping: Bool { window?.rootResponder is TextEditor }
  /// The stack with keyboard focus, or the stack that regains it when sheets close.
  var focused: PaneStack { delegate.stack(of: current) }
  /// Whether the messages are visible next to another section, as arranged automatically.
  var showsMessages: Bool { isAutomatic && shownTree.contains(.messages) }
  /// Whether more than one pane is visible.
  var showsSeveral: Bool { showsSeveralStacks || focused.pane.isSideBySide }
  var showsSeveralStacks: Bool { shownTree.panes.count > 1 }
  /// Whether the messages return when the detail is closed.
  var yieldsToDetail: Bool { isAutomatic && delegate.allowsMessages && automaticPanes.yieldsToDetail(in: size) }

  private var size: Size { view.frame.size }
  /// The size of the window, which doesn't depend on the height of the bars.
  private var windowSize: Size { parent?.view.frame.size ?? size }
  /// Whether the messages fit next to a section.
  var hasRoomForMessages: Bool { AutomaticPanes.hasRoom(in: windowSize) }
  private var frames: PaneFrames<PaneID> { shownTree.frames(in: size) }

  private func followKeys() {
    current = shownTree.panes.first { delegate.stack(of: $0).hasKeys == true } ?? current
    // A layout for the window's width waits until the user leaves a text field.
    view.setNeedsUpdateProperties()
  }

  /// Shows the panes of `tree`, or arranges them by the window's size if `tree` is nil. Focuses `pane`.
  func arrange(_ tree: PaneTree<PaneID>?, focusing pane: PaneID) {
    ownTree = tree
    isZoomed = false
    current = pane
    update()
    if window?.topSheet == nil, delegate.stack(of: pane).hasKeys != true { focus(pane) }
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

  /// Whether all panes of `tree` are visible at the same time.
  func fits(_ tree: PaneTree<PaneID>) -> Bool { !isCompact && tree.fitted(to: size, around: current) == tree }

  /// Returns the width that a pane would have in `tree`.
  func columns(of pane: PaneID, in tree: PaneTree<PaneID>) -> Int {
    tree.frames(in: size).frame(of: pane)?.size.columns ?? 0
  }

  func toggleZoom() {
    isZoomed.toggle()
    update()
  }

  /// Shows or hides the messages next to the section, as arranged automatically.
  func toggleMessages() {
    isZoomed = false
    let isShown = showsMessages
    automatic.wantsMessages = isShown || automatic.wantsMessages == false ? !isShown : nil
    if !isShown, yieldsToDetail { focused.pane.closeDetail() }
    view.setNeedsUpdateProperties()
  }

  /// Returns the pane in a direction, if any. While a pane is zoomed, it has the neighbors that it has otherwise.
  func neighbor(toward direction: PaneDirection) -> PaneID? {
    tree.fitted(to: size, around: current).frames(in: size).neighbor(of: current, toward: direction)
  }

  // MARK: Arranging

  private var automaticPanes: AutomaticPanes {
    var panes = automatic
    panes.isDetailOpen = delegate.stack(of: .main).pane.isDetailOpen
    return panes
  }

  /// A compact window has room for one pane only.
  private var isCompact: Bool { SizeClass(columns: size.columns) == .compact }

  override func updateProperties() {
    delegate.followWidth(windowSize.columns)
    update()
  }

  private func update() {
    let hadKeys = hasKeys == true
    let former = shownTree
    let tree = tree
    if !tree.contains(current) { current = tree.panes[0] }
    shownTree = isZoomed || isCompact ? .pane(current) : tree.fitted(to: size, around: current)
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
        _ = panes.move(border, by: rule.dragDistance)
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

  /// Moves a visible border, and returns the distance that it moved.
  private func move(_ border: PaneBorder, by distance: Int) -> Int {
    // If some panes are hidden, the path of a visible border isn't its path in the whole tree.
    guard shownTree == tree else { return 0 }
    resize { $0.move(border, by: distance, in: size) }
    guard let moved = frames.borders.first(where: { $0.path == border.path })?.frame.origin else { return 0 }
    return moved.row - border.frame.origin.row
  }

  /// Lengthens the current pane, or shortens it if `distance` is negative.
  func growCurrent(along axis: PaneAxis, by distance: Int) {
    resize { $0.grow(current, along: axis, by: distance, in: size) }
  }

  func equalize() { resize { $0.equalize() } }

  private func resize(_ change: (inout PaneTree<PaneID>) -> Void) {
    var tree = tree
    let former = tree
    change(&tree)
    guard tree != former else { return }
    if isAutomatic {
      guard let frame = tree.frames(in: size).frame(of: .messages) else { return }
      if frame.size.columns < size.columns { automatic.columns = frame.size.columns }
      if frame.size.rows < size.rows { automatic.rows = frame.size.rows }
    } else {
      ownTree = tree
    }
    update()
  }

  // MARK: State

  /// The main controller restores the stacks.
  override var restorationChildren: [ViewController] { [] }

  override func encodeRestorableState(with state: inout RestorableState) {
    state["side"] = automatic.wantsMessages.map { $0 ? "shown" : "hidden" }
    state["side columns"] = automatic.columns.map(String.init)
    state["side rows"] = automatic.rows.map(String.init)
    state["layout"] = isWidthLayoutIncomplete ? nil : widthLayout
    let focus = restoredFocus ?? current
    state["keys"] = isAutomatic ? (focus == .messages ? "side" : nil) : String(focus.number)
    guard let ownTree else { return }
    state["tree"] = ownTree.map { String($0.number) }.text
    for pane in ownTree.panes { delegate.encodeContent(of: pane, into: &state) }
  }

  override func decodeRestorableState(with state: RestorableState) {
    if restoresMessages { automatic.wantsMessages = state["side"].map { $0 == "shown" } }
    widthLayout = state["layout"]
    automatic.columns = state["side columns"].flatMap { Int($0) }
    automatic.rows = state["side rows"].flatMap { Int($0) }
    ownTree = state["tree"].flatMap { restoredTree($0, state) }
    if let ownTree {
      let focus = state["keys"].flatMap { Int($0) }.map(PaneID.init(number:))
      current = focus.flatMap { ownTree.contains($0) ? $0 : nil } ?? ownTree.panes[0]
      restoredFocus = current
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
    let stacks = Set(panes.panes.map { ObjectIdentifier(delegate.stack(of: $0)) })
    return stacks.count == panes.panes.count ? panes : nil
  }
}
