import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct RestorationTests {
  private func quit(_ screen: Screen) async {
    screen.strike("^C", "^C")
    await screen.settle()
  }

  @Test func `a restart restores the position of both sections`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...90).reversed()), home: Array((101...130).reversed()))
    let first = try await Screen.settled(server, in: folder)
    await first.press("j", times: 12)
    await first.press("2")
    await first.press("j", times: 5)
    await quit(first)
    server.add([92, 91])
    let second = try Screen(server, in: folder)
    #expect(second.header.contains("2 Home"))
    #expect(second.selected == 125)
    second.strike("1")
    #expect(second.selected == 78)
    await second.settle()
    #expect(second.selected == 78)
  }

  @Test func `a position five pages below the top is restored`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...300).reversed()))
    let first = try await Screen.settled(server, in: folder)
    for _ in 0..<5 { await first.press("G") }
    let place = first.selected
    #expect(place == 101)
    await quit(first)
    let second = try Screen(server, in: folder)
    #expect(second.selected == place)
    await second.settle()
    #expect(second.selected == place)
  }

  @Test func `the last search is restored even if the app quit in another section`() async throws {
    let folder = TemporaryFolder()
    let first = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    first.strike("6")
    first.type("chard")
    await first.press("Enter", "1")
    await quit(first)
    // A run without a search retains the last one.
    let second = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    await quit(second)
    let third = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    #expect(third.selected == 3)
    third.strike("6")
    #expect(third.text.contains("chard"))
  }

  @Test func `a restart in the search section focuses the list instead of the field`() async throws {
    let folder = TemporaryFolder()
    let first = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    first.strike("6")
    first.type("chard")
    // As if the window were closed while typing.
    first.hangUp()
    let second = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    #expect(second.text.contains("chard"))
    second.strike("1")
    #expect(second.selected == 3 && !second.text.contains("chard1"))
    second.strike("6")
    second.type("s")
    #expect(second.text.contains("chards"))
  }

  @Test func `a position that is no longer cached is replaced by the top`() async throws {
    let folder = TemporaryFolder()
    let first = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    await first.press("j")
    await quit(first)
    try Screen.keep([9, 8, 7], in: folder)
    let second = try Screen(ScriptedTimeline(), in: folder)
    #expect(second.selected == 9)
  }

  // MARK: Open screens

  @Test func `screens open above a list are restored with their back path`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...90).reversed()))
    let first = try await Screen.settled(server, in: folder)
    await first.press("j", times: 30)
    #expect(first.selected == 60)
    await first.press("Enter", "a")
    let path = first.way.components(separatedBy: "›").count
    #expect(path == 2, "\(first.way)")
    // As if the terminal's window were closed.
    first.hangUp()
    let second = try Screen(server, in: folder)
    #expect(second.way.components(separatedBy: "›").count == path, "\(second.way)")
    await second.settle()
    await second.press("Esc")
    #expect(second.way.contains("› \(ThreadWords.title)") && second.text.contains("Qwink 60"), "\(second.text)")
    await second.press("Esc")
    #expect(second.selected == 60 && !second.way.contains("›"))
  }

  @Test func `each section restores its position even if a run in between did not show it`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((1...90).reversed()), home: Array((101...130).reversed()))
    let first = try await Screen.settled(server, in: folder)
    await first.press("2", "j", "j", "Enter", "1")
    first.hangUp()
    let second = try await Screen.settled(server, in: folder)
    #expect(second.header.contains("1 Public") && !second.way.contains("›"))
    second.hangUp()
    let third = try await Screen.settled(server, in: folder)
    third.strike("2")
    #expect(third.way.contains("\(Section.home.title) › \(ThreadWords.title)"), "\(third.header)")
    #expect(third.text.contains("Qwink 128"))
    await third.press("Esc")
    #expect(third.selected == 128)
    // A closed screen stays closed after the next start.
    third.hangUp()
    let fourth = try await Screen.settled(server, in: folder)
    #expect(fourth.header.contains("2 Home") && !fourth.way.contains("›") && fourth.selected == 128)
  }

  @Test func `a hashtag timeline and a search are restored by name`() async throws {
    let folder = TemporaryFolder()
    let first = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    first.main.show(.timeline(.tag("garden")))
    first.main.show(.search("chard"))
    await first.settle()
    first.hangUp()
    let second = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    #expect(second.way.contains("› #garden › \(SearchWords.title)"), "\(second.way)")
    #expect(second.text.contains("chard"))
  }

  // MARK: Before the user is known

  /// Starts again after `first` was closed. The server identifies the user once `gate` opens. Returns when all other
  /// requests have been answered.
  private func restarted(_ first: Screen, by gate: Gate) async throws -> Screen {
    let path = "/api/v1/accounts/verify_credentials"
    first.hangUp()
    await first.settle()
    first.close()
    let count = first.server.paths.count { $0 == path }
    first.server.handle(.get, path) { _ in
      await gate.whenOpen()
      return .json(WireEncoder.qwinker(.sample("mara"), ownNote: ""))
    }
    let second = try Screen(first.server, in: first.folder)
    try await second.wait(for: "the request for the user") { first.server.paths.count { $0 == path } > count }
    await second.turn()
    return second
  }

  @Test func `a reply to the user's own qwink has the same title before the user is identified`() async throws {
    let server = ScriptedTimeline()
    server.add([.sample(id: "1", text: "Mine", author: .sample("mara"))])
    let first = try await Screen.settled(server)
    await first.press("r")
    first.type("And more")
    let title = try #require(first.sheetTitle)
    #expect(title == EntryWords.title(of: .reply(to: .sample(author: .sample("mara"))), me: .sample("mara")))
    let gate = Gate()
    let second = try await restarted(first, by: gate)
    try await second.wait(for: "the entry") { second.sheetTitle != nil }
    #expect(second.sheetTitle == title)
    gate.open()
    await second.settle()
    #expect(second.sheetTitle == title)
  }

  @Test func `a chat has the same title before the user is identified`() async throws {
    let server = ScriptedTimeline()
    // Some servers list the user among the participants.
    server.messages.add("bob", with: [Talk.bob, Talk.me], Talk.withBob)
    let first = try await Screen.settled(server)
    await first.press("3", "Enter")
    #expect(first.way.contains("› Bob") && !first.way.contains(", mara"), "\(first.way)")
    let gate = Gate()
    let second = try await restarted(first, by: gate)
    try await second.wait(for: "the chat") { second.way.contains("› Bob") }
    #expect(!second.way.contains(", mara"), "\(second.way)")
    gate.open()
    await second.settle()
    #expect(second.way.contains("› Bob") && !second.way.contains(", mara"), "\(second.way)")
  }

  @Test func `moved dividers are restored`() async throws {
    let folder = TemporaryFolder()
    func screen() async throws -> Screen {
      try await Screen.settled(ScriptedTimeline([3, 2, 1]), rows: 24, columns: 200, in: folder)
    }
    func rules(_ screen: Screen) -> [Int] {
      let line = screen.lines[10]
      return line.indices.filter { line[$0] == "│" }.map { line.distance(from: line.startIndex, to: $0) }
    }
    let first = try await screen()
    let before = rules(first)
    #expect(before.count == 2)
    for rule in before {
      first.driver.mouse(.press, row: 10, column: rule)
      first.driver.mouse(.drag, row: 10, column: rule + 9)
      first.driver.mouse(.release, row: 10, column: rule + 9)
    }
    let moved = rules(first)
    #expect(moved.count == 2 && zip(moved, before).allSatisfy { $0 > $1 })
    first.hangUp()
    let second = try await screen()
    #expect(rules(second) == moved)
    await second.press("^W", "m")
    #expect(rules(second).count == 1)
    second.hangUp()
    let third = try await screen()
    #expect(rules(third).count == 1)
    await third.press("^W", "m")
    #expect(rules(third) == moved)
  }
}
