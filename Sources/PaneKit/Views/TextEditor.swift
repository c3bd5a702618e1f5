public import Terminal

/// Text that is written: several lines, wrapped, with readline's keys, undo and paste.
@MainActor
public final class TextEditor: View {
  private var buffer: TextBuffer
  private var firstRow = 0
  private var hasUntoldChange = false

  /// Whether keys change the text.
  public var isEditable = true

  /// Who is told when the text changes.
  public var didChange = TargetActions()

  /// Whether it has one line only, which scrolls sideways out of view at its beginning.
  public let isSingleLine: Bool

  public init(isSingleLine: Bool = false) {
    self.isSingleLine = isSingleLine
    self.buffer = TextBuffer("", allowsNewlines: !isSingleLine)
    super.init()
    acceptsFirstResponder = true
    keyHandler = { [weak self] key in self?.take(key) ?? false }
    pasteHandler = { [weak self] text in self?.edit { $0.paste(text) } ?? false }
  }

  /// The text. Setting it puts the cursor at its end and forgets what could be undone.
  public var text: String {
    get { buffer.text }
    set {
      buffer = TextBuffer(newValue, allowsNewlines: !isSingleLine)
      buffer.moveCursor(to: buffer.count)
      firstRow = 0
      setNeedsDisplay()
    }
  }

  /// Rows that the text takes at a width.
  public func rows(forColumns columns: Int) -> Int {
    TextBufferLayout(buffer, columns: max(1, columns)).rows.count
  }

  /// Tells of changes at once, where that cannot wait for the next frame.
  public func tellChanges() {
    guard hasUntoldChange else { return }
    hasUntoldChange = false
    didChange.send()
  }

  override public var cursor: Point? {
    let position = textLayout.position(ofCursor: buffer.cursor)
    return Point(row: position.row - firstRow, column: min(position.column, max(0, frame.size.columns - 1)))
  }

  override public func layoutSubviews() {
    tellChanges()
    showCursor()
  }

  override public func draw(in canvas: Canvas) {
    let layout = textLayout
    for row in canvas.visibleRows where layout.rows.indices.contains(row + firstRow) {
      canvas.write(layout.text(ofRow: row + firstRow), row: row, column: 0)
    }
  }

  private var textLayout: TextBufferLayout { TextBufferLayout(buffer, columns: max(1, frame.size.columns)) }

  private func take(_ key: Key) -> Bool {
    if let command = TextCommand(key: key) {
      if command == .insertNewline, isSingleLine { return false }
      let before = buffer.count
      let columns = max(1, frame.size.columns)
      return edit {
        // Moving takes the cursor elsewhere and leaves the text.
        $0.perform(command, layoutWidth: columns) && ($0.count != before || command == .undo || command == .redo)
      }
    }
    if let character = key.typedCharacter { return edit { $0.insert(character) } }
    return false
  }

  /// Has `change` happen, which says whether the text is another now. What follows from it waits for the frame: many keys may
  /// come at once.
  private func edit(_ change: (inout TextBuffer) -> Bool) -> Bool {
    guard isEditable else { return true }
    if change(&buffer) { hasUntoldChange = true }
    setNeedsLayout()
    setNeedsDisplay()
    return true
  }

  private func showCursor() {
    let row = textLayout.position(ofCursor: buffer.cursor).row
    let rows = max(1, frame.size.rows)
    firstRow = min(max(firstRow, row - rows + 1), row)
  }
}
