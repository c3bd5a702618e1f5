import PaneKit
import Terminal

/// A view that records its events.
@MainActor
final class TestView: View {
  private(set) var keys: [Key] = []
  private(set) var mouseEvents: [MouseEvent] = []
  var takesWheel = true
  var text = ""
  /// Called for each mouse event with the view's name and the event's position.
  var note: (String) -> Void = { _ in }
  let name: String

  init(_ name: String = "", acceptsFirstResponder: Bool = false) {
    self.name = name
    super.init()
    self.acceptsFirstResponder = acceptsFirstResponder
  }

  override func draw(in canvas: Canvas) {
    canvas.write(text, row: 0, column: 0)
  }

  override func keyDown(_ key: Key) -> Bool {
    keys.append(key)
    return true
  }

  override func mouseDown(with event: MouseEvent) -> Bool {
    if acceptsFirstResponder { window?.makeFirstResponder(self) }
    return noted(event)
  }

  override func mouseDragged(with event: MouseEvent) -> Bool { noted(event) }

  override func scrollWheel(with event: MouseEvent) -> Bool {
    let isTaken = noted(event)
    return isTaken && takesWheel
  }

  private func noted(_ event: MouseEvent) -> Bool {
    mouseEvents.append(event)
    note("\(name) \(event.point.row) \(event.point.column)")
    return true
  }
}

extension ListView {
  /// Performs one update. Removed indices refer to the list before it, inserted ranges to the list after it.
  func update(removed: [Int] = [], inserted: [Range<Int>] = [], followsTop: Bool = false) {
    performBatchUpdates(followsTop: followsTop) {
      deleteItems(at: removed)
      for range in inserted { insertItems(at: range) }
    }
  }
}
