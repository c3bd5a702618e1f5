import SafeText
public import Terminal

/// A text that is being edited, with a cursor. Positions count grapheme clusters, from 0 (before the first) to
/// ``count``; an edit that makes two clusters one (a mark typed behind its base) moves the boundaries with it.
public struct TextBuffer: Hashable, Sendable {
  /// The text, and what is known of its clusters.
  private var piece: TextPiece
  /// Where it has changed.
  private(set) var changes = TextChanges()
  /// Where the next character goes: between `clusters[cursor - 1]` and `clusters[cursor]`.
  public private(set) var cursor: Int
  /// Whether this is a text of several lines; otherwise line breaks become spaces.
  public let allowsNewlines: Bool

  private var history = TextHistory()
  /// What the last run of kills took, for yanking.
  private var killed = TextPiece()
  /// What the last command did, where the next one of its kind continues it.
  private var chain: Chain?
  /// The column that vertical moves try to keep; nil after any other command.
  var goalColumn: Int?

  /// A buffer of `text`, measured in `form`, with the cursor at its end. The text is one's own: it is kept as it came,
  /// but for controls.
  public init(_ text: String = "", allowsNewlines: Bool = true, form: TextForm = .unicode) {
    self.allowsNewlines = allowsNewlines
    self.piece = TextPiece(OwnText.withoutControls(text, keepsNewlines: allowsNewlines), form)
    self.cursor = piece.count
  }

  /// The text, one user-perceived character an element.
  public var clusters: [Character] { piece.clusters }
  /// What is known of each.
  var measures: [ClusterMeasure] { piece.measures }
  /// The form of text in which they were measured.
  var form: TextForm { piece.form }

  /// The whole text.
  public var text: String { piece.text }
  /// How many clusters the text has.
  public var count: Int { piece.count }
  /// Whether there is no text.
  public var isEmpty: Bool { piece.isEmpty }

  /// Measures all anew where text takes other columns than it did.
  mutating func use(_ form: TextForm) {
    guard form != self.form else { return }
    piece.measure(in: form)
    changes.noteAll()
  }
}

// MARK: - Writing

extension TextBuffer {
  /// Types `character` at the cursor. Typing is undone by the word. Controls are ignored.
  @discardableResult
  public mutating func insert(_ character: Character) -> Bool {
    let text = OwnText.withoutControls(String(character), keepsNewlines: allowsNewlines)
    guard !text.isEmpty, allowsNewlines || !character.isNewline else { return false }
    let startsWord = cursor > 0 && measures[cursor - 1].isWhitespace && !character.isWhitespace
    return edit(cursor..<cursor, TextPiece(text, form), chain: .typing, continues: chain == .typing && !startsWord)
  }

  /// Cleans `text` and inserts it at the cursor. A part that `continues` the previous paste is undone with it.
  @discardableResult
  public mutating func paste(_ text: String, continues: Bool = false) -> Bool {
    let cleaned = allowsNewlines ? SafeText.paragraphs(text) : SafeText.line(text)
    return edit(cursor..<cursor, TextPiece(cleaned, form), continues: continues)
  }

  /// Puts one's own `text` (a completed name, say) in the place of `range`, which is clamped to the text; the cursor
  /// stands behind it.
  @discardableResult
  public mutating func replace(_ range: Range<Int>, with text: String) -> Bool {
    edit(range.clamped(to: 0..<count), TextPiece(OwnText.withoutControls(text, keepsNewlines: allowsNewlines), form))
  }

  /// Takes the last edit back. False where there is none.
  @discardableResult
  public mutating func undo() -> Bool {
    endChain()
    guard let step = history.popUndo() else { return false }
    for edit in step.reversed() {
      put(edit.removed, at: edit.start..<(edit.start + edit.inserted.count))
      cursor = edit.cursorBefore
    }
    return true
  }

  /// Makes the last edit again that was taken back. False where there is none.
  @discardableResult
  public mutating func redo() -> Bool {
    endChain()
    guard let step = history.popRedo() else { return false }
    for edit in step {
      put(edit.inserted, at: edit.start..<(edit.start + edit.removed.count))
      cursor = edit.cursorAfter
    }
    return true
  }

  /// Moves the cursor to `position`, which is clamped to the text. False where it stands there already.
  @discardableResult
  public mutating func moveCursor(to position: Int) -> Bool {
    endChain()
    let position = min(max(0, position), count)
    guard position != cursor else { return false }
    cursor = position
    return true
  }
}

// MARK: - Erasing and yanking

extension TextBuffer {
  mutating func erase(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty else {
      endChain()
      return false
    }
    let kind: Chain = range.lowerBound < cursor ? .erasingBackward : .erasingForward
    return edit(range, TextPiece(), chain: kind, continues: chain == kind)
  }

  /// Erases `range`, which touches the cursor, and keeps it for ``yank()``. A run of kills is kept as one text.
  mutating func kill(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty else {
      endChain()
      return false
    }
    var taken = piece[range]
    if chain != .killing {
      killed = taken
    } else if range.lowerBound < cursor {
      _ = taken.append(killed)
      killed = taken
    } else {
      _ = killed.append(taken)
    }
    return edit(range, TextPiece(), chain: .killing)
  }

  mutating func yank() -> Bool {
    edit(cursor..<cursor, killed)
  }

  private mutating func endChain() {
    chain = nil
    goalColumn = nil
  }
}

// MARK: - The one way to change the text

extension TextBuffer {
  private enum Chain: Hashable, Sendable {
    case typing, erasingBackward, erasingForward, killing
  }

  private mutating func edit(
    _ range: Range<Int>, _ new: TextPiece, chain: Chain? = nil, continues: Bool = false
  ) -> Bool {
    self.chain = chain
    goalColumn = nil
    guard !range.isEmpty || !new.isEmpty else { return false }
    let new = new.measured(in: form)

    // What touches the change is segmented anew. A boundary further left depends only on what stands before it; on the
    // right it holds again behind the first cluster that begins with a base of its own.
    let start = max(0, range.lowerBound - 1)
    var end = range.upperBound
    while end < count {
      end += 1
      if clusters[end - 1].beginsWithBase { break }
    }
    var inserted = piece[start..<range.lowerBound]
    _ = inserted.append(new)
    let cursorAfter = start + inserted.append(piece[range.upperBound..<end])
    let edit = TextEdit(
      start: start, removed: piece[start..<end], inserted: inserted, cursorBefore: cursor, cursorAfter: cursorAfter)
    history.record(edit, continuesStep: continues)
    put(inserted, at: start..<end)
    cursor = cursorAfter
    return true
  }

  private mutating func put(_ new: TextPiece, at range: Range<Int>) {
    piece.replaceSubrange(range, with: new.measured(in: form))
    changes.note(range.lowerBound..<(range.lowerBound + new.count), count: count)
  }
}
