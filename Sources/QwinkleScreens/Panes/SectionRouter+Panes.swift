import PaneKit
import PaneTrees
import QwinkleConfig
import QwinkleModel

/// The keys that arrange panes.
extension SectionRouter {
  /// Columns and rows by which a key changes a pane's size.
  private static let columnStep = 4
  private static let rowStep = 2
  /// If a split leaves fewer columns, the messages that Qwinkle arranged make room.
  private static let fewestSplitColumns = 40

  /// Splits the focused pane. If a place was opened in the pane, the place moves to the new pane. Otherwise the new
  /// pane shows the first section that isn't visible. The messages next to the section are closed if the panes would be
  /// too narrow.
  func split(along axis: PaneAxis) {
    let pane = panes.current
    var tree = panes.tree
    let new = newPane
    tree.split(pane, along: axis, with: new)
    if panes.showsMessages, pane == .main, panes.columns(of: new, in: tree) < Self.fewestSplitColumns {
      tree.remove(.messages)
    }
    guard mayArrange(tree) else { return screen.say(MainWords.noRoomForPane, .warning) }
    guard let content = contentForSplit(of: pane, as: new) else {
      return screen.say(MainWords.nothingForPane, .warning)
    }
    contents[new] = content
    if !tree.contains(.messages), panes.tree.contains(.messages) { close(.messages) }
    panes.arrange(tree, focusing: new)
    screen.setNeedsBars()
  }

  var newPane: PaneID { PaneID(number: (panes.tree.panes.map(\.number).max() ?? 0) + 1) }

  private func mayArrange(_ tree: PaneTree<PaneID>) -> Bool {
    tree.panes.count <= OwnLayout.mostPanes && panes.fits(tree)
  }

  private func contentForSplit(of pane: PaneID, as new: PaneID) -> PaneContent? {
    if let place = stack(of: pane).removeTop() { return .place(placeStack(root: place, in: new)) }
    let shown = panes.tree.panes.compactMap { contents[$0] }
    // Prefer the section after this one.
    let index = sections.firstIndex { contents[pane]?.isSection($0) == true } ?? -1
    let order = sections[(index + 1)...] + sections[..<(index + 1)]
    return order.first { section in !shown.contains { $0.isSection(section) } }.map { .section($0) }
  }

  /// Closes the focused pane.
  func closePane() {
    guard panes.tree.panes.count > 1 else { return screen.say(MainWords.isOnlyPane, .dim) }
    if panes.showsMessages, panes.current == .messages { return toggleMessages() }
    let pane = panes.current
    var tree = panes.tree
    let next = neighbor(of: pane)
    tree.remove(pane)
    arrange(tree, focusing: next)
  }

  /// Closes all panes but the focused one.
  func closeOtherPanes() {
    guard panes.tree.panes.count > 1 else { return screen.say(MainWords.isOnlyPane, .dim) }
    arrange(.pane(panes.current), focusing: panes.current)
  }

  /// Shows the panes of `tree` and closes all others.
  private func arrange(_ tree: PaneTree<PaneID>, focusing pane: PaneID) {
    for other in panes.tree.panes where !tree.contains(other) { close(other) }
    show(tree, focusing: pane)
  }

  /// Shows the panes of `tree`. If it has only a section, the panes follow the window's size again, with the messages
  /// hidden.
  func show(_ tree: PaneTree<PaneID>, focusing pane: PaneID) {
    if case .pane(let last) = tree, case .section(let section) = contents[last] {
      panes.automatic.wantsMessages = false
      arrangeAutomatically(section)
    } else {
      panes.arrange(tree, focusing: pane)
    }
    screen.setNeedsBars()
  }

  /// Closes all panes and arranges a section and the messages by the window's size.
  func arrangeAutomatically(_ section: Section) {
    for pane in panes.tree.panes { close(pane) }
    contents = [.main: .section(section), .messages: .section(.messages)]
    panes.arrange(nil, focusing: .main)
  }

  /// Exchanges the focused pane with the next one, or the last pane with the one before it.
  func swapPanes() {
    guard panes.tree.panes.count > 1 else { return screen.say(MainWords.isOnlyPane, .dim) }
    let pane = panes.current
    let other = neighbor(of: pane)
    var tree = panes.tree
    tree.swap(pane, other)
    panes.arrange(tree, focusing: pane)
  }

  func zoomPane() {
    guard panes.isZoomed || panes.showsSeveralStacks else { return screen.say(MainWords.isOnlyPane, .dim) }
    panes.toggleZoom()
    screen.setNeedsBars()
  }

  /// Enlarges the focused pane along `axis`, or shrinks it.
  func growPane(along axis: PaneAxis, larger: Bool) {
    let step = axis == .columns ? Self.columnStep : Self.rowStep
    panes.growCurrent(along: axis, by: larger ? step : -step)
  }

  /// Moves focus to the pane in a direction, or between a list and its detail.
  func moveFocus(toward direction: PaneDirection) {
    let pane = panes.focused.pane
    if direction.axis == .columns, pane.focusDetail(direction.isForward) { return screen.setNeedsBars() }
    if let other = panes.neighbor(toward: direction) { panes.focus(other) }
    screen.setNeedsBars()
  }

  /// Moves focus to the next pane, and from the last pane to the first.
  func focusNextPane() {
    let pane = panes.focused.pane
    if pane.focusDetail(true) { return screen.setNeedsBars() }
    let all = panes.tree.panes
    let index = all.firstIndex(of: panes.current) ?? 0
    let next = all[(index + 1) % all.count]
    if next == panes.current { _ = pane.focusDetail(false) } else { panes.focus(next) }
    screen.setNeedsBars()
  }

  /// Adds the messages to the user's arrangement, or closes them.
  func toggleOwnMessages() {
    if let pane = panes.tree.panes.first(where: { contents[$0]?.isSection(.messages) == true }) {
      guard panes.tree.panes.count > 1 else { return screen.say(MainWords.isOnlyPane, .dim) }
      var tree = panes.tree
      tree.remove(pane)
      return arrange(tree, focusing: panes.current == pane ? neighbor(of: pane) : panes.current)
    }
    let new = newPane
    let tree = PaneTree.split(.columns, share: 0.65, panes.tree, .pane(new))
    guard mayArrange(tree) else { return screen.say(MainWords.noRoomForPane, .warning) }
    contents[new] = .section(.messages)
    panes.arrange(tree, focusing: panes.current)
  }

  /// The next pane, or the previous one of the last pane.
  private func neighbor(of pane: PaneID) -> PaneID {
    let all = panes.tree.panes
    let index = all.firstIndex(of: pane) ?? 0
    return all[index + 1 < all.count ? index + 1 : max(0, index - 1)]
  }
}
