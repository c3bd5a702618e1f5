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

  /// Returns the lines in which a string names a key. Ignores files with keys that no keymap changes: questions, the
  /// tour, keys of the shell, and the description of `keys.txt`.
  private func literalKeys() throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let fixed = [
      "TourWords.swift", "StartWords.swift", "ServeCommand.swift", "KeymapOverlay.swift",
    ]
    let key = #"(?:\^[A-Z](?: ?[a-z])?|F1|Esc|Enter|Tab|PgDn|PgUp|g[a-z]|[B-HJ-Zbcdefmopqrsuvxyz0-9?/&\-])"#
    let sentence = try Regex(#"(?:^|· |[.:;] |, )"# + key + #" [a-z]+s\b"#)
    let tuple = try Regex("\\(\"" + key + "\", \"")
    var (found, count) = ([String](), 0)
    for target in ["QwinkleScreens", "QwinkleApp", "QwinkleConfig", "QwinkleAccount", "PaneKit"] {
      let folder = root.appending(path: target)
      let enumerator = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      for file in enumerator.compactMap({ $0 as? URL })
      where file.pathExtension == "swift" && !fixed.contains(file.lastPathComponent) {
        count += 1
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.contains("//") {
          let strings = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map(\.element)
          if strings.contains(where: { $0.contains(sentence) }) || line.contains(tuple) {
            found.append("\(file.lastPathComponent): \(line)")
          }
        }
      }
    }
    #expect(count > 400)
    return found
  }

  @Test func `no sentence contains a literal key`() throws {
    let found = try literalKeys()
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
  }

  @Test func `placeholders, failures and messages name the new keys after a keymap change`() async throws {
    let server = ScriptedTimeline()
    let screen = try await Screen.settled(server)
    #expect(screen.text.contains(keyHint(TimelineWords.writesFirst)), "\(screen.text)")
    try useOtherKeys(screen)
    await screen.settle()
    #expect(screen.text.contains("^X c writes the first post"), "\(screen.text)")
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
