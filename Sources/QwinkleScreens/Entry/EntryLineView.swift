import PaneKit
import Terminal

/// A field of an entry in one row: a label and an editor.
@MainActor
final class EntryLineView: EntryFieldView {
  let editor = TextEditor(isSingleLine: true)
  /// The text at the end of the row, if any.
  let note = Label()
  private let label: Label

  /// - Parameter columns: Minimum width of the label, which aligns the editors of several rows.
  init(_ label: String, placeholder: String, action: Action, labelColumns columns: Int = 0) {
    let space = String(repeating: " ", count: max(0, columns - DisplayWidth.columns(of: label)) + 2)
    self.label = Label(TextRun(label + space, .dim))
    super.init(action: action)
    editor.label = label
    editor.placeholder = placeholder
    editor.didChange.add(self) { $0.didChange.send() }
    for view in [self.label, editor, note] { addSubview(view) }
  }

  override var focusable: [View] { [editor] }
  override var isEmpty: Bool { editor.text.isEmpty }
  override func tellChanges() { editor.tellChanges() }

  override var isEditable: Bool {
    get { editor.isEditable }
    set { editor.isEditable = newValue }
  }

  override func layout(in size: Size) -> Layout? {
    // In a form, rows that don't fit have no columns.
    guard size.columns > 0 else { return .placed([]) }
    return .columns([.intrinsic: label, .minimum(1): editor, .intrinsic: note])
  }
}
