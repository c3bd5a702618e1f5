import TerminalTesting
import Testing

@testable import QwinkleConfig

@Suite(.bounded) struct TOMLTests {
  @Test func `every fixture text has its recorded values`() throws {
    let cases = try TOMLPython.cases()
    #expect(cases.count > 900)
    for (text, result) in cases { #expect(TOMLDump.result(text) == result, "\(text.debugDescription)") }
  }

  /// A soak run compares 100,000 texts.
  @Test(.enabled("Python 3.11 or later is missing") { try await TOMLPython.isInstalled() })
  func `random texts have the same values as in Python`() async throws {
    let seeds = Soak.seeds(2000)
    let cases = try TOMLPython.cases()
    let texts =
      cases.map(\.text)
      + seeds.map { seed in
        var texts = TOMLTexts(seed: seed)
        return texts.next()
      }
    let expected = try await TOMLPython.results(texts)
    try #require(expected.count == texts.count)
    #expect(Array(expected.prefix(cases.count)) == cases.map(\.result))
    for (text, (result, seed)) in zip(texts.dropFirst(cases.count), zip(expected.dropFirst(cases.count), seeds)) {
      #expect(TOMLDump.result(text) == result, "seed \(seed): \(text.debugDescription)")
    }
    let valid = expected.dropFirst(cases.count).count { $0 != "invalid" }
    print("TOML: \(seeds.count) random texts, \(valid) of them valid")
  }

  @Test func `any bytes are parsed or rejected with a position`() {
    let pieces = Array("[]{}\"'=.,#\\\n\r\t aué1-:_".utf8) + [0, 0x7F, 0x80, 0xBF, 0xC3, 0xEF, 0xBB, 0xF0, 0xFF]
    for seed in Soak.seeds(500) {
      var random = SplitMix(seed: seed)
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        Int.random(in: 0..<4, using: &random) == 0
          ? UInt8.random(in: 0...255, using: &random) : pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }
      do throws(ConfigProblem) {
        _ = try TOMLDocument(bytes)
      } catch {
        let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        #expect((1...lines).contains(error.line), "seed \(seed): \(error)")
        #expect((1...bytes.count + 1).contains(error.column), "seed \(seed): \(error)")
        #expect(error.sentence.hasPrefix("Not TOML: ") && error.sentence.hasSuffix("."), "seed \(seed): \(error)")
      }
    }
  }

