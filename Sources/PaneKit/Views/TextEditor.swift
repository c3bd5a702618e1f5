import Dispatch
public import Terminal

/// An editor for text, on one line or several wrapped lines, with readline's keys, undo and paste.
@MainActor
public final class TextEditor: View {
  private var buffer: TextBuffer
  /// Rows for the two widths that were requested last.
  private var textRows: [TextRows] = []
  /// The last layout. Only rows that differ from it are drawn again.
  private var shown: (rows: TextRows, firstRow: Int)?
  private var firstRow = 0
  /// The first visible cluster of a single-line text.
  private var firstCluster = 0
  /// Parts of a long paste that aren't inserted yet, in reverse order.
  private var unpasted: [Substring] = []
  /// The whole text, cached because joining the clusters takes time.
  private var knownText: String?
  private var hasUntoldChange = false
  private var toldCursor = 0

  /// Whether the user can change the text.
  public var isEditable = true

  /// Sent after the text has been edited: before the next frame, or by ``tellChanges()``. Not sent after ``text`` has
  /// been set.
  public var didChange = TargetActions()

  /// Sent after the cursor moves. If the text changed too, ``didChange`` is sent first.
  public var didMoveCursor = TargetActions()

  /// Sent when the editor is no longer the first responder.
  public var didResign = TargetActions()

  /// Sent when Backspace is pressed in an empty text.
  public var didDeleteBackwardWhenEmpty = TargetActions()

  /// Called with each pasted text. Returns whether it has inserted the text, so that the editor doesn't.
  public var insertsPaste: (@MainActor (String) -> Bool)?

  /// Dimmed text shown while the editor is empty.
  public var placeholder = "" {
    didSet { if placeholder != oldValue { setNeedsDisplay() } }
  }

  /// The name of the field, announced in linear form (on terminals that only append text).
  public var label = ""

  /// Whether the editor has one line, which scrolls horizontally. Such an editor doesn't handle the keys for a newline
  /// or for moving up and down.
  public let isSingleLine: Bool

  public init(isSingleLine: Bool = false) {
    self.isSingleLine = isSingleLine
    self.buffer = TextBuffer(allowsNewlines: !isSingleLine)
    super.init()
    acceptsFirstResponder = true
  }

  /// The text. Setting it moves the cursor to the end and clears the undo history.
  public var text: String {
    get {
      finishPasting()
      let text = knownText ?? buffer.text
      knownText = text
      return text
    }
    set {
      unpasted = []
      knownText = nil
      buffer = TextBuffer(newValue, allowsNewlines: !isSingleLine, form: textForm)
      textRows = []
      shown = nil
      buffer.moveCursor(to: buffer.count)
      firstRow = 0
      firstCluster = 0
      toldCursor = buffer.cursor
      setNeedsLayout()
      setNeedsDisplay()
    }
  }

  /// Returns the first `count` characters, or the whole text if it is shorter. Faster than ``text`` for long texts.
  public func start(_ count: Int) -> String {
    finishPasting()
    return String(buffer.clusters.prefix(count))
  }

  /// The number of characters before the cursor.
  public var cursorPosition: Int {
    get {
      finishPasting()
      return buffer.cursor
    }
    set {
      finishPasting()
      if buffer.moveCursor(to: newValue) { cursorMayHaveMoved() }
    }
  }

  /// The cursor position and the length of the text, encoded for ``restoreCursor(_:)``.
  public var restorableCursor: String {
    let cursor = cursorPosition
    return "\(cursor)/\(buffer.count)"
  }

  /// Restores the cursor position, unless the length of the text has changed.
  public func restoreCursor(_ text: String?) {
    let numbers = (text ?? "").split(separator: "/").compactMap { Int($0) }
    if numbers.count == 2, numbers[1] == buffer.count { cursorPosition = numbers[0] }
  }

  public var textBeforeCursor: String {
    finishPasting()
    return String(buffer.clusters[..<buffer.cursor])
  }

  public var textAfterCursor: String {
    finishPasting()
    return String(buffer.clusters[buffer.cursor...])
  }

  /// Replaces the last `count` characters before the cursor with `text` and puts the cursor after it, as one undoable
  /// edit.
  public func replace(last count: Int, with text: String) {
    finishPasting()
    let cursor = buffer.cursor
    _ = edit { $0.replace(max(0, cursor - count)..<cursor, with: text) }
  }

  /// Replaces the whole text, as one undoable edit.
  public func replaceAll(with text: String) {
    finishPasting()
    _ = edit { $0.replace(0..<$0.count, with: text) }
  }

