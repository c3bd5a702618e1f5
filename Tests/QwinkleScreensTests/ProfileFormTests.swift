import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import SafeText
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// The fields and settings of the profile form.
@MainActor
@Suite(.bounded) struct ProfileFormTests {
  private static let load = "GET /api/v1/accounts/verify_credentials"
  private static let save = "PATCH /api/v1/accounts/update_credentials"
  private static let source = """
    "source":{"note":"I grow chard.","privacy":"public","sensitive":false,"language":"en",\
    "fields":[{"name":"Site","value":"https://example.org"},{"name":"Fan of:","value":"tea"}],\
    "hide_collections":false,"discoverable":true,"indexable":true}
    """
  private static let account = #"{"id":"mara-id","acct":"mara","display_name":"Mara","locked":false,"bot":false,"#

  private func open(
    _ json: String = "\(account)\(source)}", accounts: String = "{}", rows: Int = 24, columns: Int = 80
  ) async throws -> (Screen, FormSheet) {
    let server = ScriptedTimeline([1])
    server.api.answer(Self.load) { _ in .json(Array(json.utf8)) }
    server.api.answer(Self.save) { _ in .json(Array(json.utf8)) }
    let instance = #"{"domain":"tilde.example","title":"T","configuration":{"accounts":\#(accounts)}}"#
    server.api.answer("GET /api/v2/instance") { _ in .json(Array(instance.utf8)) }
    let screen = try await Screen.settled(server, rows: rows, columns: columns)
    screen.main.perform(.editProfile)
    await screen.settle()
    return (screen, try #require(screen.application.window.topSheet as? FormSheet, "\(screen.text)"))
  }

  private func bodies(_ screen: Screen) -> [String] { screen.server.api.bodies(of: Self.save) }

  /// The line with the cursor.
  private func line(of screen: Screen) -> String {
    screen.cursor.map { screen.lines[$0.row].trimmed() } ?? ""
  }

  /// Moves to the row with a label.
  private func move(to label: String, on screen: Screen) async throws {
    for _ in 0..<40 {
      if let row = screen.cursor?.row, screen.lines[row].trimmed().hasPrefix(label) { return }
      await screen.press("Tab")
    }
    Issue.record("no row “\(label)”: \(screen.text)")
  }

  @Test func `the form shows all values and sends only the changed ones`() async throws {
    let (screen, _) = try await open(rows: 40)
    for words in ["Mara", "I grow chard.", "Site", "https://example.org", "Fan of:", "tea"] {
      #expect(screen.text.contains(words), "\(words): \(screen.text)")
    }
    #expect(screen.line(of: "Locked").hasSuffix("no") && screen.line(of: "Discoverable").hasSuffix("yes"))
    #expect(screen.line(of: "Visibility").hasSuffix("public") && screen.line(of: "Language").hasSuffix("en"))
    try await move(to: ProfileWords.label(.isLocked), on: screen)
    await screen.press("Space")
    try await move(to: ProfileWords.label(.hidesFollows), on: screen)
    await screen.press("y")
    try await move(to: ProfileWords.visibility, on: screen)
    await screen.press("Right")
    await screen.press("^D")
    #expect(bodies(screen) == [#"{"locked":true,"hide_collections":true,"source":{"privacy":"unlisted"}}"#])
    #expect(screen.status.contains(ProfileWords.saved), "\(screen.status)")
    #expect(screen.account.identity.usualVisibility == .unlisted)
  }

  @Test func `a changed line sends all lines, and an emptied line is removed`() async throws {
    let (screen, _) = try await open(rows: 40)
    try await move(to: ProfileWords.field(1), on: screen)
    await screen.press("Tab")
    screen.type("/kiosk")
    try await move(to: ProfileWords.field(2), on: screen)
    await screen.press("^U", "Tab", "^U", "^D")
    #expect(
      bodies(screen) == [#"{"fields_attributes":{"0":{"name":"Site","value":"https://example.org/kiosk"}}}"#])
  }

  @Test func `a line without a name or a value is refused`() async throws {
    let (screen, _) = try await open(rows: 40)
    try await move(to: ProfileWords.field(2), on: screen)
    await screen.press("^U", "^D")
    #expect(screen.text.contains(ProfileWords.halfField(2, lacksName: true)), "\(screen.text)")
    #expect(bodies(screen).isEmpty)
  }

  @Test func `unchanged lines are never refused or sent`() async throws {
    let json = Self.source.replacing(#""value":"tea""#, with: #""value":"""#)
    let (screen, _) = try await open("\(Self.account)\(json)}", rows: 40)
    screen.type("!")
    await screen.press("^D")
    #expect(bodies(screen) == [#"{"display_name":"Mara!"}"#], "\(screen.text)")
  }

  @Test func `a wrong language is refused`() async throws {
    let (screen, _) = try await open(rows: 40)
    try await move(to: ProfileWords.language, on: screen)
    screen.type("glish please")
    await screen.press("^D")
    #expect(screen.text.contains(ProfileWords.noLanguage("english please")) && bodies(screen).isEmpty)
  }

  @Test func `lines beyond the server's limit are not lost`() async throws {
    let (screen, _) = try await open(accounts: #"{"max_profile_fields":1,"max_note_length":900}"#, rows: 40)
    #expect(!screen.text.contains(ProfileWords.field(2)), "\(screen.text)")
    try await move(to: ProfileWords.note, on: screen)
    #expect(screen.text.contains(FormWords.counter(ProfileWords.note, 13, limit: 900)), "\(screen.text)")
    try await move(to: ProfileWords.field(1), on: screen)
    screen.type("s")
    await screen.press("^D")
    #expect(
      bodies(screen) == [
        #"{"fields_attributes":{"0":{"name":"Sites","value":"https://example.org"},"#
          + #""1":{"name":"Fan of:","value":"tea"}}}"#
      ])
  }

  @Test func `values that the server does not report are not in the form`() async throws {
    let (screen, _) = try await open(#"{"id":"mara-id","acct":"mara","display_name":"Mara","locked":true}"#, rows: 40)
    #expect(screen.text.contains(ProfileWords.label(.isLocked)), "\(screen.text)")
    for label in [ProfileWords.field(1), ProfileWords.label(.isBot), ProfileWords.visibility, ProfileWords.language] {
      #expect(!screen.text.contains(label), "\(label): \(screen.text)")
    }
  }

  @Test(arguments: [(12, 40), (24, 80), (6, 30)])
  func `a form that is larger than the screen scrolls with the focused field`(rows: Int, columns: Int) async throws {
    let (screen, _) = try await open(rows: rows, columns: columns)
    var seen: Set<String> = []
    let labels = OwnProfile.Setting.allCases.map(ProfileWords.label) + [ProfileWords.language, ProfileWords.name]
    for _ in 0..<20 {
      await screen.press("Tab")
      let row = try #require(screen.cursor?.row)
      for label in labels where screen.lines[row].trimmed().hasPrefix(label) { seen.insert(label) }
    }
    #expect(seen == Set(labels), "\(screen.text)")
    // The form returns to its first field.
    try await move(to: ProfileWords.name, on: screen)
    await screen.press("S-Tab")
    #expect(line(of: screen).hasPrefix(ProfileWords.language), "\(screen.text)")
    await screen.press("Down")
    #expect(line(of: screen).hasPrefix(ProfileWords.name), "\(screen.text)")
  }
}

/// The rows of a form that are visible.
@Suite struct FormRowsTests {
  @Test(arguments: [
    ([1, 1, 1], 0, 5, 0..<3), ([1, 1, 1, 1, 1], 0, 3, 0..<3), ([1, 1, 1, 1, 1], 2, 3, 1..<4),
    ([1, 1, 1, 1, 1], 4, 3, 2..<5), ([1, 3, 1], 0, 3, 0..<1), ([1, 3, 1], 1, 3, 1..<2), ([5], 0, 3, 0..<1),
    ([], 0, 3, 0..<0),
  ])
  func `the focused row is visible, with as many others as fit`(
    heights: [Int], focused: Int, room: Int, shown: Range<Int>
  ) {
    #expect(FormRows(heights: heights, focused: focused).shown(in: room) == shown)
  }
}
