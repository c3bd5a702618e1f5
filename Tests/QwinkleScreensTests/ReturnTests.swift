import Foundation
import PaneKit
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// A restart restores the screen that was open, however the program ended.
@MainActor
@Suite(.bounded) struct ReturnTests {
  /// Controllers that contain other screens. Each of them is shown by a stop of the tour.
  private static let containers: Set<String> = [
    "ChatPlace", "ListViewController", "MainViewController", "MessagesViewController", "PanesViewController",
    "ListAndDetailViewController", "ListAndThreadViewController", "FetchedListViewController",
    "ManagedListViewController", "CachedQwinksViewController",
  ]

  /// Sheets that a restart doesn't restore. The screen below them is shown instead.
  private static let passing: Set<String> = [
    "AccountsSheet", "ChoiceSheet", "CommandPrompt", "ConfirmViewController", "FilterSheet", "FormSheet",
    "FilePrompt", "FollowOptionsSheet", "HelpViewController",
    "LinePrompt", "LinkSheet", "LivePrompt", "NotificationPolicySheet", "OutputSheet", "ProfileViewController",
    "RecipientViewController", "SignInSheet",
    "TextSheet", "TourSheet",
  ]

  /// An event that ends a run of the program.
  enum Leaving: CaseIterable {
    case quitting, hangup, kill
  }

  /// Everything visible on the terminal.
  private struct Look {
    let lines: [String]
    var grid: CellGrid?
    let cursor: Point?
    let title: String

    @MainActor
    init(_ screen: Screen) {
      lines = screen.lines
      grid = screen.driver.frames.last?.grid
      // The numbers of links depend on the links that were visible before.
      grid?.removeLinks()
      cursor = screen.cursor
      title = screen.driver.title
    }

    /// Returns the differences from `other` row by row, or an empty array if both are equal. Ignores the number of
    /// loaded rows, as in `7/52+`, which the reader didn't choose.
    func differences(from other: Look) -> [String] {
      var found: [String] = []
      for (row, (mine, theirs)) in zip(lines, other.lines).enumerated() {
        let isSameGrid = grid?.row(row) == other.grid?.row(row)
        let (mine, theirs) = (Self.withoutCount(mine), Self.withoutCount(theirs))
        if mine != theirs { found += ["row \(row): \(theirs)", "row \(row): \(mine)"] }
        if mine == theirs, lines[row] == other.lines[row], !isSameGrid { found.append("style of row \(row): \(mine)") }
      }
      if lines.count != other.lines.count { found.append("\(other.lines.count) rows, \(lines.count) rows") }
      if cursor != other.cursor {
        found.append("cursor \(String(describing: other.cursor)), \(String(describing: cursor))")
      }
      if title != other.title { found.append("title \(other.title), \(title)") }
      return found
    }

    private static func withoutCount(_ line: String) -> String {
      line.replacing(#/─+ \d+\/\d+\+? ─/#, with: "─ n ─")
    }
  }

  /// Waits for pending requests, and until messages have disappeared.
  private func rest(_ screen: Screen) async {
    await screen.settle()
    for _ in 0..<5 { await screen.pass(.seconds(4)) }
  }

  private func leave(_ screen: Screen, _ leaving: Leaving) async {
    switch leaving {
    case .quitting: screen.application.terminate()
    case .hangup: screen.hangUp()
    case .kill: screen.endAtOnce()
    }
    await screen.settle()
    if leaving != .kill { screen.close() }
  }

  @Test func `every controller is in the tour, a container or a transient sheet`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/QwinkleScreens")
    var found: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
      let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      let classes = source.matches(
        of: #/class (\w+)(?:<[^>]*>)?: (?:\w*ViewController|ChoiceSheet|FormSheet|LinePrompt|TextSheet)\b/#)
      found.formUnion(classes.map { String($0.output.1) })
    }
    #expect(found.count > 15)
    let known = ScreenTour.controllers.union(Self.containers).union(Self.passing)
    #expect(found.subtracting(known).isEmpty, "add it to the tour, so that its return is tested")
  }

  private static let returnSizes = [(rows: 24, columns: 80), (rows: 40, columns: 120), (rows: 50, columns: 200)]

  /// All screens, each at one of the sizes, or at all sizes in a soak. Each pair of screen and size uses one of the
  /// exits.
  @Test func `each screen is the same after a restart`() async throws {
    var seen: Set<String> = []
    for (index, stop) in ScreenTour.stops.enumerated() {
      let leavings = Leaving.allCases.indices.map { Leaving.allCases[(index + $0) % Leaving.allCases.count] }
      for (size, leaving) in Soak.sample(Array(zip(Self.returnSizes, leavings)), of: 3) {
        let (first, server) = try await ScreenTour.start(rows: size.rows, columns: size.columns)
        // The reader has seen all new rows.
        await first.press("g", "g")
        stop.go(first)
        await rest(first)
        let window = first.application.window
        while let sheet = window.topSheet, !(sheet is EntryViewController) { sheet.dismiss() }
        // Not at the first row.
        if !(window.effectiveFirstResponder is TextEditor) { await first.press("j", "j") }
        // The search field isn't focused after a start.
        if first.controllersWithKeys.contains("SearchViewController") { await first.press("Esc") }
        await rest(first)
        let (before, controllers) = (Look(first), first.controllersWithKeys)
        seen.formUnion(controllers)
        await leave(first, leaving)
        let second = try Screen(server, rows: size.rows, columns: size.columns, in: first.folder)
        await rest(second)
        let name = "\(stop.name) at \(size.columns)x\(size.rows), \(leaving)"
        #expect(second.controllersWithKeys == controllers, "\(name)")
        let differences = Look(second).differences(from: before)
        #expect(differences.isEmpty, "\(name)\n\(differences.joined(separator: "\n"))")
      }
    }
    #expect(ScreenTour.controllers.subtracting(Self.passing).subtracting(seen).isEmpty)
  }

