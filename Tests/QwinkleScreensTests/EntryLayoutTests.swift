import PaneKit
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Layout of an entry at every window size.
@MainActor
@Suite(.bounded) struct EntryLayoutTests {
  nonisolated private static let sizes = [(12, 40), (24, 80), (30, 100), (40, 120), (45, 160), (50, 200)]

  private func writing(
    _ purpose: EntryPurpose, _ text: String = "", rows: Int = 30, columns: Int = 100
  ) async throws -> Screen {
    let screen = try await Screen.settled(ScriptedTimeline([1]), rows: rows, columns: columns)
    screen.main.write(purpose)
    screen.type(text)
    await screen.settle()
    return screen
  }

  private func answered(_ text: String, at rows: Int, _ columns: Int) async throws -> Screen {
    let qwink = Qwink.sample(id: "70", text: text, author: .sample("erin"), at: ScriptedTimeline.start)
    return try await writing(.reply(to: qwink), rows: rows, columns: columns)
  }

  private func sheet(_ screen: Screen) -> ArraySlice<String> {
    let top = screen.lines.lastIndex { $0.hasPrefix("── ") } ?? 0
    return screen.lines[top...]
  }

  /// The row of fields without surrounding blanks.
  private func fields(_ screen: Screen) -> String {
    (sheet(screen).last { $0.contains(" / 500") } ?? "").trimmingBlanks
  }

  // MARK: Text

