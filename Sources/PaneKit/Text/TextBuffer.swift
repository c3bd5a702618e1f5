import SafeText

/// A text that is being edited, with a cursor. Positions count grapheme clusters, from 0 (before the first) to
/// ``count``; an edit that makes two clusters one (a mark typed behind its base) moves the boundaries with it.
public struct TextBuffer: Hashable, Sendable {
  /// The text, one user-perceived character an element.
  public private(set) var clusters: [Character]
  /// Where the next character goes: between `clusters[cursor - 1]` and `clusters[cursor]`.
  public private(set) var cursor: Int
  /// Whether this is a text of several lines; otherwise line breaks become spaces.
  public let allowsNewlines: Bool

  private var history = TextHistory()
  /// What the last run of kills took, for yanking.
  private var killed = ""
  /// What the last command did, where the next one of its kind continues it.
  private var chain: Chain?
  /// The column that vertical moves try to keep; nil after any other command.
  var goalColumn: Int?

  /// A buffer of `text` with the cursor at its end. The text is one's own: it is kept as it came, but for controls.
  public init(_ text: String = "", allowsNewlines: Bool = true) {
    self.allowsNewlines = allowsNewlines
    self.clusters = Array(OwnText.withoutControls(text, keepsNewlines: allowsNewlines))
    self.cursor = clusters.count
  }

  /// The whole text.
  public var text: String { String(clusters) }
  /// How many clusters the text has.
  public var count: Int { clusters.count }
  /// Whether there is no text.
  public var isEmpty: Bool { clusters.isEmpty }
}

// MARK: - Writing

extension TextBuffer {
  /// Types `character` at the cursor. Typing is undone by the word. Controls are ignored.
  @discardableResult
  public mutating func insert(_ character: Character) -> Bool {
    let text = OwnText.withoutControls(String(character), keepsNewlines: allowsNewlines)
    guard !text.isEmpty, allowsNewlines || !character.isNewline else { return false }
    let startsWord = cursor > 0 && clusters[cursor - 1].isWhitespace && !character.isWhitespace
    return edit(cursor..<cursor, text, chain: .typing, continues: chain == .typing && !startsWord)
  }

  /// Inserts `text`, which came from elsewhere, at the cursor; it is cleaned first.
  @discardableResult
  public mutating func paste(_ text: String) -> Bool {
    edit(cursor..<cursor, allowsNewlines ? SafeText.paragraphs(text) : SafeText.line(text))
  }

  /// Puts one's own `text` (a completed name, say) in the place of `range`, which is clamped to the text; the cursor stands
  /// behind it.
  @discardableResult
  public mutating func replace(_ range: Range<Int>, with text: String) -> Bool {
    edit(range.clamped(to: 0..<count), OwnText.withoutControls(text, keepsNewlines: allowsNewlines))
  }

  /// Takes the last edit back. False where there is none.
  @discardableResult
  public mutating func undo() -> Bool {
    endChain()
    guard let step = history.popUndo() else { return false }
    for edit in step.reversed() {
      clusters.replaceSubrange(edit.start..<(edit.start + edit.inserted.count), with: edit.removed)
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
      clusters.replaceSubrange(edit.start..<(edit.start + edit.removed.count), with: edit.inserted)
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
    return edit(range, "", chain: kind, continues: chain == kind)
  }

  /// Erases `range`, which touches the cursor, and keeps it for ``yank()``. A run of kills is kept as one text.
  mutating func kill(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty else {
      endChain()
      return false
    }
    let text = String(clusters[range])
    if chain != .killing {
      killed = text
    } else if range.lowerBound < cursor {
      killed = text + killed
    } else {
      killed += text
    }
    return edit(range, "", chain: .killing)
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
    _ range: Range<Int>, _ text: String, chain: Chain? = nil, continues: Bool = false
  ) -> Bool {
    self.chain = chain
    goalColumn = nil
    guard !range.isEmpty || !text.isEmpty else { return false }

    // What touches the change is segmented anew. A boundary further left depends only on what stands before it; on the right
    // it holds again behind the first cluster that begins with a base of its own.
    let start = max(0, range.lowerBound - 1)
    var end = range.upperBound
    while end < count {
      end += 1
      if clusters[end - 1].beginsWithBase { break }
    }
    let beforeCursor = String(clusters[start..<range.lowerBound]) + text
    let inserted = Array(beforeCursor + String(clusters[range.upperBound..<end]))

    var cursorAfter = start
    var bytes = 0
    for cluster in inserted where bytes < beforeCursor.utf8.count {
      bytes += cluster.utf8.count
      cursorAfter += 1
    }
    let edit = TextEdit(
      start: start, removed: Array(clusters[start..<end]), inserted: inserted, cursorBefore: cursor,
      cursorAfter: cursorAfter)
    history.record(edit, continuesStep: continues)
    clusters.replaceSubrange(start..<end, with: inserted)
    cursor = cursorAfter
    return true
  }
}

extension Character {
  /// Whether the boundary behind this cluster stays one whatever comes before it.
  fileprivate var beginsWithBase: Bool {
    guard let first = unicodeScalars.first else { return false }
    if first.isASCII { return true }
    if (0x1F1E6...0x1F1FF).contains(first.value) { return false }
    let properties = first.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark, .format: return false
    default: return !properties.isGraphemeExtend && !properties.isEmojiModifier
    }
  }
}
