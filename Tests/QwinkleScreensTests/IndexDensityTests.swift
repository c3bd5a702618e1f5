import FoundationEssentials
import PaneKit
import QwinkleModel
import QwinkleTesting
import Terminal
import Testing
import Timekeeping

@testable import QwinkleScreens

/// The list density with one row for each qwink.
@MainActor
@Suite struct IndexDensityTests {
  private static let now = Qwink.sample().createdAt
  /// Names of every width, and texts with wide characters.
  nonisolated private static let names = [
    "Al", "Alice Okafor", "fourteen chars", "A name of many words", "日本太郎", "日本太郎日本太郎日本太郎", "🎉🎉🎉 Party 🎉🎉🎉",
    "n\u{303}\u{301}ame", "שלום", "Anna @anna@bank.example",
  ]
  nonisolated private static let widths = [40, 59, 60, 79, 80, 100, 120, 200]

  private func row(_ qwink: Qwink, columns: Int = 80, isRevealed: Bool = false, now: Date = now) -> IndexRow {
    let data = QwinkCellData(qwink, isRevealed: isRevealed, now: now, zone: .gmt)
    let lines = QwinkCellLayout(data, columns: columns, density: .index).lines
    #expect(lines.count == 1)
    return IndexRow(line: lines[0], columns: columns)
  }

  @Test(arguments: widths)
  func `the text begins in the same column after names of any width`(columns: Int) {
    for name in Self.names {
      let author = Qwinker.sample("a", displayName: name)
      let row = row(.sample(text: "Hello there", author: author), columns: columns)
      #expect(row.column(of: "Hello") == 19, "\(name): \(row)")
      let shown = row.text.prefix { $0 != "H" }
      #expect(shown.contains("…") == (DisplayWidth.columns(of: author.shortName) > 14), "\(name): \(row)")
    }
  }

  @Test(arguments: widths)
  func `no row is wider than the window`(columns: Int) {
    for text in ["日本語の文章です。", "word ", "🎉", "Donaudampfschifffahrtsgesellschaft"] {
      for name in Self.names {
        var qwink = Qwink.sample(
          text: String(repeating: text, count: 60), author: .sample("a", displayName: name))
        (qwink.repliesCount, qwink.boostsCount, qwink.favouritesCount) = (12, 345, 6789)
        qwink.visibility = .private
        let row = row(qwink, columns: columns)
        #expect(row.width <= columns - 1, "\(row)")
        #expect(row.text.hasSuffix("…"), "\(row)")
        #expect(row.trailing.hasPrefix("◍") && row.trailing.hasSuffix(" now"), "\(row)")
      }
    }
  }

  /// The counts of replies, boosts and favourites, the age of the qwink in seconds, and the row's end.
  @Test(arguments: [
    (2, 3, 11, 420, "  ↩2   ↻3  ★11   7m"),
    (0, 2, 0, 480, "       ↻2        8m"),
    (0, 0, 0, 180, "                 3m"),
    (120, 0, 999, 90_000, "↩120      ★999   1d"),
    (0, 0, 5, 864_000, "          ★5 20 Nov"),
    (1, 1, 1, 50_000_000, "↩1 ↻1 ★1 Nov 2026"),
  ])
  func `counts are aligned and zeros are left out`(replies: Int, boosts: Int, favourites: Int, age: Int, end: String) {
    var qwink = Qwink.sample(text: "Hello", at: Date(timeIntervalSince1970: 1_795_132_800))
    (qwink.repliesCount, qwink.boostsCount, qwink.favouritesCount) = (replies, boosts, favourites)
    let row = row(qwink, now: qwink.createdAt.addingTimeInterval(Double(age)))
    let padding = String(repeating: " ", count: max(0, end.count - row.trailing.count))
    #expect(padding + row.trailing == end)
  }

  @Test func `longer counts move only the counts to their left`() {
    var qwink = Qwink.sample(text: "Hello")
    (qwink.repliesCount, qwink.boostsCount, qwink.favouritesCount) = (2, 3, 4)
    let short = row(qwink)
    qwink.boostsCount = 12_345
    let long = row(qwink)
    #expect(long.trailing == "↩2 ↻12345   ★4  now")
    #expect(long.column(of: "★4") == short.column(of: "★4"))
  }

  @Test func `narrow windows show fewer counts`() {
    var qwink = Qwink.sample(text: "Hello")
    (qwink.repliesCount, qwink.boostsCount, qwink.favouritesCount) = (2, 3, 4)
    #expect(row(qwink, columns: 40).trailing == " now")
    #expect(row(qwink, columns: 60).trailing.filter { $0 != " " } == "↩2↻3★4now")
    #expect(row(qwink, columns: 80).trailing.filter { $0 != " " } == "↩2↻3★4now")
  }

  @Test func `a symbol before the text marks boosts, replies and warnings`() {
    var qwink = Qwink.sample(text: "Paul dies")
    #expect(row(qwink).text == "alice            Paul dies")
    qwink.inReplyTo = "1"
    #expect(row(qwink).text == "alice          ↩ Paul dies")
    qwink.contentWarning = "Dune"
    #expect(row(qwink).text == "alice          ⚠ Dune")
    #expect(row(qwink, isRevealed: true).text == "alice          ⚠ Paul dies")
    qwink.booster = .sample("bob", displayName: "Bob")
    #expect(row(qwink).text == "alice          ↻ ⚠ Dune")
    #expect(row(qwink, isRevealed: true).text == "alice          ↻ ⚠ Paul dies")
  }

  @Test func `paragraphs and attachments are on the same row`() {
    var qwink = Qwink.sample()
    qwink.text = RichText([
      RichText.Paragraph([RichText.Span("Two:")]),
      RichText.Paragraph([RichText.Span("tea")], style: .item(sign: "•", depth: 1)),
      RichText.Paragraph([RichText.Span("milk")], style: .item(sign: "•", depth: 1)),
    ])
    qwink.attachments = [Attachment(id: "1", kind: .image)]
    #expect(row(qwink).text == "alice            Two: • tea • milk  ▣ \(AttachmentWords.summary(of: qwink))")
  }

  @Test func `the spoken text is the same in all densities`() {
    var qwink = Qwink.sample(text: String(repeating: "Hello there. ", count: 30))
    (qwink.repliesCount, qwink.boostsCount, qwink.favouritesCount) = (2, 12_345, 4)
    let data = QwinkCellData(qwink, isRevealed: false, now: Self.now, zone: .gmt)
    let words = Density.allCases.map { QwinkCell(data, density: $0).words(forColumns: 80) }
    #expect(Set(words).count == 1)
    #expect(words[0]?.first?.contains("2 replies, 12,345 boosts, 4 favourites") ?? false, "\(words)")
  }
}

/// A row as text, with its trailing part at the right edge.
private struct IndexRow: CustomStringConvertible {
  let line: CellLine
  let columns: Int

  var text: String { line.runs.map(\.text).joined() }
  var trailing: String { line.trailing.map(\.text).joined() }
  var width: Int { DisplayWidth.columns(of: "  " + text + "  " + trailing) }

  var description: String {
    let used = line.column + DisplayWidth.columns(of: text) + DisplayWidth.columns(of: trailing)
    let left = String(repeating: " ", count: line.column) + text
    return left + String(repeating: " ", count: max(0, columns - 1 - used)) + trailing
  }

  /// Returns the first column of `part`.
  func column(of part: String) -> Int? {
    description.firstRange(of: part).map { DisplayWidth.columns(of: description[..<$0.lowerBound]) }
  }
}
