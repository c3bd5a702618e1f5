import Terminal
import TerminalTesting
import Testing

@testable import TerminalCurses

extension CursesTests {
  /// Clusters too long for an ncurses cell are drawn in full by substitutes.
  @MainActor
  @Suite struct Substitutes {
    private static let size = Size(rows: 12, columns: 40)
    private static let marks = "\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}"

    private static let wholeForm = form(drawsEmojiWhole: true)

    private static func form(drawsEmojiWhole: Bool) -> TextForm {
      var form = TextForm.unicode
      form.drawsClustersWhole = true
      form.drawsEmojiWhole = drawsEmojiWhole
      return form
    }

    /// A rule by which terminals compute the width of a cluster.
    enum Rule: CaseIterable {
      /// The width of its first letter (mode 2027 in some terminals).
      case first
      /// The sum of its parts, but at most two.
      case atMostTwo
      /// The width of its first letter, with zero-width marks.
      case marksHaveNone

      @MainActor func columns(of cluster: Character) -> Int {
        let scalars = cluster.unicodeScalars
        if scalars.count > 1, scalars.contains(where: { $0.properties.isEmoji && !$0.isASCII || $0 == "\u{20E3}" }) {
          return 2
        }
        let widths = scalars.map { scalar in
          let isMark = [.nonspacingMark, .spacingMark, .enclosingMark, .format].contains(
            scalar.properties.generalCategory)
          return isMark && (self == .marksHaveNone || scalar.properties.generalCategory != .spacingMark)
            ? 0 : DisplayWidth.columns(of: String(scalar))
        }
        return self == .atMostTwo ? min(2, widths.reduce(0, +)) : widths.first ?? 1
      }
    }

    @Test(arguments: Rule.allCases)
    func `rows of all scripts are aligned if a cluster is narrower than its parts`(rule: Rule) throws {
      let texts =
        try ScriptSamples.languages.flatMap { try ScriptSamples.lines(in: $0) }
        + ["👨‍👩‍👧‍👦 family 🇩🇪 flag", "👍🏽👍🏿 7️⃣ ❤️ x", "x\(Self.marks)y", "plain text, nothing else", "日本語 の テキスト", "ශ්‍රී ලංකාව"]
      try expectAlike(texts, frames: Soak.runs(300), rule)
    }

    @Test(.needsUnicodeData, arguments: [Rule.first, .atMostTwo])
    func `every emoji is drawn whole if the terminal draws sequences`(rule: Rule) throws {
      let emoji = try UnicodeData.emoji().filter { !$0.unicodeScalars.contains { $0.value >= 0xE0000 } }
      let lines = stride(from: 0, to: emoji.count, by: 8).map {
        emoji[$0..<min(emoji.count, $0 + 8)].joined(separator: "|")
      }
      try expectAlike(lines, frames: lines.count / Self.size.rows + 1, rule, isInOrder: true)
      let flag = "🇩🇪" as Character
      let whole = emoji.filter { $0.count == 1 && RenderedText.of($0, Self.wholeForm) == Array($0.unicodeScalars) }
      print("emoji drawn whole: \(whole.count) of \(emoji.count)")
      #expect(RenderedText.of(String(flag), Self.wholeForm) == Array(flag.unicodeScalars))
      #expect(whole.count > 3500)
    }

    /// Draws frames of `texts` and compares the terminal's clusters with the frame's clusters.
    private func expectAlike(_ texts: [String], frames: Int, _ rule: Rule, isInOrder: Bool = false) throws {
      try withScreen(Self.size.rows, Self.size.columns, kind: "vt100", colors: false) { driver, terminal, _ in
        let form = Self.form(drawsEmojiWhole: rule != .marksHaveNone)
        driver.use(form)
        var shown = ClusteringTerminal(
          rows: Self.size.rows, columns: Self.size.columns, joinsClusters: rule != .marksHaveNone
        ) { rule.columns(of: $0) }
        var random = SplitMix(seed: Soak.seed)
        var next = 0
        var rows = (0..<Self.size.rows).map { texts[$0 % texts.count] }
        for frame in 0..<frames {
          if isInOrder {
            rows = rows.indices.map { texts[(next + $0) % texts.count] }
            next += rows.count
          } else {
            Self.change(&rows, texts, &random)
          }
          var grid = CellGrid(size: Self.size)
          for (row, text) in rows.enumerated() {
            let used = grid.write(text, at: Point(row: row, column: 0), style: .plain, form: form)
            grid.write("|", at: Point(row: row, column: used), style: .plain, form: form)
          }
          if !isInOrder, frame % 3 == 0 {
            // Overwrites some columns, which may cut clusters.
            grid.write("+--+", at: Point(row: frame % 12, column: frame % 30), style: .plain, form: form)
          }
          driver.present(Frame(grid: grid))
          shown.show(terminal.takeOutput())
          for row in 0..<Self.size.rows {
            expectSame(grid, shown, row, "seed \(Soak.seed), frame \(frame), row \(row)")
          }
        }
        #expect(shown.unknown == [])
        #expect(driver.refusedSequences == 0)
      }
    }

