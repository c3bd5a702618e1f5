import Terminal

extension Window {
  /// Hands an event to the view under the pointer, or to the first around it that takes it. A drag stays with the view
  /// that took the press. Nothing below a sheet is reached.
  func route(_ event: MouseEvent) {
    switch event.kind {
    case .drag, .release:
      guard let view = draggedView else { return }
      _ = view.handle(event.moved(into: view))
      if event.kind == .release { draggedView = nil }
    case .press, .wheelUp, .wheelDown:
      let ground = topSheet?.view ?? rootViewController?.view
      guard let ground, let target = ground.hitTest(event.point) else { return }
      var view: View? = target
      while let current = view {
        if current.handle(event.moved(into: current)) {
          if event.kind == .press { draggedView = current }
          return
        }
        view = current === ground ? nil : current.superview
      }
    }
  }
}

extension View {
  fileprivate func handle(_ event: MouseEvent) -> Bool {
    switch event.kind {
    case .press: mouseDown(with: event)
    case .drag: mouseDragged(with: event)
    case .release: mouseUp(with: event)
    case .wheelUp, .wheelDown: scrollWheel(with: event)
    }
  }

  /// The innermost view that is seen at a place of the window; nil where that is not in this view.
  func hitTest(_ point: Point) -> View? {
    let origin = originInWindow
    guard !isHidden, Rect(origin: origin, size: frame.size).contains(point) else { return nil }
    // What was added last stands in front.
    for subview in subviews.reversed() {
      if let view = subview.hitTest(point) { return view }
    }
    return self
  }
}

extension MouseEvent {
  /// The same, with its place counted from the upper left corner of `view`.
  @MainActor
  fileprivate func moved(into view: View) -> MouseEvent {
    let origin = view.originInWindow
    return MouseEvent(
      kind, at: Point(row: point.row - origin.row, column: point.column - origin.column), modifiers)
  }
}
