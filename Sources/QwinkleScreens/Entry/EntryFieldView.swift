import PaneKit
import Terminal

/// A field above an entry's text, which opens and closes.
@MainActor
class EntryFieldView: View {
  /// The action that opens and closes the field.
  let action: Action
  /// Whether the field is shown even if it is empty.
  var isOpen = false {
    didSet {
      setNeedsLayout()
      setNeedsDisplay()
    }
  }
  /// Sent after the user has edited the field.
  final var didChange = TargetActions()

  init(action: Action) {
    self.action = action
    super.init()
  }

  /// The field's views that can have the keyboard focus, from top to bottom.
  var focusable: [View] { [] }
  var isEmpty: Bool { true }
  var isEditable = true
  func rowCount(forColumns columns: Int) -> Int { 1 }

  /// Sends a pending ``didChange``.
  func tellChanges() {}

  /// Called before the field closes and before the entry is sent.
  func commit() { tellChanges() }

  /// Focuses the view at which the user continues.
  func takeFocus() { focus(0) }

  /// The index of the focused view in ``focusable``.
  final var focusedIndex: Int? { focusable.firstIndex { window?.firstResponder === $0 } }

  /// Whether the field has the keyboard focus.
  final var hasKeys: Bool { focusedIndex != nil }

  /// Focuses the view at `index` in ``focusable``. Returns false if the index is out of range.
  @discardableResult
  final func focus(_ index: Int) -> Bool {
    guard focusable.indices.contains(index) else { return false }
    window?.makeFirstResponder(focusable[index])
    setNeedsLayout()
    return true
  }
}
