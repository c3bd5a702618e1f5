import PaneKit
import Terminal

/// A line above an entry's text for one of its fields: a label, and what is written there.
@MainActor
final class EntryLineView: View {
  let editor = TextEditor(isSingleLine: true)
  /// What opens and closes it.
  let action: Action
  /// Whether it is shown even if nothing is written there.
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

  /// Whether one writes there.
  var hasKeys: Bool { window?.firstResponder === editor }

  override func layout(in size: Size) -> Layout? { .columns([.intrinsic: label, .minimum(1): editor]) }
}