  /// Returns the number of rows that the text needs at a width.
  public func rows(forColumns columns: Int) -> Int {
    isSingleLine ? 1 : rows(of: buffer, columns: columns).rows.count
  }

  /// Sends a pending ``didChange`` now instead of before the next frame.
  public func tellChanges() {
    finishPasting()
    guard hasUntoldChange else { return }
    hasUntoldChange = false
    didChange.send()
  }

  override public var cursor: Point? {
    if isSingleLine {
      let last = max(0, frame.size.columns - 1)
      return Point(row: 0, column: columns(from: firstCluster, to: buffer.cursor, atMost: last))
    }
    let position = textLayout.position(ofCursor: buffer.cursor)
    return Point(row: position.row - firstRow, column: min(position.column, max(0, frame.size.columns - 1)))
  }

  override public func updateProperties() {
    // Notify targets only after the whole paste is inserted.
    guard !isPasting else { return }
    tellChanges()
    if buffer.cursor != toldCursor {
      toldCursor = buffer.cursor
      didMoveCursor.send()
    }
  }

  override public func layoutSubviews() {
    buffer.use(textForm)
    showCursor()
    if !isSingleLine { redrawChanges() }
  }

  private func redrawChanges() {
    let new = (rows: rows(of: buffer, columns: frame.size.columns), firstRow: firstRow)
    defer { shown = new }
    guard let shown, shown.firstRow == firstRow else { return setNeedsDisplay() }
    for row in bounds.rows where !new.rows.shows(row + firstRow, like: shown.rows, of: buffer) {
      setNeedsDisplay(rows: row..<(row + 1))
    }
  }

  override public func draw(in canvas: Canvas) {
    if buffer.isEmpty, !placeholder.isEmpty {
      canvas.write(placeholder, row: 0, column: 0, role: .dim)
      return
    }
    if isSingleLine {
      // Write one cluster more than fits, so that the canvas truncates the text with `…`.
      let shown = buffer.clusters[firstCluster...].prefix(canvas.size.columns + 1)
      canvas.write(String(shown), row: 0, column: 0)
      return
    }
    let layout = textLayout
    for row in canvas.visibleRows where layout.rows.indices.contains(row + firstRow) {
      canvas.write(layout.text(ofRow: row + firstRow), row: row, column: 0)
    }
  }

  /// The parts of the cursor's row before and after the cursor.
  var rowAtCursor: (before: String, after: String) {
    guard !isSingleLine else { return (textBeforeCursor, textAfterCursor) }
    let layout = textLayout
    let row = layout.rows[layout.position(ofCursor: buffer.cursor).row]
    let cursor = min(max(buffer.cursor, row.lowerBound), row.upperBound)
    return (
      String(buffer.clusters[row.lowerBound..<cursor]),
      String(buffer.clusters[cursor..<row.upperBound].filter { !$0.isNewline })
    )
  }

  private var textLayout: TextBufferLayout {
    TextBufferLayout(buffer, rows: rows(of: buffer, columns: frame.size.columns))
  }

  private func rows(of buffer: TextBuffer, columns: Int) -> TextRows {
    if let known = textRows.last(where: { $0.areOf(buffer, columns: columns) }) { return known }
    let old = textRows.last { $0.columns == max(1, columns) }
    let rows = TextRows(of: buffer, columns: columns, reusing: old)
    textRows.removeAll { $0.columns == rows.columns }
    textRows = textRows.suffix(1) + [rows]
    return rows
  }

  /// Whether the editor handles `key`.
  public func takes(_ key: Key) -> Bool {
    guard let command = TextCommand(key: key) else { return key.typedCharacter != nil }
    return !isSingleLine || ![.insertNewline, .moveUp, .moveDown].contains(command)
  }

  override public func keyDown(_ key: Key) -> Bool {
    guard takes(key) else { return false }
    finishPasting()
    if TextCommand(key: key) == .deleteBackward, buffer.isEmpty {
      didDeleteBackwardWhenEmpty.send()
      // A target may have set another text, of which the key deletes nothing.
      return true
    }
    if let command = TextCommand(key: key) {
      let before = buffer.count
      let columns = max(1, frame.size.columns)
      return edit {
        // `perform` also returns true for moving the cursor, which doesn't change the text.
        $0.perform(command, rows: { rows(of: $0, columns: columns) })
          && ($0.count != before || command == .undo || command == .redo)
      }
    }
    if let character = key.typedCharacter { return edit { $0.insert(character) } }
    return false
  }

