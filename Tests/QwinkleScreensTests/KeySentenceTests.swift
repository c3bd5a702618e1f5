import Foundation
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleApp
@testable import QwinkleScreens

/// No screen names a key that the keymap assigns to another action.
@MainActor
@Suite(.bounded) struct KeySentenceTests {
  /// Different keys for the actions that sentences mention.
  private static let otherKeys = """
    global  refresh          ^Xr
    global  compose          ^Xc
    global  drafts           ^Xd
    global  undo             ^Xu
    global  section.public   ^X1
    global  section.messages  ^X3
    global  section.search   ^X6
    global  help             ^Xh
    qwink   back             ^Xq Esc
    qwink   open             ^Xo Enter
    qwink   find             ^Xf
    qwink   reveal           ^Xz
    thread  thread.fold      ^X-
    """

  private func useOtherKeys(_ screen: Screen) throws {
    let keymap = try Screen.keymap().overlaid(by: Self.otherKeys).keymap
    screen.application.use(keymap)
    screen.main.use(keymap)
  }

  /// Returns the literal keys that sentences in the sources of the screens mention. Sheets with fixed keys, such as
  /// questions, are left out because no keymap changes their keys.
  private func literalKeys() throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/QwinkleScreens")
    let enumerator = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    let files = enumerator.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > 100)
    let own = ["TourWords.swift", "SavePrompt.swift"]
    let key = #"(?:\^[A-Z](?: ?[a-z])?|F1|Esc|Tab|PgDn|PgUp|g[a-z]|[B-HJ-Zbcdefmopqrsuvxyz0-9?/&\-])"#
    let verb =
      "(?:again|asks|begins|brings|cancels|chooses|completes|deletes|discards|edits|favourites|fetches|finds|goes|"
      + "hides|lists|loads|makes|numbers|opens|posts|quits|refreshes|releases|reopens|retries|saves|sends|shows|"
      + "signs|starts|stops|turns|undoes|votes|writes|zooms)"
    let sentence = try Regex(#"(?:^|· |[.:;] |, )"# + key + " " + verb + #"\b"#)
    let tuple = try Regex("\\(\"" + key + "\", \"" + verb)
    var found: [String] = []
    for file in files where !own.contains(file.lastPathComponent) {
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") where !line.contains("//") {
        let strings = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 }.map(\.element)
        if strings.contains(where: { $0.contains(sentence) }) || line.contains(tuple) {
          found.append("\(file.lastPathComponent): \(line)")
        }
      }
    }
    return found
  }

  @Test func `no sentence contains a literal key`() throws {
    #expect(try literalKeys().isEmpty)
  }

  @Test func `placeholders, failures and messages name the new keys after a keymap change`() async throws {
    let server = ScriptedTimeline()
    let screen = try await Screen.settled(server)
    #expect(screen.text.contains(keyHint(TimelineWords.writesFirst)), "\(screen.text)")
    try useOtherKeys(screen)
    await screen.settle()
    #expect(screen.text.contains("^X c writes the first qwink"), "\(screen.text)")
    #expect(screen.text.contains("^X r refreshes"), "\(screen.text)")
    server.failTimelines(with: .refused(host: ScriptedTimeline.host))
    await screen.press("^X", "r")
    #expect(screen.text.contains("^X r retries") && screen.text.contains("^X h shows all keys"), "\(screen.text)")
    await screen.press("^C")
    #expect(screen.status.contains("^C again quits."), "\(screen.status)")
  }

  @Test func `messages about actions name the current keys`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server)
    try useOtherKeys(screen)
    await screen.press("f")
    #expect(screen.status.contains("^X u: undo"), "\(screen.status)")
    await screen.press("N")
    #expect(screen.status.contains("^X f finds"), "\(screen.status)")
    screen.resize(rows: 24, columns: 100)
    await screen.press("^W", "m")
    #expect(screen.status.contains("^X 3 opens your messages."), "\(screen.status)")
  }

  @Test func `a content warning names the current key`() async throws {
    var covered = ScriptedTimeline.qwink(2)
    covered.contentWarning = "Dune"
    let server = ScriptedTimeline()
    server.replace(with: [covered])
    let screen = try await Screen.settled(server)
    #expect(screen.text.contains(keyHint(WarningWords.shows)), "\(screen.text)")
    try useOtherKeys(screen)
    await screen.settle()
    #expect(screen.text.contains("^X z show"), "\(screen.text)")
  }
}