  // MARK: Places

  private static let sizes = [(24, 80), (12, 40), (40, 120), (50, 200), (8, 60)]

  @Test func `a window of another size starts at the same qwink`() async throws {
    for (rows, columns) in Self.sizes {
      let folder = TemporaryFolder()
      let server = ScriptedTimeline(Array((1...300).reversed()))
      let first = try await Screen.settled(server, rows: 30, columns: 80, in: folder)
      await first.press("j", times: 40)
      await first.press("^D", "^U", "k", "k")
      let top = try #require(first.visible.first)
      first.hangUp()
      let second = try Screen(server, rows: rows, columns: columns, in: folder)
      #expect(second.visible.first == top, "\(columns)x\(rows)\n\(second.text)")
      await rest(second)
      #expect(second.visible.first == top, "\(columns)x\(rows)\n\(second.text)")
      // The selected row is visible.
      #expect(second.lines.contains { $0.hasPrefix("▌") })
    }
  }

  @Test func `new rows are added above and the reader's position is unchanged`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...90).reversed()))
    let first = try await Screen.settled(server, in: folder)
    await first.press("j", times: 12)
    let (visible, selected) = (first.visible, first.selected)
    await rest(first)
    first.endAtOnce()
    server.add([93, 92, 91])
    let second = try Screen(server, in: folder)
    #expect(second.visible == visible && second.selected == selected)
    await rest(second)
    #expect(second.visible == visible && second.selected == selected)
  }

  @Test func `a limited list and its search are restored`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...90).reversed()))
    let first = try await Screen.settled(server, in: folder)
    first.strike("&")
    first.type("Qwink 8")
    await first.press("Enter", "j", "/")
    first.type("83")
    await first.press("Enter")
    #expect(first.selected == 83 && first.visible.allSatisfy { "\($0)".contains("8") })
    first.hangUp()
    let second = try await Screen.settled(server, in: folder)
    #expect(second.selected == 83 && second.visible == first.visible, "\(first.text)\n\(second.text)")
    #expect(second.way.contains("& Qwink 8"))
    await second.press("k", "n")
    #expect(second.selected == 83)
    await second.press("Esc")
    #expect(second.selected == 83 && !second.way.contains("&"), "\(second.text)")
  }

  @Test func `the thread of a qwink outside any timeline is restored`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline([3, 2, 1])
    let first = try await Screen.settled(server, in: folder)
    first.main.show(.thread(.sample(id: "elsewhere", text: "Only here")))
    await rest(first)
    first.hangUp()
    let second = try Screen(server, in: folder)
    #expect(second.way.contains("› Thread") && second.text.contains("Only here"), "\(second.text)")
  }

  // MARK: Chats and entries

  private func chat() async throws -> (Screen, ScriptedTimeline) {
    let (screen, server) = try await ScreenTour.start()
    await screen.press("3", "Enter")
    await rest(screen)
    #expect(reads(server) == 1)
    return (screen, server)
  }

  @Test func `a restored chat is marked as read only once a key is pressed in it`() async throws {
    let (first, server) = try await chat()
    first.type("Half a reply")
    await first.press("Left", "Left")
    await rest(first)
    let cursor = first.cursor
    first.endAtOnce()
    server.messages.say(.sample(id: "m99", text: "Are you there?", author: .sample("bob")), in: "bob")
    let before = reads(server)
    let second = try Screen(server, in: first.folder)
    await rest(second)
    #expect(second.text.contains("Are you there?") && second.text.contains("Half a reply"), "\(second.text)")
    #expect(second.cursor == cursor)
    #expect(reads(server) == before)
    await second.press("x")
    await rest(second)
    #expect(reads(server) == before + 1)
    #expect(second.text.contains("Half a repxly"))
  }

  /// The number of requests that marked a conversation as read.
  private func reads(_ server: ScriptedTimeline) -> Int {
    server.messages.seen.count { $0.hasPrefix("POST") && $0.hasSuffix("read") }
  }

  @Test func `a restored chat that is closed without a key press stays unread`() async throws {
    let (first, server) = try await chat()
    first.endAtOnce()
    server.messages.say(.sample(id: "m99", text: "Are you there?", author: .sample("bob")), in: "bob")
    let before = reads(server)
    let second = try Screen(server, in: first.folder)
    await rest(second)
    second.hangUp()
    await second.settle()
    #expect(reads(server) == before)
  }

  @Test(arguments: Leaving.allCases)
  func `an entry is restored with its cursor and typing continues there`(leaving: Leaving) async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline([3, 2, 1])
    let first = try await Screen.settled(server, in: folder)
    await first.press("j", "r")
    first.type("The chard survives")
    await first.press("^X", "w")
    first.type("Frost")
    await first.press("Enter")
    await first.press("Left", times: 8)
    await rest(first)
    let before = Look(first)
    await leave(first, leaving)
    let second = try Screen(server, in: folder)
    await rest(second)
    let differences = Look(second).differences(from: before)
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    await second.press("X")
    #expect(second.text.contains("The chard Xsurvives"), "\(second.text)")
    await second.press("Esc")
    #expect(second.selected == 2)
  }
}
