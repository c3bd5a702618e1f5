import Terminal
import TerminalTesting
import Testing

@testable import PaneKit

extension TextBuffer {
  @discardableResult
  fileprivate mutating func perform(_ command: TextCommand, layoutWidth: Int) -> Bool {
    perform(command) { TextRows(of: $0, columns: layoutWidth) }
  }
}

extension TextBufferLayout {
  fileprivate init(_ buffer: TextBuffer, columns: Int) {
    self.init(buffer, rows: TextRows(of: buffer, columns: columns))
  }
}

/// Returns a buffer with the cursor at `|`.
private func buffer(_ marked: String, allowsNewlines: Bool = true) -> TextBuffer {
  let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
  var buffer = TextBuffer(parts.joined(), allowsNewlines: allowsNewlines)
  buffer.moveCursor(to: parts[0].count)
  return buffer
}

private func marked(_ buffer: TextBuffer) -> String {
  String(buffer.clusters[..<buffer.cursor]) + "|" + String(buffer.clusters[buffer.cursor...])
}

/// Presses space-separated keys, named as in the help.
private func press(_ keys: String, in buffer: inout TextBuffer, width: Int = 20) {
  for name in keys.split(separator: " ") {
    guard let key = Key(name) else {
      Issue.record("no key \(name)")
      continue
    }
    if let command = TextCommand(key: key) {
      buffer.perform(command, layoutWidth: width)
    } else if let character = key.typedCharacter {
      buffer.insert(character)
    }
  }
}

@Suite struct TextBufferTests {
  @Test(arguments: [
    ("|", "h i", "hi|"),
    ("a|c", "b", "ab|c"),
    ("ab|", "Enter c", "ab\nc|"),
    ("ab|c", "BS", "a|c"),
    ("ab|c", "^H", "a|c"),
    ("|abc", "BS", "|abc"),
    ("a|bc", "Del", "a|c"),
    ("abc|", "Del", "abc|"),
    ("👨‍👩‍👧‍👦|x", "BS", "|x"),
    ("🇩🇪🇫🇷|", "BS", "🇩🇪|"),
    ("|e\u{301}x", "Del", "|x"),
    ("a\n|b", "BS", "a|b"),
  ])
  func `typing and erasing edit the text at the cursor`(before: String, keys: String, after: String) {
    var text = buffer(before)
    press(keys, in: &text)
    #expect(marked(text) == after)
  }

  @Test(arguments: [
    ("ab|c", "^B", "a|bc"), ("ab|c", "←", "a|bc"), ("|abc", "←", "|abc"), ("ab|c", "^F ^F", "abc|"),
    ("one two|", "M-b", "one |two"), ("one, two|", "M-b M-b", "|one, two"), ("one  |two", "M-b", "|one  two"),
    ("|one two", "M-f", "one| two"), ("one| two!", "M-f", "one two|!"), ("|über straße", "C-→", "über| straße"),
    ("one two|", "C-←", "one |two"), ("a\nbcd|e\nf", "^A", "a\n|bcde\nf"), ("a\nb|cd\nf", "^E", "a\nbcd|\nf"),
    ("a\nb|", "Home", "a\n|b"), ("a|\nb", "End", "a|\nb"), ("a\nb|c", "M-<", "|a\nbc"), ("a|\nbc", "M->", "a\nbc|"),
    ("👍🏽|x", "^B", "|👍🏽x"),
  ])
  func `movement keys move by character, word and line`(before: String, keys: String, after: String) {
    var text = buffer(before)
    press(keys, in: &text)
    #expect(marked(text) == after)
  }

  @Test(arguments: [
    ("one tw|o", "^K", "one tw|"), ("a|\nb", "^K", "a|b"), ("a|b\nc", "^K ^K ^Y", "ab\n|c"), ("a\nbc|d", "^U", "a\n|d"),
    ("a\n|b", "^U", "a|b"), ("one two|", "^W", "one |"), ("one a.b/c  |x", "^W", "one |x"),
    ("one two|", "^W ^W ^Y", "one two|"),
    ("|one two", "M-d", "| two"), ("|one two", "M-d M-d ^E ^Y", "one two|"), ("one |two", "^K ^A ^Y", "two|one "),
    ("ab|", "^U ^Y ^Y", "abab|"), ("one two|", "^W ^A ^K ^Y", "one |"), ("|", "^K ^U ^W M-d ^Y", "|"),
    ("one two|", "M-BS", "one |"),
  ])
  func `killed text can be yanked`(before: String, keys: String, after: String) {
    var text = buffer(before)
    press(keys, in: &text)
    #expect(marked(text) == after)
  }

