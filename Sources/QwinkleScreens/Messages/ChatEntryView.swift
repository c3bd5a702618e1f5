import PaneKit
import Terminal

/// The foot of a chat: the text, its audience and how many characters are left. It grows with the text.
@MainActor
final class ChatEntryView: View {
  private static let sign = "› "
  private static let maximumRows = 6

  let editor = TextEditor()
  private let words = BarView()

  /// Characters left; below 0 the text is too long. Nil: too long to count.
  var remaining: Int? = 0 {
    didSet { if remaining != oldValue { updateWords() } }
  }

  override init() {
    super.init()
    // Before the editor's own keys: Enter may send.
    editor.keyContext = .chat
    addSubview(editor)
    addSubview(words)
  }

  /// The rows of the text, up to a third of the chat.
  override func intrinsicSize(in room: Size) -> Size {
    let rows = editor.rows(forColumns: layout(of: room).frame(of: editor, in: room).size.columns)
    return Size(rows: max(1, min(rows, Self.maximumRows, room.rows / 3)), columns: room.columns)
  }

  private func isCompact(_ columns: Int) -> Bool { SizeClass(columns: columns) == .compact }

  override func draw(in canvas: Canvas) {
    canvas.write(Self.sign, row: 0, column: 1, role: .accent)
  }

  override func layout(in size: Size) -> Layout? { layout(of: size) }

  private func layout(of size: Size) -> Layout {
    let foot = Layout.rows([.fill: nil, .fixed(1): words])
    return .columns([
      .fixed(3): nil, .minimum(1): editor, .fixed(1): nil, .fixed(isCompact(size.columns) ? 7 : 17): foot,
    ])
  }

  override func updateProperties() {
    updateWords()
  }

  private func updateWords() {
    words.trailing =
      (isCompact(frame.size.columns) ? [] : [.init(MessagesWords.visibility, .dim, priority: 1)])
      + [.init(remaining.map { EntryWords.counter($0) } ?? "–", EntryWords.role(ofRemaining: remaining), priority: 2)]
  }
}
