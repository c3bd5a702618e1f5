import SafeText
public import Terminal

/// A text that is being edited, with a cursor. Positions count grapheme clusters, from 0 (before the first) to
/// ``count``. An edit may merge two clusters: a combining mark typed after its base becomes part of the base's cluster.
public struct TextBuffer: Hashable, Sendable {
  private var piece: TextPiece
  private(set) var changes = TextChanges()
  /// The insertion position, between `clusters[cursor - 1]` and `clusters[cursor]`.
  public private(set) var cursor: Int
  /// Whether the text can have several lines. If false, line breaks become spaces.
  public let allowsNewlines: Bool

  private var history = TextHistory()
  /// The text that the last run of consecutive ``kill(_:)`` calls deleted. ``yank()`` inserts it.
  private var killed = TextPiece()
  /// The kind of the last edit, if another edit of the same kind would extend it.
  private var chain: Chain?
  /// The column that vertical moves try to preserve; nil after any other command.
  var goalColumn: Int?

  /// Creates a buffer of `text`, measured in `form`, with the cursor at its end. The text is the user's own, so only
  /// control characters are removed.
  public init(_ text: String = "", allowsNewlines: Bool = true, form: TextForm = .unicode) {
    self.allowsNewlines = allowsNewlines
    self.piece = TextPiece(OwnText.withoutControls(text, keepsNewlines: allowsNewlines), form)
    self.cursor = piece.count
  }

  /// The grapheme clusters of the text.
  public var clusters: [Character] { piece.clusters }
  /// The width and character class of each cluster in ``clusters``.
  var measures: [ClusterMeasure] { piece.measures }
  /// The text form in which the clusters were measured.
  var form: TextForm { piece.form }

  public var text: String { piece.text }
  /// Number of clusters.
  public var count: Int { piece.count }
  public var isEmpty: Bool { piece.isEmpty }

  /// Measures the text again if `form` differs, because its width may have changed.
  mutating func use(_ form: TextForm) {
    guard form != self.form else { return }
    piece.measure(in: form)
    changes.noteAll()
  }
}

// MARK: - Writing

extension TextBuffer {
  /// Inserts `character` at the cursor. Undo removes typed text word by word. Control characters are ignored.
  @discardableResult
  public mutating func insert(_ character: Character) -> Bool {
    let text = OwnText.withoutControls(String(character), keepsNewlines: allowsNewlines)
    guard !text.isEmpty, allowsNewlines || !character.isNewline else { return false }
    let startsWord = cursor > 0 && measures[cursor - 1].isWhitespace && !character.isWhitespace
    return edit(cursor..<cursor, TextPiece(text, form), chain: .typing, continues: chain == .typing && !startsWord)
  }

  /// Cleans `text` and inserts it at the cursor. If `continues` is true, undo removes it together with the previous
  /// part of the paste.
  @discardableResult
  public mutating func paste(_ text: String, continues: Bool = false) -> Bool {
    let cleaned = allowsNewlines ? SafeText.paragraphs(text) : SafeText.line(text)
    return edit(cursor..<cursor, TextPiece(cleaned, form), continues: continues)
  }

  /// Replaces `range` with `text`, for example with a completed name, and puts the cursor after it. `range` is clamped
  /// to the buffer. Only control characters are removed from `text`.
  @discardableResult
  public mutating func replace(_ range: Range<Int>, with text: String) -> Bool {
    edit(range.clamped(to: 0..<count), TextPiece(OwnText.withoutControls(text, keepsNewlines: allowsNewlines), form))
  }

  /// Undoes the last step, which can consist of several edits. Returns false if there is nothing to undo.
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

  /// Redoes the last step that was undone. Returns false if there is nothing to redo.
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

  /// Moves the cursor to `position`, clamped to the text. Returns false if the cursor was already there.
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

  /// Deletes `range`, which must begin or end at the cursor, and stores its text for ``yank()``. Consecutive kills are
  /// stored as one text.
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

// MARK: - Changing the text

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

    // Clusters next to the change may merge with it, so segment them again. To the left, one cluster is enough, because
    // a boundary depends only on the text before it. To the right, stop after the first cluster that starts with a base
    // character: the boundaries after that cluster don't change.
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
