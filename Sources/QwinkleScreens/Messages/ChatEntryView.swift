import PaneKit
import Terminal

/// The bottom of a chat: the text field, which grows with its text, and below it the files, the recipients and the
/// number of characters left. Small windows show only the files and the number, which is next to the text.
@MainActor
final class ChatEntryView: View {
  private static let sign = "› "
  private static let maximumRows = 6
  /// As wide as the messages above: their text and the five columns before it.
  private static let maximumColumns = ContentWidth.text + 5
  /// Chats with fewer rows don't show the recipients.
  private static let minimumRows = 8

  let editor = TextEditor()
  private let words = BarView()
  private let filesView = EntryFilesView()

  /// The files of the message.
  var files: [EntryAttachments.File] {
    get { filesView.files }
    set {
      filesView.files = newValue
      invalidateIntrinsicSize()
    }
  }

  /// Number of characters left, negative if the text is too long; nil if the text is too long to count.
  var remaining: Int? = 0 {
    didSet { if remaining != oldValue { updateWords() } }
  }
  /// Maximum number of characters.
  var limit = 0 {
    didSet { if limit != oldValue { updateWords() } }
  }
  /// The recipients of the text.
  var audience = "" {
    didSet { if audience != oldValue { updateWords() } }
  }

  override init() {
    super.init()
    // This context is searched before the editor's own keys, because Enter can be set to send the message.
    editor.keyContext = .chat
    addSubview(editor)
    addSubview(filesView)
    addSubview(words)
  }

  /// As tall as the text, up to ``maximumRows`` and a third of the chat. One more row below the text is for the
  /// recipients, except in narrow windows. In a chat with few rows, the whole view is one row.
  override func intrinsicSize(in room: Size) -> Size {
    let isCompact = isCompact(room.columns)
    let fileRows = min(filesView.rowCount, Self.maximumRows, room.rows / 3)
    guard isCompact || room.rows >= Self.minimumRows else { return Size(rows: 1 + fileRows, columns: room.columns) }
    let below = (isCompact ? 0 : 1) + fileRows
    let whole = Size(rows: room.rows, columns: room.columns)
    let rows = editor.rows(forColumns: layout(of: whole).frame(of: editor, in: whole).size.columns)
    return Size(rows: max(1, min(rows, Self.maximumRows, room.rows / 3)) + below, columns: room.columns)
  }

  private func isCompact(_ columns: Int) -> Bool { SizeClass(columns: columns) == .compact }

  override func draw(in canvas: Canvas) {
    canvas.write(Self.sign, row: 0, column: 1, role: .accent)
  }

  override func layout(in size: Size) -> Layout? { layout(of: size) }

  private func layout(of size: Size) -> Layout {
    let text = Layout.columns([.fixed(3): nil, .minimum(1): editor, .fixed(1): nil])
    let fileRows = min(filesView.rowCount, Self.maximumRows, max(0, size.rows - (size.rows < 4 ? 1 : 2)))
    let files = Layout.columns([.fixed(3): nil, .fill: filesView])
    if isCompact(size.columns) || size.rows - fileRows < 2 {
      let line = Layout.columns([.minimum(1): text, .fixed(11): Layout.rows([.fill: nil, .fixed(1): words])])
      return .rows([.fill: line, .fixed(fileRows): files])
    }
    let below = Layout.columns([.fixed(2): nil, .fill: words])
    let narrow = Layout.columns([.minimum(1, atMost: Self.maximumColumns): text])
    return .rows([.fill: narrow, .fixed(fileRows): files, .fixed(1): below])
  }

  override func updateProperties() {
    updateWords()
  }

  private func updateWords() {
    words.leading = audience.isEmpty || isCompact(frame.size.columns) ? [] : [.init(audience, .dim, priority: 1)]
    let role = EntryWords.role(ofRemaining: remaining)
    var count = BarView.Item(remaining.map { EntryWords.count($0, limit: limit) } ?? "–", role, priority: 2)
    count.shorterForms = remaining.map { [EntryWords.counter($0)] } ?? []
    words.trailing = [count]
  }
}