  /// Pastes `text`. A large paste needs confirmation, because it may have been intended for another window.
  override public func pasteText(_ text: String) -> Bool {
    let size = PasteSize(text)
    guard isEditable, size.isLarge, let application = window?.application, let delegate = application.pasteDelegate
    else {
      insert(text)
      return true
    }
    delegate.application(application, confirmPasteOf: size) { [weak self] in self?.insert(text) }
    return true
  }

  /// Whether parts of a long paste aren't inserted yet.
  var isPasting: Bool { !unpasted.isEmpty }

  /// Inserts `text`. A long text is inserted in parts, one per turn of the main queue, so that the program stays
  /// responsive. If the text is read or the user types before the last part, the rest is inserted first.
  private func insert(_ text: String) {
    finishPasting()
    if let insertsPaste, insertsPaste(text) { return }
    unpasted = PasteParts.parts(of: text).reversed()
    insertPart(isFirst: true)
    insertSoon()
  }

  private func insertPart(isFirst: Bool) {
    guard let part = unpasted.popLast() else { return }
    _ = edit { $0.paste(String(part), continues: !isFirst) }
  }

  private func insertSoon() {
    guard isPasting else { return }
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated {
        self?.insertPart(isFirst: false)
        self?.insertSoon()
      }
    }
  }

  private func finishPasting() {
    while isPasting { insertPart(isFirst: false) }
  }

  /// Performs `change`, which returns whether the text changed. Returns true, because the editor has handled the key
  /// even if it isn't editable. Many keys may arrive at once, so targets are notified only before the next frame.
  private func edit(_ change: (inout TextBuffer) -> Bool) -> Bool {
    guard isEditable else { return true }
    buffer.use(textForm)
    if change(&buffer) {
      hasUntoldChange = true
      knownText = nil
    }
    cursorMayHaveMoved()
    return true
  }

  private func cursorMayHaveMoved() {
    setNeedsUpdateProperties()
    setNeedsLayout()
    // In a text of several lines, layout finds the rows that must be drawn again.
    if isSingleLine { setNeedsDisplay() }
  }

  override public func didResignFirstResponder() { didResign.send() }

  /// Moves the cursor to the clicked position.
  override public func mouseDown(with event: MouseEvent) -> Bool {
    window?.makeFirstResponder(self)
    finishPasting()
    if isSingleLine {
      var cursor = firstCluster
      var reached = 0
      while cursor < buffer.count {
        reached += buffer.measures[cursor].columns
        if reached > event.point.column { break }
        cursor += 1
      }
      buffer.moveCursor(to: cursor)
    } else {
      buffer.moveCursor(to: textLayout.cursor(atRow: event.point.row + firstRow, column: event.point.column))
    }
    cursorMayHaveMoved()
    return true
  }

  private func showCursor() {
    if isSingleLine { return showCursorInLine() }
    let layout = textLayout
    let row = layout.position(ofCursor: buffer.cursor).row
    let rows = max(1, frame.size.rows)
    // Scroll back rather than leave empty rows at the end.
    firstRow = min(max(firstRow, row - rows + 1), row, max(0, layout.rows.count - rows))
  }

  /// Scrolls a single line so that the cursor and as much text as possible are visible. A line may be long, so only
  /// text that may be visible is measured.
  private func showCursorInLine() {
    let room = max(1, frame.size.columns) - 1
    firstCluster = min(firstCluster, buffer.cursor)
    // Find the text that fits before the cursor.
    var earliest = buffer.cursor
    var used = 0
    while earliest > firstCluster, used + buffer.measures[earliest - 1].columns <= room {
      earliest -= 1
      used += buffer.measures[earliest].columns
    }
    firstCluster = earliest
    // Scroll back rather than leave empty columns at the end.
    var shown = columns(from: firstCluster, to: buffer.count, atMost: room + 1)
    while firstCluster > 0, shown + buffer.measures[firstCluster - 1].columns <= room {
      firstCluster -= 1
      shown += buffer.measures[firstCluster].columns
    }
  }

  /// Returns the width of a range of clusters, at most `most`. Clusters beyond that aren't measured.
  private func columns(from first: Int, to end: Int, atMost most: Int) -> Int {
    var columns = 0
    var index = first
    while index < end, columns < most {
      columns += buffer.measures[index].columns
      index += 1
    }
    return min(columns, most)
  }
}
