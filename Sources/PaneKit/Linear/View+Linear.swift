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
  /// Whether the window is presented as appended text, so nothing is ever out of view.
  var isLinear: Bool { application?.driver.capabilities.isLinear ?? false }
}
