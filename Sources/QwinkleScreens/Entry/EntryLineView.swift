import PaneKit
import Terminal

/// A line above an entry's text for one of its fields: a label and an editor.
@MainActor
final class EntryLineView: View {
  let editor = TextEditor(isSingleLine: true)
  /// The action that opens and closes the line.
  let action: Action
  /// Whether the line is shown even if it is empty.
  var isOpen = false
  private let label: Label

  init(_ label: String, placeholder: String, action: Action) {
    self.label = Label(TextRun("\(label)  ", .dim))
    self.action = action
    super.init()
    editor.label = label
    editor.placeholder = placeholder
    addSubview(self.label)
    addSubview(editor)
  }

  /// Whether the line has the keyboard focus.
  var hasKeys: Bool { window?.firstResponder === editor }

  override func layout(in size: Size) -> Layout? { .columns([.intrinsic: label, .minimum(1): editor]) }
}
