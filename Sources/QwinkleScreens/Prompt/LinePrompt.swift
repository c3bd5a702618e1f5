public import PaneKit
import SafeText
public import Terminal

/// A prompt for a line of text at the foot of the screen. It has the keyboard focus until Enter or Esc.
@MainActor
public class LinePrompt: ViewController {
  static let maximumNoteRows = 8
  static let space = TextRun(" ", StyleRole.text)

  let editor: TextEditor
  let rule = RuleView()
  /// A message or hint next to the line.
  let note = BarView()
  private let sign = Label()
  private let entered: (@MainActor (String) -> Void)?

  /// Creates a prompt whose line begins with `sign` and `text`. When the user presses Enter, closes and calls `entered`
  /// with the text, which may be empty. Omit `entered` in a subclass that overrides ``accept()``.
  init(
    title: String, sign: [TextRun<StyleRole>], editor: TextEditor = TextEditor(isSingleLine: true), text: String = "",
    entered: (@MainActor (String) -> Void)? = nil
  ) {
    self.editor = editor
    self.entered = entered
    super.init()
    self.title = title
    self.sign.lines = [sign]
    editor.text = text
    for subview in [rule, note, self.sign, editor] { view.addSubview(subview) }
    preferredFirstResponder = editor
    // This context is searched before the editor's own keys, because Up, Down and ^P have other meanings here.
    editor.keyContext = .prompt
    on(.promptRun) { [weak self] in self?.accept() }
    on(.promptLeave) { [weak self] in self?.leave() }
  }

  /// Creates a prompt whose line begins with `sign`. `label` names the prompt in linear form. Backspace in an empty
  /// line closes the prompt.
  convenience init(sign: String, label: String, text: String = "", entered: @escaping @MainActor (String) -> Void) {
    self.init(title: label, sign: [Self.space, TextRun(sign, .key), Self.space], text: text, entered: entered)
    editor.label = label
    leaveOnBackspace()
  }

  /// Closes the prompt when the user presses Backspace in an empty line.
  final func leaveOnBackspace() { editor.didDeleteBackwardWhenEmpty.add(self) { $0.leave() } }

  // MARK: To override

  func accept() {
    editor.tellChanges()
    let words = editor.text.trimmed()
    dismiss()
    entered?(words)
  }

  func leave() { dismiss() }

  /// The row of the sign and the editor.
  var line: Layout { .columns([.intrinsic: sign, .minimum(1): editor]) }

  /// The rows of the prompt.
  var layout: Layout { .rows([.fixed(1): rule, .intrinsic(atMost: Self.maximumNoteRows): note, .fixed(1): line]) }

  override public func preferredSheetRows(in size: Size) -> Int { layout.intrinsicSize(in: size).rows }

  override public func layout(in size: Size) -> Layout? { layout }
}