  @Test(arguments: [
    ("|", "o n e Space t w o ^_", "one |"), ("|", "o n e Space t w o ^_ ^_", "|"), ("|", "a b ^_ M-e", "ab|"),
    ("|", "a ← b ^_", "|a"), ("x|", "a BS BS ^_", "xa|"), ("x|", "a BS BS ^_ M-u", "x|"),
    ("one two|", "^W ^U M-u", "one |"),
    ("one two|", "^W ^U M-u M-u", "one two|"), ("|", "a ^_ b M-e", "b|"), ("|", "^_ M-e", "|"), ("ab|", "^_", "ab|"),
    ("a|b", "Del ^_", "a|b"),
  ])
  func `edits can be undone and redone`(before: String, keys: String, after: String) {
    var text = buffer(before)
    press(keys, in: &text)
    #expect(marked(text) == after)
  }

  @Test(arguments: [
    ("abc\nde|f", "↑", "ab|c\ndef"), ("abcdef|\nab\nabcdef", "↓ ↓", "abcdef\nab\nabcdef|"),
    ("abcdef|\nab\nabcdef", "↓", "abcdef\nab|\nabcdef"), ("abcdef|\nab\nabcdef", "↓ ← ↓", "abcdef\nab\na|bcdef"),
    ("ab|c", "↑", "ab|c"), ("ab|c", "↓", "ab|c"), ("中文|\nabcde", "↓", "中文\nabcd|e"), ("中文\nabc|de", "↑", "中|文\nabcde"),
    ("a|b\n\ncd", "^N ^N ^P", "ab\n|\ncd"),
  ])
  func `moving by rows preserves the column`(before: String, keys: String, after: String) {
    var text = buffer(before)
    press(keys, in: &text)
    #expect(marked(text) == after)
  }

  @Test func `vertical movement follows wrapped rows`() {
    var text = buffer("the quick fo|x")
    press("↑", in: &text, width: 10)
    #expect(marked(text) == "th|e quick fox")
    press("End ↑ ↓", in: &text, width: 10)
    #expect(marked(text) == "the quick fox|")
    text = buffer("abcdefgh|ijk")  // Rows have four characters; the fifth column is for the cursor.
    press("↑", in: &text, width: 5)
    #expect(marked(text) == "abcd|efghijk")
  }

  @Test func `a typed combining mark joins the character before it`() {
    var text = buffer("e|x")
    text.insert("\u{301}")
    #expect(text.count == 2)
    #expect(marked(text) == "e\u{301}|x")
    text.undo()
    #expect(marked(text) == "e|x")
    text.redo()
    press("BS", in: &text)
    #expect(marked(text) == "|x")
  }

  @Test func `flag halves and joined emoji combine with their neighbours`() {
    var text = buffer("🇩🇪|")
    text.moveCursor(to: 0)
    text.insert("\u{1F1EB}")
    #expect(text.clusters == ["\u{1F1EB}\u{1F1E9}", "\u{1F1EA}"])
    #expect(text.cursor == 1)
    text.undo()
    #expect(text.clusters == ["🇩🇪"])
    text = buffer("👨|👩")
    text.insert("\u{200D}")
    #expect(text.clusters == ["👨\u{200D}👩"])
    #expect(text.cursor == 1)
  }

  @Test func `a single-line text contains no newline`() {
    var text = buffer("ab|", allowsNewlines: false)
    let changed = text.perform(.insertNewline, layoutWidth: 20)
    #expect(!changed)
    text.paste("x\ny")
    #expect(marked(text) == "abx y|")
    #expect(TextBuffer("a\r\nb", allowsNewlines: false).text == "a b")
  }

  @Test func `pasted text is sanitized and other text loses only control characters`() {
    var text = TextBuffer()
    text.paste("a\u{1B}[31m\u{202E}\r\nb\u{200B}")
    #expect(text.text == "a[31m\nb")
    #expect(text.cursor == text.count)
    let own = TextBuffer("\u{202B}a\u{1B}\tb\r\nc\u{AD}")
    #expect(own.text.unicodeScalars.elementsEqual("\u{202B}a\tb\nc\u{AD}".unicodeScalars))
    text = TextBuffer()
    let changed = text.insert("\u{1B}")
    #expect(!changed)
    #expect(text.isEmpty)
  }

