import FoundationEssentials
import PaneKit
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct QwinkCellLayoutTests {
  // MARK: Positions

  @Test func `a plain qwink has a name line, its text and an empty line`() {
    let layout = QwinkCellLayout(data(.sample(text: "Hello there")), columns: 80)
    #expect(layout.lines.count == 3)
    #expect(layout.lines.map { $0.avatar != nil } == [true, false, false])
    #expect(layout.lines[0].runs.map(\.text).joined() == "alice  @alice")
    #expect(layout.lines[0].trailing.map(\.text).joined() == " now")
    #expect(layout.lines[1].runs.map(\.text).joined() == "Hello there")
    #expect(layout.lines[1].column == layout.lines[0].column)
    #expect(layout.lines[2].runs.isEmpty)
  }

  @Test(arguments: [(59, 6, 1), (36, 6, 1), (35, 2, 1), (30, 2, 1), (24, 2, 2)])
  func `below 60 columns the handle has its own line if it doesn't fit`(columns: Int, text: Int, rows: Int) {
    let layout = QwinkCellLayout(data(.sample(text: "Hello there")), columns: columns)
    let names = layout.lines.prefix(rows).map { $0.runs.map(\.text).joined() }
    #expect(names == (rows == 1 ? ["alice  @alice"] : ["alice", "@alice"]))
    #expect(layout.lines[rows].column == text && layout.lines[rows].runs.map(\.text).joined().hasPrefix("Hello"))
  }

  @Test func `wrapped list items are indented and every quoted line has its marker`() {
    var qwink = Qwink.sample()
    qwink.text = RichText([
      RichText.Paragraph([RichText.Span("one two three four")], style: .item(sign: "10.", depth: 1)),
      RichText.Paragraph([RichText.Span("five six seven eight")], style: .quote),
    ])
    let texts = QwinkCellLayout(data(qwink), columns: 20).lines.dropFirst(2).map { $0.runs.map(\.text).joined() }
    #expect(texts == ["  10. one two", "      three four", "", "› five six seven", "› eight", ""])
  }

  @Test func `emoji shortcodes are ignored in the initials of a name`() {
    func letters(_ name: String) -> String { AvatarInitials.letters(of: .sample("alice", displayName: name)) }
    #expect(letters("Akio :verified: :blobcat:") == "AK")
    #expect(letters(":blobcat:") == "AL")
    #expect(letters("Akio: a life") == "AA")
    #expect(letters("Ratio 3:4:x y") == "R3")
  }

  @Test func `counts of zero are hidden and the user's own marks are shown`() {
    var qwink = Qwink.sample()
    qwink.boostsCount = 3
    qwink.isFavourite = true
    let trailing = QwinkCellLayout(data(qwink), columns: 80).lines[0].trailing.map(\.text).joined()
    #expect(trailing == "↻3    ★  now")
  }

  @Test func `a sensitive picture without a warning is labelled as sensitive`() {
    var qwink = Qwink.sample()
    qwink.attachments = [.init(id: "1", kind: .image, url: "https://files.example/1.png", altText: "a kiosk")]
    qwink.isSensitive = true
    func whole() -> String {
      WholeQwink(open: qwink).paragraphs.joined().map(\.text).joined()
    }
    let extras = data(qwink).extras.joined().map(\.text).joined()
    #expect(extras == "▣ \(AttachmentWords.summary(of: qwink))" && extras.contains(AttachmentWords.sensitive))
    #expect(whole().contains("\(AttachmentWords.sensitive): a kiosk"))
    // A content warning replaces the label.
    qwink.contentWarning = "A kiosk"
    #expect(!data(qwink).extras.joined().map(\.text).joined().contains(AttachmentWords.sensitive))
    #expect(!whole().contains(AttachmentWords.sensitive))
  }

  @Test func `a poll shows its end time or that it is closed`() {
    func words(_ poll: Poll) -> String {
      var qwink = Qwink.sample()
      qwink.poll = poll
      return WholeQwink(open: qwink).paragraphs.joined().map(\.text).joined()
    }
    var poll = Poll(id: "1", options: [.init(title: "Tea", votesCount: 0)])
    let vote = PollWords.vote.map(\.text).joined()
    #expect(words(poll).contains("0 votes, open\(vote)"))
    poll.expiresAt = Date(timeIntervalSince1970: 1_800_000_000)
    #expect(words(poll).contains("0 votes, open until 15 Jan 2027, 08:00\(vote)"))
    poll.isExpired = true
    #expect(words(poll).contains("0 votes, closed") && !words(poll).contains(vote))
    // The server may report the end late.
    (poll.isExpired, poll.expiresAt) = (false, Qwink.sample().createdAt)
    #expect(words(poll).contains("0 votes, closed") && !words(poll).contains(vote))
  }

  @Test func `a picture without a description is labelled next to a described one`() {
    let kiosk = Attachment(id: "1", kind: .image, url: "https://files.example/1.png", altText: "a kiosk")
    var plain = kiosk
    plain.altText = nil
    let pictures = "2 \(AttachmentWords.word(.image))s"
    #expect(AttachmentWords.summary(of: [kiosk, plain]) == "\(pictures): a kiosk / \(AttachmentWords.noDescription)")
    #expect(AttachmentWords.summary(of: [plain, plain]) == pictures)
  }

  @Test func `a card's title is below the text with a differing host and hidden by a warning`() {
    var qwink = Qwink.sample(text: "Read this")
    qwink.card = Qwink.Card(url: "https://example.org/leeks", title: "All about leeks")
    let lines = QwinkCellLayout(data(qwink), columns: 80).lines
    let text = lines.firstIndex { $0.runs.map(\.text).joined() == "Read this" } ?? -1
    #expect(lines[text + 1].runs.map(\.text).joined().hasPrefix("↗ example.org · All about leeks"), "\(lines)")
    #expect(lines[text + 1].column == lines[text].column)
    qwink.card?.url = "https://elsewhere.example/leeks"
    qwink.card?.title = "leeks.example"
    let named = QwinkCellLayout(data(qwink), columns: 80).lines[text + 1].runs.map(\.text).joined()
    #expect(named.contains("leeks.example") && named.contains("[elsewhere.example]"), "\(named)")
    qwink.contentWarning = "Vegetables"
    let hidden = QwinkCellLayout(data(qwink), columns: 80).lines.flatMap(\.runs).map(\.text).joined()
    #expect(!hidden.contains("leeks"), "\(hidden)")
  }

  @Test func `times are aligned`() {
    let ends = [0, 3000, 50_000, 86_400 * 3].map { secondsAgo -> Int in
      let qwink = Qwink.sample(at: ScriptedTimeline.start.addingTimeInterval(-Double(secondsAgo)))
      return QwinkCellLayout(data(qwink), columns: 80).lines[0].trailing.reduce(0) {
        $0 + DisplayWidth.columns(of: $1.text)
      }
    }
    #expect(Set(ends).count == 1)
  }

  @Test func `content behind a warning is laid out only once it is revealed`() {
    var qwink = Qwink.sample(text: "It was the butler.")
    qwink.contentWarning = "Film"
    qwink.attachments = [Attachment(id: "1", kind: .image, altText: "the butler")]
    let hidden = QwinkCellLayout(data(qwink), columns: 80)
    let shown = QwinkCellLayout(data(qwink, isRevealed: true), columns: 80)
    #expect(!hidden.text.contains("butler"))
    #expect(hidden.text.contains("⚠ Film"))
    #expect(shown.text.contains("It was the butler."))
    #expect(shown.text.contains(AttachmentWords.summary(of: qwink.attachments)))
  }

  @Test func `text is never wider than the maximum`() {
    let text = String(repeating: "word ", count: 100)
    let layout = QwinkCellLayout(data(.sample(text: text)), columns: 200)
    let widths = layout.lines.map(\.width)
    #expect((75...ContentWidth.text).contains(widths.max() ?? 0), "\(widths)")
  }

  // MARK: Random content

  @Test(arguments: Soak.seeds(8))
  func `every line fits and no text is lost at any width`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let qwink = AnyQwink.make(using: &random)
    let wanted = qwink.text.paragraphs.map(\.plainText).joined().filter { !$0.isWhitespace }
    for columns in 1...200 {
      let layout = QwinkCellLayout(data(qwink, isRevealed: true), columns: columns)
      for line in layout.lines where line.avatar == nil && line.trailing.isEmpty && line.column + 2 < columns {
        guard line.runs.first?.text.hasPrefix("↻ ") != true, line.runs.first?.attribute != .dim else { continue }
        #expect(line.column + line.width <= columns, "\(columns) columns: \(line.runs)")
      }
      if columns >= 12 {
        let text = layout.text.filter { !$0.isWhitespace }
        #expect(text.contains(wanted), "\(columns) columns")
      }
    }
  }

  @Test(arguments: Soak.seeds(4))
  func `a cell draws exactly as many rows as it requests`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let cells = (0..<6).map { _ in
      QwinkCell(data(AnyQwink.make(using: &random), isRevealed: Bool.random(using: &random)))
    }
    let fixture = try CellFixture(cells)
    for columns in 1...200 {
      fixture.driver.resize(rows: 60, columns: columns)
      let rows = (0..<60).map(fixture.driver.row)
      var row = 0
      for cell in cells {
        let height = cell.rows(forColumns: columns)
        guard row + height <= 60 else { break }
        #expect(rows[row + height - 1] == "", "the last row of a cell is empty at \(columns) columns")
        if columns >= 24 {
          let first = row
          #expect(rows[first].hasSuffix(cell.data.time), "the time is whole at \(columns) columns: \(rows[first])")
          // The selection bar is in the first two columns.
          #expect(rows[first].dropFirst(2).first ?? " " != " ", "\(columns) columns: \(rows[first])")
        }
        row += height
      }
    }
  }

  @Test func `a name that does not fit is truncated before the time`() throws {
    let name = String(repeating: "Maximilian ", count: 20)
    let cell = QwinkCell(data(.sample(author: .sample("max", displayName: name))))
    let fixture = try CellFixture([cell])
    for columns in 24...120 {
      fixture.driver.resize(rows: 10, columns: columns)
      #expect(fixture.driver.row(0).contains("…"))
      #expect(fixture.driver.row(0).hasSuffix("now"))
    }
  }

  private func data(_ qwink: Qwink, isRevealed: Bool = false) -> QwinkCellData {
    QwinkCellData(qwink, isRevealed: isRevealed, now: ScriptedTimeline.start, zone: .gmt)
  }
}

