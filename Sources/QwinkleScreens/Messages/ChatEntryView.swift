import PaneKit
import Terminal

/// The foot of a chat: where one writes, who reads it and how many characters are left. It grows with what is written.
@MainActor
final class ChatEntryView: View {
  private static let sign = "› "
  private static let maximumRows = 6

  let editor = TextEditor()
  private let words = BarView()

  /// Characters that are left; below 0 it is too long. Nil: so long that nobody counts it.
  var remaining: Int? = 0 {
    didSet { if remaining != oldValue { updateWords() } }
  }

  override init() {
    super.init()
    keyContext = .chat
    addSubview(editor)
    addSubview(words)
  }

  /// Rows that it would like in a chat of this size.
  func rows(in size: Size) -> Int {
    let rows = editor.rows(forColumns: editorColumns(size.columns))
    return max(1, min(rows, Self.maximumRows, size.rows / 3))
  }

  private func isCompact(_ columns: Int) -> Bool { SizeClass(columns: columns) == .compact }

  private func wordsColumns(_ columns: Int) -> Int { isCompact(columns) ? 7 : 17 }

  private func editorColumns(_ columns: Int) -> Int { max(1, columns - 4 - wordsColumns(columns)) }

  override func draw(in canvas: Canvas) {
    canvas.write(Self.sign, row: 0, column: 1, role: .accent)
  }

  override func layoutSubviews() {
    let size = frame.size
    editor.frame = Rect(row: 0, column: 3, rows: size.rows, columns: editorColumns(size.columns))
    let columns = min(size.columns, wordsColumns(size.columns))
    words.frame = Rect(row: size.rows - 1, column: size.columns - columns, rows: 1, columns: columns)
  }

  override func updateProperties() {
    updateWords()
  }

  private func updateWords() {
    words.trailing =
      (isCompact(frame.size.columns) ? [] : [.init("private", .dim, priority: 1)])
      + [.init(remaining.map(String.init) ?? "–", EntryWords.role(ofRemaining: remaining), priority: 2)]
  }
}
