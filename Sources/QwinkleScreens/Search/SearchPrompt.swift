import PaneKit
import Terminal

/// A row for the search text, and a row for a remark about the results. While the user types, most keys have no other
/// effect.
@MainActor
final class SearchPrompt: View {
  private static let sign = "/"
  private static let textColumn = 3

  let editor = TextEditor(isSingleLine: true)

  /// The text at the right end of the first row, such as the number of results.
  var note: [TextRun<StyleRole>] = [] {
    didSet {
      guard note != oldValue else { return }
      setNeedsLayout()
      setNeedsDisplay()
    }
  }

  /// The text in the second row, such as the source of the results.
  var remark: [TextRun<StyleRole>] = [] {
    didSet { if remark != oldValue { setNeedsDisplay() } }
  }

  /// - Parameters:
  ///   - entered: Called when Enter is pressed.
  ///   - left: Called when Esc is pressed.
  init(entered: @escaping @MainActor () -> Void, left: @escaping @MainActor () -> Void) {
    super.init()
    addSubview(editor)
    editor.label = SearchWords.field
    keyContext = .finding
    on(.findingGo, perform: entered)
    on(.findingLeave, perform: left)
  }

  /// Ignores keys that the editor doesn't handle, such as Tab, because they would do something else on the screen.
  /// Function keys and keys with Control still work.
  override func keyDown(_ key: Key) -> Bool {
    if case .function = key.code { return false }
    return !key.modifiers.contains(.control)
  }

  override var linearTexts: [LinearText] {
    [note, remark].filter { !$0.isEmpty }.map { LinearText(.status, [$0.map(\.text).joined()]) }
  }

  override func draw(in canvas: Canvas) {
    let hasKeys = window?.effectiveFirstResponder === editor
    canvas.write(Self.sign, row: 0, column: 1, role: hasKeys ? .key : .dim)
    canvas.write(note, row: 0, column: canvas.size.columns - 1 - noteColumns)
    canvas.write(remark, row: 1, column: Self.textColumn)
  }

  private var noteColumns: Int { note.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } }

  override func layout(in size: Size) -> Layout? {
    .rows([
      .fixed(1): Layout.columns([
        .fixed(Self.textColumn): nil, .minimum(1): editor, .fixed(noteColumns == 0 ? 1 : noteColumns + 2): nil,
      ]),
      .fill: nil,
    ])
  }
}
