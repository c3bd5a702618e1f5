import Terminal

extension View {
  /// This view and those in it that are not hidden, from the first to the last.
  var shownViews: [View] {
    isHidden ? [] : [self] + subviews.flatMap { $0.shownViews }
  }

  /// Has everything in it, or all of one kind, said again.
  func forgetSaid(_ kind: LinearText.Kind? = nil) {
    if let kind { said[kind] = nil } else { said = [:] }
    for subview in subviews { subview.forgetSaid(kind) }
  }
}

extension Window {
  /// Whether what it shows is said in words, and nothing is ever out of view.
  var isLinear: Bool { application?.driver.capabilities.isLinear ?? false }
}
