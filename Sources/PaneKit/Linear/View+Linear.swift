import Terminal

extension View {
  /// This view and its visible descendants, in preorder.
  var shownViews: [View] {
    var views: [View] = []
    forEachShownView { views.append($0) }
    return views
  }

  /// Calls `body` with this view and its visible descendants, in preorder.
  func forEachShownView(_ body: (View) -> Void) {
    guard !isHidden else { return }
    body(self)
    for subview in subviews { subview.forEachShownView(body) }
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
