import QwinkleReplay
import Terminal
import Testing

@Suite struct SVGPictureTests {
  private func snapshot(_ cells: [SnapshotCell], cursor: Point? = nil) -> Snapshot {
    Snapshot(size: Size(rows: 1, columns: cells.count), cells: [cells], cursor: cursor)
  }

  private func cells(_ text: String, _ attributes: TextStyle.Attributes = [], foreground: Int = -1) -> [SnapshotCell] {
    text.map { SnapshotCell(text: String($0), attributes: attributes, foreground: foreground) }
  }

  private func lines(_ cells: [SnapshotCell], cursor: Point? = nil, colors: Int = 256) -> [Substring] {
    let text = SVGPicture(snapshot(cells, cursor: cursor), colors: colors).text
    #expect(isWellFormed(text))
    let lines = text.split(separator: "\n")
    return Array(lines.drop { !$0.hasPrefix("<g ") }.dropFirst().dropLast(2))
  }

  @Test func `a picture shows a window around the screen`() {
    let text = SVGPicture(snapshot(cells("Hi")), title: "qwinkle <public>").text
    #expect(isWellFormed(text))
    #expect(
      text.hasPrefix(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"46\" height=\"68\""
      ))
    #expect(text.contains("<title>qwinkle &lt;public&gt;</title>"))
    #expect(text.contains("'DejaVu Sans Mono'"))
    #expect(!text.contains("script") && !text.contains("href"))
    #expect(text == SVGPicture(snapshot(cells("Hi")), title: "qwinkle <public>").text)
  }

  @Test func `characters of one style form a run that ends at two spaces`() {
    #expect(
      lines(cells("ab cd  ef ")) == [
        #"<text x="0" y="14" textLength="45" lengthAdjust="spacingAndGlyphs">ab cd</text>"#,
        #"<text x="63" y="14" textLength="18" lengthAdjust="spacingAndGlyphs">ef</text>"#,
      ])
    #expect(lines(cells("        ")).isEmpty)
  }

  @Test func `each style has its own look`() {
    let lines = lines(
      cells("b", .bold) + cells("i", .italic, foreground: 1) + cells("u", .underline) + cells("d", .dim)
        + cells("r", .reverse, foreground: 2))
    #expect(
      lines == [
        ##"<rect x="36" y="0" width="9" height="18" fill="#8fc27c" shape-rendering="crispEdges"/>"##,
        ##"<rect x="18" y="16" width="9" height="1" fill="#d8dae0" shape-rendering="crispEdges"/>"##,
        #"<text x="0" y="14" textLength="9" lengthAdjust="spacingAndGlyphs" font-weight="bold">b</text>"#,
        ##"<text x="9" y="14" textLength="9" lengthAdjust="spacingAndGlyphs" fill="#e5706f" font-style="italic">i</text>"##,
        #"<text x="18" y="14" textLength="9" lengthAdjust="spacingAndGlyphs">u</text>"#,
        ##"<text x="27" y="14" textLength="9" lengthAdjust="spacingAndGlyphs" fill="#8a8c92">d</text>"##,
        ##"<text x="36" y="14" textLength="9" lengthAdjust="spacingAndGlyphs" fill="#17181d">r</text>"##,
      ])
  }

  /// A colour number, the terminal's number of colours, and the fill, which is empty for the terminal's default.
  private static let colors: [(number: Int, colors: Int, fill: String)] = [
    (-1, 256, ""), (9, 16, "#f28f8d"), (16, 256, "#000000"), (21, 256, "#0000ff"), (196, 256, "#ff0000"),
    (231, 256, "#ffffff"), (110, 256, "#87afd7"), (232, 256, "#080808"), (255, 256, "#eeeeee"), (256, 256, ""),
    (9, 8, ""), (1, 0x100_0000, "#e5706f"), (9, 0x100_0000, "#000009"), (0x1A2B3C, 0x100_0000, "#1a2b3c"),
    (0x100_0000, 0x100_0000, ""), (Int.min, 256, ""), (Int.max, 0x100_0000, ""),
  ]

  @Test(arguments: colors)
  func `colours match xterm`(number: Int, colors: Int, fill: String) {
    let line = lines(cells("x", foreground: number), colors: colors).first ?? ""
    #expect(line.contains("fill=") == !fill.isEmpty)
    #expect(fill.isEmpty || line.contains("fill=\"\(fill)\""))
  }

  @Test func `a character that fonts draw differently is placed alone in its cell`() {
    let wide = SnapshotCell(text: "海", columns: 2)
    #expect(
      lines(cells("a★b") + [wide, wide] + [SnapshotCell(text: "e\u{301}")]) == [
        #"<text x="0" y="14" textLength="9" lengthAdjust="spacingAndGlyphs">a</text>"#,
        #"<text x="13.5" y="14" text-anchor="middle">★</text>"#,
        #"<text x="18" y="14" textLength="9" lengthAdjust="spacingAndGlyphs">b</text>"#,
        #"<text x="36" y="14" text-anchor="middle">海</text>"#,
        "<text x=\"49.5\" y=\"14\" text-anchor=\"middle\">e\u{301}</text>",
      ])
  }

  @Test func `lines and blocks are shapes that reach the edges of their cells`() {
    #expect(
      lines(cells("──┐▌")) == [
        ##"<rect x="0" y="9" width="23" height="1" fill="#d8dae0" shape-rendering="crispEdges"/>"##,
        ##"<rect x="22" y="9" width="1" height="9" fill="#d8dae0" shape-rendering="crispEdges"/>"##,
        ##"<rect x="27" y="0" width="5" height="18" fill="#d8dae0" shape-rendering="crispEdges"/>"##,
      ])
  }

  @Test func `the cursor is a block as wide as its character`() {
    let wide = SnapshotCell(text: "海", columns: 2)
    let block = ##"<rect x="0" y="0" width="18" height="18" fill="#d8dae0" shape-rendering="crispEdges"/>"##
    let letter = ##"<text x="9" y="14" text-anchor="middle" fill="#17181d">海</text>"##
    for column in 0...1 {
      #expect(lines([wide, wide], cursor: Point(row: 0, column: column)).map(String.init) == [block, letter])
    }
    for place in [
      Point(row: 0, column: 2), Point(row: 1, column: 0), Point(row: -1, column: 0), Point(row: 0, column: -1),
    ] {
      #expect(lines([wide, wide], cursor: place).count == 1)
    }
  }

  @Test func `the picture of any screen is well-formed`() {
    let hostile = [
      "<", ">", "&", "\"", "'", "\u{0}", "\u{1B}", "\u{FFFE}", "\u{FFFF}", "]", "\u{202E}", "\u{9F}", "\n",
    ]
    let lines = lines(hostile.map { SnapshotCell(text: $0) })
    #expect(lines.contains { $0.contains("&lt;&gt;&amp;&quot;&#39;") })
    #expect(SVGPicture(Snapshot(size: .zero, cells: [])).text.hasSuffix("</svg>\n"))
  }

  /// Whether tags are closed in order, attributes are quoted and unique, and all characters are valid in XML.
  private func isWellFormed(_ text: String) -> Bool {
    guard
      text.unicodeScalars.allSatisfy({ $0 == "\n" || ($0.value >= 0x20 && $0.value != 0xFFFE && $0.value != 0xFFFF) })
    else { return false }
    var rest = text[...]
    if rest.hasPrefix("<?xml "), let end = rest.firstIndex(of: "\n") { rest = rest[end...] }
    var open: [String] = []
    var elements = 0
    while let start = rest.firstIndex(of: "<") {
      guard hasReferencesOnly(rest[..<start]), let end = rest[start...].firstIndex(of: ">") else { return false }
      var tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.first == "/" {
        guard open.popLast() == String(tag.dropFirst()) else { return false }
        continue
      }
      let closes = tag.last == "/"
      if closes { tag = tag.dropLast() }
      let name = tag.prefix { $0.isLetter }
      guard !name.isEmpty, !open.isEmpty || elements == 0, hasAttributes(tag.dropFirst(name.count)) else {
        return false
      }
      elements += 1
      if !closes { open.append(String(name)) }
    }
    return open.isEmpty && elements > 0 && rest.allSatisfy(\.isWhitespace)
  }

  private func hasAttributes(_ text: Substring) -> Bool {
    var rest = text
    var names: Set<Substring> = []
    while !rest.isEmpty {
      guard rest.first == " " else { return false }
      rest = rest.dropFirst()
      let name = rest.prefix { $0.isLetter || $0 == "-" }
      rest = rest.dropFirst(name.count)
      guard !name.isEmpty, names.insert(name).inserted, rest.hasPrefix("=\"") else { return false }
      rest = rest.dropFirst(2)
      guard let end = rest.firstIndex(of: "\""), hasReferencesOnly(rest[..<end]) else { return false }
      rest = rest[rest.index(after: end)...]
    }
    return true
  }

  /// Whether each `&` begins a predefined reference.
  private func hasReferencesOnly(_ text: Substring) -> Bool {
    text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
      ["lt;", "gt;", "amp;", "quot;", "#39;"].contains { part.hasPrefix($0) }
    }
  }
}
