import Terminal

extension View {
  /// This view and its visible descendants, in preorder.
  var shownViews: [View] {
    isHidden ? [] : [self] + subviews.flatMap { $0.shownViews }
  }

  func isDescendant(of other: View) -> Bool {
    var view: View? = self
    while let current = view, current !== other { view = current.superview }
    return view != nil
  }
}

extension Window {
  /// Whether the window is presented as text that is appended to the terminal's output. If so, lists don't scroll rows
  /// into view.
  var isLinear: Bool { application?.driver.capabilities.isLinear ?? false }
}
