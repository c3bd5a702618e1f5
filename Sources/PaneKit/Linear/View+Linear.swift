import Terminal

extension View {
  /// This view and those in it that are not hidden, from the first to the last.
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
  /// Whether what it shows is said in words, and nothing is ever out of view.
  var isLinear: Bool { application?.driver.capabilities.isLinear ?? false }
}