  @Test func `keys, headers and values have positions`() throws {
    let text = """
      \u{FEFF}a = 1 # é
      "é".'b c' = '''
      x''' # c
        [t]\r
      d.e = [1, {f = 2}]
      g = { h = "i", "j".k = 3 }
      [[l]]

      """
    let document = try TOMLDocument(Array(text.utf8))
    let found = document.items.map { item in
      let start = TOMLPosition(of: item.start, in: document.bytes)
      let value = TOMLPosition(of: item.value.lowerBound, in: document.bytes)
      let words = String(decoding: document.bytes[item.value], as: UTF8.self)
      let kind = item.isHeader ? "header" : item.isInline ? "inline" : "key"
      return "\(kind) \(item.path) \(start.line):\(start.column) \(value.line):\(value.column) \(words)"
    }
    #expect(
      found == [
        #"key ["a"] 1:1 1:5 1"#,
        #"key ["é", "b c"] 2:1 2:13 '''\#nx'''"#,
        #"header ["t"] 4:3 4:3 "#,
        #"key ["t", "d", "e"] 5:1 5:7 [1, {f = 2}]"#,
        #"key ["t", "g"] 6:1 6:5 { h = "i", "j".k = 3 }"#,
        #"inline ["t", "g", "h"] 6:7 6:11 "i""#,
        #"inline ["t", "g", "j", "k"] 6:16 6:24 3"#,
        #"header ["l"] 7:1 7:1 "#,
      ])
  }

  @Test func `characters of strings have byte offsets`() {
    func column(_ index: Int, _ text: String) -> Int {
      TOMLScanner.offset(ofScalar: index, inStringAt: 0, of: Array(text.utf8))
    }
    #expect((0...3).map { column($0, "'aéb'") } == [1, 2, 4, 5])
    #expect((0...4).map { column($0, #""\u00e9\n\"b""#) } == [1, 7, 9, 11, 12])
    #expect((0...3).map { column($0, "\"\"\"\r\na\\\n  b\"\"\"\"") } == [5, 10, 11, 11])
    #expect(column(0, "''") == 1 && column(9, "''''''") == 3)
  }

  @Test func `nesting depth is limited`() {
    func isValid(_ text: String) -> Bool { TOMLDump.result(text) != "invalid" }
    func nested(_ opening: String, _ closing: String, _ count: Int) -> String {
      "a = " + String(repeating: opening, count: count) + String(repeating: closing, count: count)
    }
    let most = TOMLParser.mostDepth
    #expect(isValid(nested("[", "]", most - 1)) && !isValid(nested("[", "]", most)))
    #expect(isValid(nested("{a={a=", "}}", 20).replacing("=}", with: "=1}")))
    func dotted(_ count: Int) -> String { Array(repeating: "a", count: count).joined(separator: ".") }
    #expect(isValid("[\(dotted(most))]") && !isValid("[\(dotted(most + 1))]"))
    #expect(isValid("[\(dotted(60))]\n\(dotted(40)) = 1") && !isValid("[\(dotted(60))]\n\(dotted(41)) = 1"))
    for text in ["[", "{a=", "{a.a=[", "[{a=", "a."] {
      #expect(!isValid("a = " + String(repeating: text, count: 200_000)))
      #expect(!isValid(String(repeating: text, count: 200_000)))
    }
  }

  @Test(arguments: [
    "k# = 1\n", "[k#]\na = 1\n", "[[k]]\na.b = 1\n", "[k.k#]\n", "k#.a.b = []\n",
    "# é\n", "\n", "k# = '''\n\n'''\n", "k#.\"a\" = { b = 1, c = [ 1, # c\n 2 ] }\n",
  ])
  func `parsing time is proportional to the number of lines`(line: String) {
    let growth = Effort.growth(from: 2000) { count in
      Array((0..<count).map { line.replacing("#", with: String($0)) }.joined().utf8)
    } _: { bytes in
      _ = try? TOMLDocument(bytes)
    }
    #expect(growth < 9)
  }

  @Test(arguments: [
    ("k = [", "1, ", "]"), ("k = [", "[],\n", "]"), ("k = \"", "\\u00e9a", "\""),
    ("k = \"\"\"", "\"\" \n\\\n ", "\"\"\""), ("k = '''", "''\r\n", "'''"), ("# ", "# ", ""),
    ("k = ", "1", ""), ("k = ", " ", "1"), ("k", "k", " = 1"),
    ("k = [", "{a.b = 1},", "]"),
  ])
  func `parsing time is proportional to the length of a value`(start: String, piece: String, end: String) {
    let growth = Effort.growth(from: 5000) { count in
      Array((start + String(repeating: piece, count: count) + end).utf8)
    } _: { bytes in
      _ = try? TOMLDocument(bytes)
    }
    #expect(growth < 9)
  }

  @Test(arguments: [
    ("density = compact", "1:11", "“compact” needs quotes: \"compact\"."),
    ("theme = nächt", "1:9", "“nächt” needs quotes: \"nächt\"."),
    ("mouse = True", "1:9", "“True” needs small letters: true."),
    ("cache =", "1:8", "expected a value such as \"text\", 12 or true, found the end of the file."),
    ("cache = # 16\n", "1:9", "expected a value such as \"text\", 12 or true, found “#”."),
    ("cache 16", "1:7", "expected “=” after the key, found “1”."),
    ("= 16", "1:1", "expected a key, found “=”."),
    ("größe = 1", "1:3", "a key with “ö” needs quotes."),
    ("[accounts.anna@tilde.example]", "1:15", "a key with “@” needs quotes."),
    ("[a", "1:3", "expected “]” after the table's name, found the end of the file."),
    ("[[a]\n", "1:4", "expected “]]” after the table's name, found “]”."),
    ("a = 1 b = 2", "1:7", "expected the end of the line, found “b”."),
    ("a = 1\nb = 'x\n", "2:5", "expected ' at the end of this string."),
    ("a = \"\"\"\nx\ny\n", "1:5", "expected \"\"\" at the end of this string."),
    ("a = \"\\x\"", "1:6", "unknown escape: write \\\\ for a backslash, or use '…'."),
    ("a = \"\\u12\"", "1:6", "expected 4 hexadecimal digits after \\u."),
    ("a = \"\\ud800\"", "1:6", "this escape isn't a Unicode character."),
    ("a = 'x\0'", "1:7", "a string can't contain the character U+0000."),
    ("# \u{7}", "1:3", "a comment can't contain the character U+0007."),
    ("a = 1\rb = 2", "1:6", "expected the end of the line, found the character U+000D."),
    ("a = 01", "1:5", "“01” isn't a number."),
    ("a = 99999999999999999999", "1:5", "“99999999999999999999” is too large for an integer of 64 bits."),
    ("a = 2026-11-31", "1:5", "“2026-11-31” isn't a date or time such as 2026-11-12 or 2026-11-12 09:30:00."),
    ("a = [1 2]", "1:8", "expected “,” or “]” after the value, found “2”."),
    ("a = [1,\n2,\n", "1:5", "expected “]” at the end of this array."),
    ("a = { b = 1\n}", "1:12", "expected “,” or “}” after the value, found the end of the line."),
    ("a = { b = 1, }", "1:14", "expected a key, found “}”."),
    ("a = 1\na = 2", "2:1", "“a” is set twice."),
    ("a = 1\na.b = 2", "2:1", "“a” is a value, not a table."),
    ("[a]\n[a]", "2:1", "the table “a” is defined twice."),
    ("[[a]]\n[a]", "2:1", "“a” is a list of tables: write [[…]]."),
    ("[a]\n[[a]]", "2:1", "“a” is one table: write […]."),
    ("a = {}\na.b = 1", "2:1", "the table “a” is in braces: write this key there."),
    ("[a.b]\n[a]\nb.c = 1", "3:1", "the table “b” is defined elsewhere: write this key there."),
  ])
  func `errors name the position and the expected syntax`(text: String, place: String, reason: String) {
    do throws(ConfigProblem) {
      _ = try TOMLDocument(Array(text.utf8))
      Issue.record("valid")
    } catch {
      #expect(error.words(in: "c") == "c:\(place): Not TOML: \(reason)")
    }
  }
}
