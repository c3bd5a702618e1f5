import PaneKit
import QwinkleAccount
import Terminal

/// The private messages beside the section, where the window has room for both, and the way of the keys from pane to
/// pane.
extension MainViewController {
  /// From so many columns on there is room for three panes.
  private static let minimumColumns = 160
  private static let sideColumns = 44...64
  private static let minimumSideColumns = 24

  /// The stack that has the keys.
  var focusedStack: PaneStack {
    guard let sideStack, keyHolder.chain.contains(where: { $0 === sideStack }) else { return stack }
    return sideStack
  }

  /// Shows the private messages beside the rest, or no longer.
  func toggleSidePane() {
    guard account.isSignedIn else { return say("Messages need an account: qwinkle login URL signs in.", .warning) }
    guard content.frame.size.columns >= Self.minimumColumns else {
      return say(
        "There is room for a second pane from \(Self.minimumColumns) columns on. 3 shows your messages.", .warning)
    }
    showsSidePane.toggle()
    view.setNeedsUpdateProperties()
    updateBars()
  }

  /// Opens or closes the side pane, as there is room for it.
  func updateSidePane() {
    let isWanted =
      showsSidePane && account.isSignedIn && section != .messages && view.frame.size.columns >= Self.minimumColumns
    if isWanted { openSidePane() } else { closeSidePane() }
    sideRule.isHidden = !isWanted
  }

  func arrangePanes(in size: Size) {
    var columns = size.columns
    if let sideStack {
      let usual = min(max(size.columns * 3 / 10, Self.sideColumns.lowerBound), Self.sideColumns.upperBound)
      let side = min(max(chosenSideColumns ?? usual, Self.minimumSideColumns), size.columns / 2)
      columns -= side + 1
      sideRule.frame = Rect(row: 0, column: columns, rows: size.rows, columns: 1)
      sideStack.view.frame = Rect(row: 0, column: columns + 1, rows: size.rows, columns: side)
    }
    stack.view.frame = Rect(row: 0, column: 0, rows: size.rows, columns: columns)
  }

  /// Moves the line between the section and the messages.
  func moveSideRule(by columns: Int) {
    guard let side = sideStack?.view.frame.size.columns else { return }
    chosenSideColumns = side - columns
    view.setNeedsLayout()
    content.setNeedsDisplay()
  }

  private func openSidePane() {
    guard sideStack == nil else { return }
    let side = PaneStack(root: factory.conversations(for: self))
    side.didChangeTop.add(self) { $0.updateBars() }
    sideStack = side
    addChild(side, in: content)
    view.setNeedsLayout()
  }

  private func closeSidePane() {
    guard let side = sideStack else { return }
    let hadKeys = focusedStack === side
    side.removeFromParent()
    sideStack = nil
    view.setNeedsLayout()
    if hadKeys { window?.makeFirstResponder(stack.pane.front.initialFirstResponder) }
  }

  /// Gives the keys to the pane at the right or the left.
  func moveToPane(next: Bool) {
    if focusedStack === sideStack {
      if !next { window?.makeFirstResponder(stack.pane.front.initialFirstResponder) }
    } else if !next {
      if isSideBySide { stack.pane.closeThread() }
    } else if !isSideBySide || !openSelectedThread() {
      moveToSidePane()
    }
    updateBars()
  }

  private var isSideBySide: Bool { (stack.pane as? ReadingViewController)?.isSideBySide ?? false }

  private func openSelectedThread() -> Bool {
    guard let qwink = stack.pane.main.selectedQwink else { return false }
    return stack.pane.openThread(of: qwink)
  }

  private func moveToSidePane() {
    guard let sideStack else { return }
    window?.makeFirstResponder(sideStack.top.initialFirstResponder)
  }
}