  @Test func `replacing a range is one undo step`() {
    var text = buffer("hi @al|!")
    text.replace(3..<6, with: "@alice ")
    #expect(marked(text) == "hi @alice |!")
    text.undo()
    #expect(marked(text) == "hi @al|!")
    text.replace(4..<99, with: "")
    #expect(marked(text) == "hi @|")
  }

  @Test(arguments: [Soak.seed]) func `random edits preserve whole clusters and can be undone and redone`(seed: UInt64) {
    let typed: [Character] = [
      "a", " ", "\n", "e", "\u{301}", "\u{200D}", "👨", "\u{1F3FD}", "\u{1F1E9}", "\u{1F1EA}", "क", "\u{94D}", "中",
      "\u{1161}", "\u{1100}",
      "\u{FF9E}", "\u{600}", "\u{FE0F}", "م",
    ]
    let commands = TextCommand.allCases.filter { $0 != .undo && $0 != .redo }
    var generator = SplitMix(seed: seed)
    for _ in 0..<Soak.runs(300) {
      var text = TextBuffer()
      for _ in 0..<60 {
        if Bool.random(using: &generator), let character = typed.randomElement(using: &generator) {
          text.insert(character)
        } else if let command = commands.randomElement(using: &generator) {
          text.perform(command, layoutWidth: Int.random(in: 0...9, using: &generator))
        }
        let whole = Array(String(String.UnicodeScalarView(text.clusters.flatMap(\.unicodeScalars))))
        #expect(whole.map { Array($0.unicodeScalars) } == text.clusters.map { Array($0.unicodeScalars) })
        #expect((0...text.count).contains(text.cursor))
      }
      let end = text.clusters
      while text.undo() {}
      #expect(text.isEmpty)
      while text.redo() {}
      #expect(text.clusters == end)
    }
  }
}

@Suite struct TextCommandTests {
  @Test func `keys of the screen are not editing commands`() throws {
    for name in ["^D", "^T", "^X", "^C", "^Z", "^L", "Esc", "Tab", "a", "Space", "PgUp", "F1"] {
      let key = try #require(Key(name), "\(name)")
      #expect(TextCommand(key: key) == nil, "\(name)")
    }
  }
}

@Suite struct TextBufferLayoutTests {
  @Test func `each cursor has a distinct position that maps back to it`() {
    let texts = [
      "", "\n", "abc", "the quick brown fox", "ab     cd", "中文字中文字", "a👨‍👩‍👧‍👦b\n\n🇩🇪 x  ", "一二三。四五", "abcdefghijkl", "tab\tx",
      "   ",
    ]
    for text in texts {
      for columns in [0, 1, 2, 3, 5, 8, 40] {
        let layout = TextBufferLayout(TextBuffer(text), columns: columns)
        var seen: Set<Point> = []
        for cursor in 0...text.count {
          let place = layout.position(ofCursor: cursor)
          #expect(layout.rows.indices.contains(place.row))
          #expect((0..<max(1, columns)).contains(place.column), "\(text.debugDescription) \(columns) \(cursor)")
          #expect(seen.insert(place).inserted, "\(text.debugDescription) in \(columns) at \(cursor)")
          #expect(layout.cursor(atRow: place.row, column: place.column) == cursor)
        }
        for row in layout.rows.indices {
          #expect(DisplayWidth.columns(of: layout.text(ofRow: row)) <= max(1, columns))
        }
        #expect(layout.rows.flatMap { Array($0) } == Array(0..<text.count))
      }
    }
  }

  @Test func `rows show their text without newlines`() {
    let layout = TextBufferLayout(TextBuffer("one two\nthree"), columns: 6)
    #expect(layout.rows.indices.map(layout.text(ofRow:)) == ["one ", "two", "three"])
    #expect(layout.cursor(atRow: 0, column: 99) == 3)
    #expect(layout.cursor(atRow: 1, column: 99) == 7)
    #expect(layout.cursor(atRow: 99, column: 99) == 13)
    #expect(layout.cursor(atRow: -1, column: -5) == 0)
  }
}