extension QwinkCellLayout {
  fileprivate var text: String {
    lines.map { $0.runs.map(\.text).joined() }.joined(separator: "\n")
  }
}

extension CellLine {
  fileprivate var width: Int { runs.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } }
}

@MainActor
private final class CellFixture: ListViewDataSource {
  let driver = MemoryDriver(rows: 60, columns: 80)
  private let cells: [QwinkCell]
  private let list = ListView()
  private let application: Application

  init(_ cells: [QwinkCell]) throws {
    self.cells = cells
    application = Application(driver: driver, clock: VirtualClock(), keymap: Keymap([]), theme: .terminal)
    list.dataSource = self
    application.window.rootViewController = ViewController(view: list)
    list.reloadData()
    try application.launch()
  }

  func numberOfItems(in listView: ListView) -> Int { cells.count }
  func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell { cells[index] }
}

private enum AnyQwink {
  private static let words = [
    "frost", "a", "the", "kiosk", "🎉", "👩‍👩‍👧‍👦", "🇩🇪", "日本語の文章です。", "שלום", "مرحبا بكم", "e\u{301}té",
    "n\u{303}\u{301}\u{302}",
    "https://example.org/" + String(repeating: "long/", count: 20), "Donaudampfschifffahrtsgesellschaftskapitän",
    "ｆｕｌｌ", "한국어",
    "👍🏽", "1️⃣", "नमस्ते", "ไทย", "—", "“quoted”", "(x)", "½", "\n", "#tag", "❤️",
  ]

  static func make(using random: inout SplitMix) -> Qwink {
    func text(_ most: Int) -> String {
      (0..<Int.random(in: 1...most, using: &random)).map { _ in words.randomElement(using: &random) ?? "x" }
        .joined(separator: " ")
    }
    func line(_ most: Int) -> String { text(most).replacing("\n", with: " ") }
    let author = Qwinker(id: "1", userName: "user", handle: "user@" + line(1), displayName: line(6))
    var qwink = Qwink.sample(
      text: text(60), author: author,
      at: ScriptedTimeline.start.addingTimeInterval(-Double.random(in: 0...40_000_000, using: &random)))
    if Bool.random(using: &random) { qwink.booster = .sample("b", displayName: line(5)) }
    if Bool.random(using: &random) { qwink.contentWarning = line(12) }
    if Bool.random(using: &random) { qwink.visibility = .direct }
    qwink.boostsCount = Int.random(in: 0...120_000, using: &random)
    qwink.favouritesCount = Int.random(in: 0...3, using: &random)
    qwink.repliesCount = Int.random(in: 0...30, using: &random)
    if Bool.random(using: &random) { qwink.attachments = [Attachment(id: "1", kind: .image, altText: line(30))] }
    return qwink
  }
}
