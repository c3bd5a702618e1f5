import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The form of a poll in an entry.
@MainActor
@Suite(.bounded) struct EntryPollTests {
  /// Opens an entry and the form of its poll.
  private func opened(
    on server: ScriptedTimeline = ScriptedTimeline([1]), rows: Int = 24, columns: Int = 80,
    in folder: TemporaryFolder = TemporaryFolder(), isLinear: Bool = false
  ) async throws -> Screen {
    let screen = try await Screen.settled(server, rows: rows, columns: columns, in: folder, isLinear: isLinear)
    screen.strike("c")
    screen.type("Which?")
    await screen.press("^X", "p")
    return screen
  }

  /// Presses keys. A text after `=` is typed, and a text after `<` is pasted.
  private func enter(_ keys: [String], in screen: Screen) async {
    for key in keys {
      switch key.first {
      case "=": screen.type(String(key.dropFirst()))
      case "<": screen.paste(String(key.dropFirst()))
      default: screen.strike(key)
      }
    }
    await screen.turn()
  }

  private func view(on screen: Screen) throws -> EntryPollView {
    try #require(screen.application.window.topSheet as? EntryViewController).poll
  }

  struct Typed: Sendable, CustomTestStringConvertible {
    let keys: [String]
    let options: [String]
    var duration = ""
    /// Whether several choices are allowed, and whether votes are hidden.
    var choices = [false, false]
    /// The focused row, or nil if the form is closed.
    let row: Int?

    var testDescription: String { keys.joined(separator: " ") }
  }

  /// Keys after which the form has two options.
  private nonisolated static func two(_ keys: String...) -> [String] { ["=Tea", "Enter", "=Coffee"] + keys }

  private nonisolated static let table: [Typed] = [
    Typed(keys: [], options: ["", ""], row: 0),
    Typed(keys: two(), options: ["Tea", "Coffee"], row: 1),
    // Enter adds an option after the last one, unless that is empty or the server accepts no more.
    Typed(keys: two("Enter"), options: ["Tea", "Coffee", ""], row: 2),
    Typed(keys: two("Enter", "Enter"), options: ["Tea", "Coffee", ""], row: 3),
    Typed(
      keys: two("Enter", "=Milk", "Enter", "=Water", "Enter", "=3d"), options: ["Tea", "Coffee", "Milk", "Water"],
      duration: "3d", row: 4),
    Typed(keys: two("Tab", "Down", "Tab"), options: ["Tea", "Coffee"], row: 4),
    Typed(keys: two("S-Tab", "=!", "^N", "=?", "^P", "=."), options: ["Tea!.", "Coffee?"], row: 0),
    Typed(keys: two("Up", "Enter"), options: ["Tea", "Coffee"], row: 1),
    // Backspace in an empty option removes it.
    Typed(keys: two("Enter", "^H"), options: ["Tea", "Coffee"], row: 1),
    Typed(keys: ["=Tea", "Enter", "^H", "=!"], options: ["Tea!", ""], row: 0),
    Typed(
      keys: two("Enter", "=Milk", "Up", "^U", "^H", "Down", "=."), options: ["Tea", "Milk."], row: 1),
    Typed(keys: two("Enter", "=Milk", "Up", "Up", "^U", "^H"), options: ["Coffee", "Milk"], row: 0),
    Typed(
      keys: two("Down", "=3 days", "Down", "= ", "Right", "= ", "Left", "=  "), options: ["Tea", "Coffee"],
      duration: "3 days", choices: [true, true], row: 3),
    Typed(
      keys: two("Down", "Down", "=yn", "Enter", "=y"), options: ["Tea", "Coffee"], choices: [false, true], row: 4),
    // After the last row, the text has the focus.
    Typed(keys: two("Down", "Down", "Down", "Enter", "=."), options: ["Tea", "Coffee"], row: nil),
    Typed(keys: two("Esc", "=."), options: ["Tea", "Coffee"], row: nil),
    Typed(keys: two("Esc", "^X", "p"), options: ["Tea", "Coffee"], row: 0),
    // A whole poll in one row.
    Typed(
      keys: ["=Tea | Coffee | 3d | several", "Enter"], options: ["Tea", "Coffee"], duration: "3 days",
      choices: [true, false], row: nil),
    Typed(keys: ["=Tea|Coffee|hidden", "Esc"], options: ["Tea", "Coffee"], choices: [false, true], row: nil),
    Typed(keys: ["=a|b", "Up", "Left"], options: ["a|b", ""], row: 0),
    Typed(keys: ["<Tea\nCoffee\r\n\nMilk\n"], options: ["Tea", "Coffee", "Milk"], row: 2),
    Typed(keys: ["=ab", "Left", "<x\ny", "=!"], options: ["ax", "y!b"], row: 1),
    Typed(keys: ["<Tea", "Enter", "<a\nb\nc\nd\ne"], options: ["Tea", "a", "b", "c", "d", "e"], row: 5),
    Typed(keys: two("Down", "<3d\n"), options: ["Tea", "Coffee"], duration: "3d", row: 2),
  ]