    private static func change(_ rows: inout [String], _ texts: [String], _ random: inout SplitMix) {
      let row = Int.random(in: rows.indices, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: rows = Array(rows.dropFirst(2)) + rows.prefix(2)
      case 1: rows[row] = texts.randomElement(using: &random) ?? ""
      case 2: rows[row] = " " + rows[row]
      case 3: rows[row] = String(rows[row].dropFirst(Int.random(in: 0...3, using: &random)))
      default: rows[row] = String(rows[row].dropLast(Int.random(in: 0...5, using: &random)))
      }
    }

    private func expectSame(_ grid: CellGrid, _ shown: ClusteringTerminal, _ row: Int, _ comment: String) {
      var column = 0
      while column < grid.size.columns {
        let cell = grid[row, column]
        let columns = max(1, Int(cell.columns))
        let text = shown.text(row: row, columns: column..<(column + columns))
        #expect(text == (cell.text == " " ? "" : cell.text), "\(comment), column \(column)")
        column += columns
      }
    }

    @Test func `clusters with too many marks for a cell are drawn and read back`() throws {
      try withScreen(2, 10) { driver, terminal, _ in
        let text = "a\(Self.marks)日\(Self.marks)|"
        driver.present(picture(2, 10, [text]))
        #expect(meaning(of: driver.screenText.replacing("\n", with: "")) == meaning(of: text))
        #expect(driver.cell(row: 0, column: 3)?.text == "|")
        let sent = String(decoding: terminal.takeOutput(), as: UTF8.self)
        #expect(!sent.unicodeScalars.contains { $0.value >= 0xF0000 })
      }
    }

    @Test func `substitutes are recycled unless they are visible`() throws {
      try withScreen(4, 20) { driver, _, _ in
        for number in 0..<3000 {
          let text = "\(Unicode.Scalar(UInt32(0x4E00 + number)) ?? "x")\(Self.marks)"
          driver.present(picture(4, 20, ["a\(Self.marks)", text, "b\(Self.marks)\(text)"]))
          #expect(
            meaning(of: driver.screenText.filter { $0 != "\n" })
              == meaning(of: "a\(Self.marks)\(text)b\(Self.marks)\(text)"))
        }
        #expect((driver.screen?.substitutes.count ?? .max) < 600)
      }
    }

    @Test func `substitutes in text are replaced`() throws {
      try withScreen(2, 10) { driver, _, _ in
        driver.present(picture(2, 10, ["a\(Self.marks)", "\u{100000}\u{100000}\u{301}\u{10FFFD}|"]))
        #expect(driver.screenText.split(separator: "\n").last == "\u{FFFD}\u{FFFD}\u{FFFD}|")
      }
    }

    @Test(.needsTmux) func `whole clusters look the same in tmux and ncurses`() async throws {
      let texts = try ScriptSamples.languages.flatMap { try ScriptSamples.lines(in: $0) } + ["👨‍👩‍👧|🇩🇪|❤️|7️⃣|", "ශ්‍රී ලංකාව|"]
      let canvas = try await TmuxCanvas.start(rows: Self.size.rows, columns: Self.size.columns)
      do {
        let terminal = MemoryTerminal(size: Self.size)
        let driver = CursesDriver(terminal)
        try driver.start()
        defer { driver.stop() }
        driver.use(Self.wholeForm)
        for first in stride(from: 0, to: texts.count, by: Self.size.rows / 2) {
          var grid = CellGrid(size: Self.size)
          for row in 0..<Self.size.rows {
            let text = texts[(first + row) % texts.count]
            let used = grid.write(text, at: Point(row: row, column: 0), style: .plain, form: Self.wholeForm)
            grid.write("|", at: Point(row: row, column: used), style: .plain, form: Self.wholeForm)
          }
          driver.present(Frame(grid: grid))
          #expect(driver.screenText == grid.text)
          try await canvas.show(terminal.takeOutput())
          // tmux shows the heart and the seven in one column, followed by a blank.
          let rows = try await canvas.rows().map { $0.replacing(" ", with: "") }
          #expect(
            rows
              == grid.text.replacing(" ", with: "").split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init))
        }
      } catch {
        await canvas.stop()
        throw error
      }
      await canvas.stop()
    }
  }
}

/// The text of a cluster as drawn.
private enum RenderedText {
  static func of(_ text: String, _ form: TextForm) -> [Unicode.Scalar] {
    var grid = CellGrid(size: Size(rows: 1, columns: 20))
    grid.write(text, at: .zero, style: .plain, form: form)
    return Array(grid.text(ofRow: 0).unicodeScalars)
  }
}
