import Dispatch
public import Terminal

/// Text that is written: several lines, wrapped, with readline's keys, undo and paste.
@MainActor
public final class TextEditor: View {
  private var buffer: TextBuffer
  /// Rows for the view's width and, if they were asked for, for one other width.
  private var textRows: [TextRows] = []
  /// What the last layout showed, so that only rows that look different are drawn.
  private var shown: (rows: TextRows, firstRow: Int)?
  private var firstRow = 0
  /// The first cluster in view, in a single line.
  private var firstCluster = 0
  /// Parts of a long paste not inserted yet, the next one last.
  private var unpasted: [Substring] = []
  /// The whole text, if asked for since it changed: joining it takes time.
  private var knownText: String?
  private var hasUntoldChange = false
  private var toldCursor = 0

  /// Whether keys change the text.
  public var isEditable = true

  /// Sent when the text changes.
  public var didChange = TargetActions()

  /// Sent when the cursor moves, after ``didChange``.
  public var didMoveCursor = TargetActions()

  /// Sent when another responder gets the keys.
  public var didResign = TargetActions()

  /// Sent when Backspace is pressed in an empty text.
  public var didDeleteBackwardWhenEmpty = TargetActions()

  /// Dim words shown while the text is empty.
  public var placeholder = "" {
    didSet { if placeholder != oldValue { setNeedsDisplay() } }
  }

  /// The name of the field, for linear form.
  public var label = ""

  /// Whether it has one line, which scrolls sideways. It does not handle keys for lines above and below then.
  public let isSingleLine: Bool

  public init(isSingleLine: Bool = false) {
    self.isSingleLine = isSingleLine
    self.buffer = TextBuffer(allowsNewlines: !isSingleLine)
    super.init()
    acceptsFirstResponder = true
  }

  /// The text. Setting it puts the cursor at its end and forgets what could be undone.
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

  /// The first `count` characters at most: less work than ``text`` where that is long.
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

  /// The position of the cursor for ``restoreCursor(_:)``.
  public var restorableCursor: String {
    let cursor = cursorPosition
    return "\(cursor)/\(buffer.count)"
  }

  /// Puts the cursor where it was, unless more or less has been typed since.
  public func restoreCursor(_ kept: String?) {
    let numbers = (kept ?? "").split(separator: "/").compactMap { Int($0) }
    if numbers.count == 2, numbers[1] == buffer.count { cursorPosition = numbers[0] }
  }

  /// The text before the cursor.
  public var textBeforeCursor: String {
    finishPasting()
    return String(buffer.clusters[..<buffer.cursor])
  }

  /// The text behind the cursor.
  public var textAfterCursor: String {
    finishPasting()
    return String(buffer.clusters[buffer.cursor...])
  }

  /// Replaces `count` characters before the cursor by `text` and puts the cursor behind it, as one edit to undo.
  public func replace(last count: Int, with text: String) {
    finishPasting()
    let cursor = buffer.cursor
    _ = edit { $0.replace(max(0, cursor - count)..<cursor, with: text) }
  }

  /// Replaces the whole text, as one edit to undo.
  public func replaceAll(with text: String) {
    finishPasting()
    _ = edit { $0.replace(0..<$0.count, with: text) }
  }

  /// Rows that the text takes at a width.
  public func rows(forColumns columns: Int) -> Int {
    isSingleLine ? 1 : rows(of: buffer, columns: columns).rows.count
  }

  /// Sends ``didChange`` at once, if it cannot wait for the next frame.
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
    // Targets want all of a text.
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
      // One more than there is room for shows that it goes on.
      let shown = buffer.clusters[firstCluster...].prefix(canvas.size.columns + 1)
      canvas.write(String(shown), row: 0, column: 0)
      return
    }
    let layout = textLayout
    for row in canvas.visibleRows where layout.rows.indices.contains(row + firstRow) {
      canvas.write(layout.text(ofRow: row + firstRow), row: row, column: 0)
    }
  }

  /// The row with the cursor in it: what stands before the cursor, and what behind it.
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

  /// Whether it takes `key` for itself.
  public func takes(_ key: Key) -> Bool {
    guard let command = TextCommand(key: key) else { return key.typedCharacter != nil }
    return !isSingleLine || ![.insertNewline, .moveUp, .moveDown].contains(command)
  }

  override public func keyDown(_ key: Key) -> Bool {
    guard takes(key) else { return false }
    finishPasting()
    if TextCommand(key: key) == .deleteBackward, buffer.isEmpty { didDeleteBackwardWhenEmpty.send() }
    if let command = TextCommand(key: key) {
      let before = buffer.count
      let columns = max(1, frame.size.columns)
      return edit {
        // Moving takes the cursor elsewhere and leaves the text.
        $0.perform(command, rows: { rows(of: $0, columns: columns) })
          && ($0.count != before || command == .undo || command == .redo)
      }
    }
    if let character = key.typedCharacter { return edit { $0.insert(character) } }
    return false
  }

  /// Pastes `text`; a large one after a question, as it may have been meant for something else.
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

  /// Whether parts of a long paste are still to come.
  var isPasting: Bool { !unpasted.isEmpty }

  /// Inserts `text`. A long text goes in one part a turn, so that the program stays responsive; reading the text or
  /// typing inserts the rest first.
  private func insert(_ text: String) {
    finishPasting()
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

  /// Performs `change`, which returns whether the text differs now. Targets are told before the next frame, as many
  /// keys may come at once.
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
    // Several lines see in layout which of them have changed.
    if isSingleLine { setNeedsDisplay() }
  }

  override public func didResignFirstResponder() { didResign.send() }

  /// A click puts the cursor there.
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
    // An editor that has grown shows what stood above, rather than room below.
    firstRow = min(max(firstRow, row - rows + 1), row, max(0, layout.rows.count - rows))
  }

  /// Scrolls a single line to the cursor, with as much text in view as fits. Looks only at that much: a line may be
  /// long.
  private func showCursorInLine() {
    let room = max(1, frame.size.columns) - 1
    firstCluster = min(firstCluster, buffer.cursor)
    // What can stand before the cursor.
    var earliest = buffer.cursor
    var used = 0
    while earliest > firstCluster, used + buffer.measures[earliest - 1].columns <= room {
      earliest -= 1
      used += buffer.measures[earliest].columns
    }
    firstCluster = earliest
    // Rather what stands before than room at the end.
    var shown = columns(from: firstCluster, to: buffer.count, atMost: room + 1)
    while firstCluster > 0, shown + buffer.measures[firstCluster - 1].columns <= room {
      firstCluster -= 1
      shown += buffer.measures[firstCluster].columns
    }
  }

  /// Columns that clusters take; those beyond `most` are not looked at.
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