  @Test(arguments: sizes) func `text wraps at 80 columns and is complete`(rows: Int, columns: Int) async throws {
    let words = (10..<60).map { "word\($0)" }
    let screen = try await writing(.new, words.joined(separator: " "), rows: rows, columns: columns)
    let text = sheet(screen).filter { $0.contains("word") }.map(\.trimmingBlanks)
    #expect(text.allSatisfy { $0.count <= 80 })
    #expect(text.last?.hasSuffix("word59") == true)
    // Only a small window scrolls the first lines away.
    if rows >= 24 { #expect(text.joined(separator: " ") == words.joined(separator: " ")) }
    if columns >= 100 { #expect(text.contains { $0.count > 70 }) }
  }

  // MARK: Parent post

  @Test(arguments: sizes.dropFirst()) func `the parent is shown in full above the text between rules`(
    rows: Int, columns: Int
  ) async throws {
    let words = (10..<50).map { "word\($0)" }
    let screen = try await answered(words.joined(separator: " "), at: rows, columns)
    let sheet = Array(sheet(screen))
    let title = EntryWords.title(of: .reply(to: .sample(author: .sample("erin"))), me: nil)
    #expect(sheet[0].contains(title))
    #expect(sheet[1].hasPrefix("  erin · now   word10 word11"))
    let end = try #require(sheet.firstIndex { $0.hasPrefix("  ──") })
    let quote = sheet[1..<end].map(\.trimmingBlanks)
    #expect(quote.joined(separator: " ").hasSuffix(words.joined(separator: " ")))
    #expect(sheet[end].trimmingBlanks.count == min(80, columns - 3) && quote.allSatisfy { $0.count <= 80 })
    #expect(sheet[end + 1].hasPrefix("  @erin"))
  }

  @Test func `the parent keeps its paragraphs and lists its attachments`() async throws {
    var qwink = Qwink.sample(id: "70", text: "One.\n\nTwo.", author: .sample("erin"), at: ScriptedTimeline.start)
    qwink.attachments = [Attachment(id: "5", kind: .image, altText: "a kiosk")]
    let screen = try await writing(.reply(to: qwink))
    let sheet = sheet(screen).map(\.trimmingBlanks)
    let first = try #require(sheet.firstIndex { $0.hasSuffix("One.") })
    #expect(Array(sheet[first...].dropFirst().prefix(3)) == ["", "Two.", "▣ \(AttachmentWords.summary(of: qwink))"])
  }

  @Test func `the parent shrinks to one row in a small window and disappears in a smaller one`() async throws {
    let screen = try await answered("The trains were on time, all three of them, today.", at: 12, 40)
    #expect(screen.text.contains(" › erin: The trains were on time, all…"))
    #expect(sheet(screen).count <= 8)
    screen.resize(rows: 8, columns: 40)
    #expect(!screen.text.contains("trains were") && screen.text.contains("@erin"))
  }

  @Test func `a tall parent takes at most half of the sheet and scrolls`() async throws {
    let lines = (10..<60).map { "line\($0)" }
    let screen = try await answered(lines.joined(separator: "\n"), at: 24, 80)
    let shown = sheet(screen)
    let quoted = shown.filter { $0.contains("line") }
    #expect(quoted.count >= 4 && quoted.count * 2 <= shown.count)
    #expect(quoted.last?.hasSuffix(" … \(withKeys(EntryWords.scrollKey))") == true && screen.text.contains("line10"))
    screen.strike("PgDn")
    #expect(!screen.text.contains("line10") && screen.text.contains("line18"))
    for _ in 0..<20 { screen.strike("PgDn") }
    #expect(screen.text.contains("line59") && !screen.text.contains(" …"))
    for _ in 0..<20 { screen.strike("PgUp") }
    #expect(screen.text.contains("line10"))
    screen.type("Yes.")
    #expect(screen.text.contains("@erin Yes."))
  }

  // MARK: Fields

  @Test(arguments: [(40, 1), (60, 1), (80, 2), (100, 3)])
  func `narrow rows show fewer fields but never cut one`(columns: Int, count: Int) async throws {
    let screen = try await writing(.new, "Hello", columns: columns)
    let fields = fields(screen)
    let visibility = columns < 60 ? EntryWords.name(of: .public) : EntryWords.words(for: .public)
    let all = [
      "\(EntryWords.visibilityLabel)  \(visibility) (^T)",
      "\(EntryWords.warningLabel)  \(EntryWords.noWarning) (^X w)",
      "\(EntryWords.languageLabel)  \(EntryWords.usualLanguage) (^X l)",
    ]
    let words = all.prefix(count).joined(separator: "   ")
    #expect(fields.hasPrefix(words) && fields.hasSuffix(" 5 / 500"), "\(fields)")
    #expect(fields.dropFirst(words.count).dropLast("5 / 500".count).allSatisfy { $0 == " " })
  }

  @Test(arguments: sizes) func `the visibility is never cut`(rows: Int, columns: Int) async throws {
    let screen = try await writing(.new, "Hello", rows: rows, columns: columns)
    for visibility in [Visibility.public, .unlisted, .private] {
      let fields = fields(screen)
      let words = "\(EntryWords.visibilityLabel)  \(EntryWords.name(of: visibility))"
      #expect(fields.hasPrefix(words) && fields.contains("(^T)"))
      #expect(!fields.contains("…") && fields.hasSuffix(" 5 / 500"))
      screen.strike("^T")
    }
  }

  @Test(arguments: sizes.dropFirst()) func `the rule above the fields ends at the same column`(rows: Int, columns: Int)
    async throws
  {
    let screen = try await writing(.new, "Hello", rows: rows, columns: columns)
    let sheet = Array(sheet(screen))
    let place = try #require(sheet.lastIndex { $0.contains(" / 500") })
    func end(_ row: String) -> Int {
      row.lastIndex { $0 != " " }.map { row.distance(from: row.startIndex, to: $0) } ?? 0
    }
    #expect(sheet[place - 1].trimmingBlanks.allSatisfy { $0 == "─" }, "\(screen.text)")
    #expect(end(sheet[place - 1]) == end(sheet[place]), "\(screen.text)")
  }

  @Test func `the fields show the number of characters and any excess`() async throws {
    let screen = try await writing(.new, String(repeating: "é", count: 88))
    #expect(fields(screen).hasSuffix(" 88 / 500"))
    screen.paste(String(repeating: "é", count: 424))
    #expect(fields(screen).hasSuffix(" −12 / 500"))
  }

  @Test func `a warning with a line above the text is not repeated in the fields`() async throws {
    let screen = try await writing(.new)
    let (label, placeholder) = (EntryWords.warningLabel, EntryWords.warningPlaceholder)
    screen.strike("^X", "w")
    #expect(screen.text.contains("\(label)  \(placeholder)") && !fields(screen).contains(label))
    screen.type("Film")
    screen.strike("Enter")
    #expect(screen.text.contains("\(label)  Film") && !fields(screen).contains(label))
    screen.strike("^X", "w", "^U", "Enter")
    #expect(!screen.text.contains(placeholder) && fields(screen).contains("\(label)  \(EntryWords.noWarning) (^X w)"))
  }

  // MARK: Language

  @Test func `^X l sets the language, which is saved and sent`() async throws {
    let screen = try await writing(.new, "Guten Morgen")
    let label = EntryWords.languageLabel
    screen.strike("^X", "l")
    #expect(screen.text.contains("\(label)  \(EntryWords.languagePlaceholder)"))
    screen.type("de")
    screen.strike("Enter")
    #expect(fields(screen).contains("\(label)  de (^X l)"))
    await screen.press("Esc", "c")
    #expect(fields(screen).contains("\(label)  de (^X l)"))
    await screen.press("^D")
    #expect(screen.server.posted.map(\.language) == ["de"])
    await screen.press("c")
    #expect(fields(screen).contains("\(label)  \(EntryWords.usualLanguage) (^X l)"))
    screen.type("Hello")
    await screen.press("^D")
    #expect(screen.server.posted.map(\.language) == ["de", nil])
  }

  @Test func `an invalid language is not sent`() async throws {
    let screen = try await writing(.new, "Hello")
    screen.strike("^X", "l")
    screen.type("german!")
    await screen.press("Enter", "^D")
    #expect(screen.text.contains(EntryProblem.noLanguage("german!").sentence))
    #expect(screen.server.posted.isEmpty)
    await screen.press("^X", "l", "^U", "Esc", "^D")
    #expect(screen.server.posted.map(\.language) == [nil])
  }

  // MARK: Hints

  @Test(arguments: [(40, [0, 1]), (60, [0, 1, 2, 5]), (80, Array(0...5)), (100, Array(0...6))])
  func `the bottom bar shows the most useful keys that fit`(columns: Int, shown: [Int]) async throws {
    let screen = try await writing(.new, columns: columns)
    let hints = [
      "^D \(EntryWords.sending(.new))", try Screen.hint(for: .entryLeave),
      try Screen.hint(for: .entryDiscard, in: .entry), try Screen.hint(for: .entryEditor, in: .entry),
      "\(EntryWords.undoKey) \(EntryWords.undo)", "F1 \(EntryWords.help)",
      try Screen.hint(for: .entryComplete, in: .entry),
    ]
    #expect(screen.status.trimmingBlanks == shown.map { hints[$0] }.joined(separator: "  "))
  }

  @Test func `the help opens at the keys for writing`() async throws {
    let screen = try await writing(.new, "Hello")
    screen.strike("F1")
    let help = sheet(screen).map(\.trimmingBlanks)
    let first = help.dropFirst().first { !$0.isEmpty }
    let heading = try Screen.helpHeading(of: .entry)
    #expect(first?.hasPrefix(heading) == true, "\(help)")
    screen.strike("F1")
    #expect(screen.sheetTitle == EntryWords.newQwink)
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
