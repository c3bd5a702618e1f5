import Terminal

extension Window {
  /// Routes an event to the view under the pointer. If the view doesn't handle the event, its superviews are tried,
  /// innermost first. Drags go to the view that handled the press. Views below a sheet receive no events.
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
    case .release: false
    case .wheelUp, .wheelDown: scrollWheel(with: event)
    }
  }

  /// Returns the innermost visible view at a point of the window, or nil if the point is outside this view.
  func hitTest(_ point: Point) -> View? {
    let origin = originInWindow
    guard !isHidden, Rect(origin: origin, size: frame.size).contains(point) else { return nil }
    // The last subview is in front.
    for subview in subviews.reversed() {
      if let view = subview.hitTest(point) { return view }
    }
    return self
  }
}

extension MouseEvent {
  /// Returns the event with coordinates relative to `view`.
  @MainActor
  fileprivate func moved(into view: View) -> MouseEvent {
    let origin = view.originInWindow
    return MouseEvent(
      kind, at: Point(row: point.row - origin.row, column: point.column - origin.column), modifiers)
  }
}