  @Test(arguments: table)
  func `keys fill in the rows`(typed: Typed) async throws {
    let screen = try await opened()
    await enter(typed.keys, in: screen)
    let poll = try view(on: screen)
    #expect(poll.form.options == typed.options, "\(screen.text)")
    #expect(poll.form.duration == typed.duration)
    #expect([poll.form.allowsSeveral, poll.form.hidesTotals] == typed.choices)
    #expect(poll.focusedIndex == typed.row && poll.isOpen == (typed.row != nil), "\(screen.text)")
    guard typed.row != nil else { return #expect(screen.text.contains("Poll  Tea | Coffee | "), "\(screen.text)") }
    for (index, option) in typed.options.enumerated() {
      let row = option.isEmpty ? EntryWords.pollOption(index + 1) : "\(EntryWords.pollOption(index + 1))    \(option)"
      #expect(screen.text.contains(row), "\(screen.text)")
    }
  }

  @Test func `the limits of the server apply and the length is shown`() async throws {
    let server = ScriptedTimeline([1])
    var info = ServerInfo(title: "Tilde", domain: ScriptedTimeline.host)
    info.limits.polls = ServerInfo.PollLimits(options: 3, charactersPerOption: 5)
    let instance = WireEncoder.serverInfoV2(info)
    server.handle(.get, "/api/v2/instance") { _ in .json(instance) }
    let screen = try await opened(on: server)
    await enter(Self.two("Enter", "=Milk", "Enter"), in: screen)
    #expect(try view(on: screen).focusedIndex == 3 && !screen.text.contains("Option 4"), "\(screen.text)")
    // The length of an option that is too long stays visible.
    #expect(screen.line(of: "Option 2").hasSuffix("−1 / 5") && !screen.line(of: "Option 3").contains("/"))
    await enter(["Up"], in: screen)
    #expect(screen.line(of: "Option 3").hasSuffix("4 / 5"), "\(screen.text)")
    await screen.press("^D")
    #expect(screen.unwrapped.contains("Option 2 of the poll is 1 character over the server's limit."))
    #expect(try view(on: screen).focusedIndex == 1 && server.posted.isEmpty)
    await screen.press("^H", "^D")
    #expect(server.posted.map(\.options) == [["Tea", "Coffe", "Milk"]], "\(screen.text)")
  }

  @Test(arguments: [
    (["=Tea"], 1, "A poll has 2 to 4 options, not 1."),
    (two("Enter", "=Tea"), 2, "Option 3 of the poll is the same as option 1."),
    (two("Up", "^U"), 0, "Option 1 of the poll is empty."),
    (two("Tab", "=soon"), 2, "“soon” isn't a duration of a poll, such as 30m, 8h or 3 days."),
    (two("Tab", "=1m"), 2, "On this server, a poll lasts 5 minutes to 30 days."),
    (["<a\nb\nc\nd\ne"], 4, "A poll has 2 to 4 options, not 5."),
  ])
  func `an invalid poll is refused and the row at fault has the focus`(
    keys: [String], row: Int, reason: String
  ) async throws {
    let server = ScriptedTimeline([1])
    let screen = try await opened(on: server)
    await enter(keys, in: screen)
    let form = try view(on: screen).form
    await screen.press("^D")
    #expect(screen.unwrapped.contains(reason) && server.posted.isEmpty, "\(screen.text)")
    #expect(try view(on: screen).focusedIndex == row && view(on: screen).form == form)
  }

  @Test func `an empty option at the end and a poll without options are not sent`() async throws {
    let server = ScriptedTimeline([1])
    var screen = try await opened(on: server)
    await enter(["= Tea ", "Enter", "=Coffee", "Enter", "^D"], in: screen)
    await screen.settle()
    #expect(server.posted.map(\.options) == [["Tea", "Coffee"]], "\(screen.text)")
    screen = try await opened(on: server)
    await enter(["Down", "Down", "Down", "= ", "^D"], in: screen)
    await screen.settle()
    #expect(server.posted.map(\.options) == [["Tea", "Coffee"], []], "\(screen.text)")
  }

  @Test(
    arguments: [
      two("Enter", "= Mi"), ["= Tea |"], ["=日本のお茶", "Tab", "=🍵👩‍🚀", "Tab", "=3 da", "Tab", "= "],
      ["Down", "Down", "=so"], two("Enter", "Enter", "Enter", "Enter", "= "),
    ], [true, false])
  func `a half-typed form is restored after a restart`(keys: [String], isKilled: Bool) async throws {
    let run = TemporaryFolder()
    let first = try await opened(in: run)
    await enter(keys, in: first)
    if isKilled {
      await first.settle()
      await first.pass(.seconds(5))
    }
    let (form, row) = (try view(on: first).form, try view(on: first).focusedIndex)
    if !isKilled { await first.press("Esc", "Esc") }
    first.kill()
    let second = try await Screen.settled(ScriptedTimeline([1]), in: run)
    if second.sheetTitle == nil { await second.press("c") }
    let restored = try view(on: second)
    // Esc splits a poll typed into one row.
    #expect(restored.form == (isKilled ? form : form.split), "\(second.text)")
    if isKilled { #expect(restored.focusedIndex == row, "\(second.text)") }
  }

  @Test(
    arguments: [
      Size(rows: 12, columns: 40), Size(rows: 20, columns: 60), Size(rows: 24, columns: 80), Size(rows: 9, columns: 30),
    ], [[], ["^X", "w", "=boats", "Enter", "^X", "t", "=2h", "Enter"]])
  func `the focused row is visible in every window`(size: Size, before: [String]) async throws {
    let screen = try await opened(rows: size.rows, columns: size.columns)
    await enter(before + (before.isEmpty ? [] : ["^X", "p"]), in: screen)
    await enter(["=日本", "Enter", "=🍵", "Enter", "=Milk", "Enter", "=Water"], in: screen)
    let labels =
      (1...4).map { EntryWords.pollOption($0) } + [
        EntryWords.pollDuration, EntryWords.pollSeveral, EntryWords.pollHidden,
      ]
    for _ in 1..<4 { screen.strike("Up") }
    for (row, label) in labels.enumerated() {
      await screen.turn()
      let cursor = try #require(screen.cursor)
      #expect(screen.lines[cursor.row].contains(label), "row \(row):\n\(screen.text)")
      #expect(try view(on: screen).focusedIndex == row)
      screen.strike("Down")
    }
    await screen.turn()
    #expect(screen.text.contains("Which?"), "\(screen.text)")
  }

  @Test func `clicks open the form and change a choice`() async throws {
    let screen = try await opened()
    await enter(Self.two("Esc"), in: screen)
    func click(_ words: String) async throws {
      let row = try #require(screen.lines.firstIndex { $0.contains(words) })
      let start = try #require(screen.lines[row].ranges(of: words).first?.lowerBound)
      screen.driver.mouse(.press, row: row, column: screen.lines[row][..<start].count)
      await screen.turn()
    }
    try await click("Poll  Tea")
    #expect(try view(on: screen).isOpen)
    try await click("Hide votes")
    #expect(try view(on: screen).form.hidesTotals && view(on: screen).focusedIndex == 4, "\(screen.text)")
    try await click("Coffee")
    #expect(try view(on: screen).focusedIndex == 1)
    try await click("Which?")
    #expect(try view(on: screen).focusedIndex == nil)
  }

  @Test func `each row is spoken in linear form`() async throws {
    let screen = try await opened(isLinear: true)
    #expect(screen.said.contains("\(EntryWords.pollFirstOption(limit: 50)):\n"), "\(screen.said)")
    screen.type("Tea")
    #expect(await screen.hear("Enter").contains("Option 2:\n"))
    screen.type("Coffee")
    #expect(await screen.hear("Tab").contains("Ends in:\n\(EntryWords.pollDurationPlaceholder)\n"))
    #expect(await screen.hear("Tab").contains("Several: no\n"))
    let choice = await screen.hearing {
      screen.type(" ")
      await screen.turn()
    }
    #expect(choice == "Several: yes\n")
    #expect(await screen.hear("Tab").contains("Hide votes: no\n"))
    #expect(await screen.hear("Tab").contains("Poll: Tea | Coffee | 1 day | several\n"))
  }
}
