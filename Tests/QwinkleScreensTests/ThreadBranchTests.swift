import HTTPTypes
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Folding and navigating a thread, and fetching replies that only the author's server has.
@MainActor
@Suite(.bounded) struct ThreadBranchTests {
  private static func reply(_ number: Int, to parent: Int, minutes: Int = 0) -> Qwink {
    var qwink = ScriptedTimeline.qwink(number)
    qwink.inReplyTo = Qwink.ID("\(parent)")
    return qwink
  }

  /// Opens qwink 5, a reply to 4. Its replies are 6, with 7 and 8 below it, and 9, with 10 below it.
  private func opened(_ server: ScriptedTimeline = ScriptedTimeline([5, 3])) async throws -> Screen {
    server.setThread(
      QwinkThread(
        ancestors: [ScriptedTimeline.qwink(4)],
        descendants: [
          Self.reply(6, to: 5), Self.reply(7, to: 6), Self.reply(8, to: 7), Self.reply(9, to: 5), Self.reply(10, to: 9),
        ]), of: 5)
    let screen = try await Screen.settled(server, rows: 40)
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    return screen
  }

  @Test func `- folds and unfolds the replies to a qwink and shows their number`() async throws {
    let screen = try await opened()
    #expect(shown(screen) == [4, 5, 6, 7, 8, 9, 10], "\(screen.text)")
    #expect(selected(screen) == 5)
    await screen.press("j", "-")
    #expect(shown(screen) == [4, 5, 6, 9, 10] && selected(screen) == 6, "\(screen.text)")
    #expect(screen.text.contains(withKeys(ThreadWords.folded(2))), "\(screen.text)")
    await screen.press("-")
    #expect(shown(screen) == [4, 5, 6, 7, 8, 9, 10], "\(screen.text)")
    #expect(!screen.text.contains(withKeys(ThreadWords.folded(2))), "\(screen.text)")
    await screen.press("k", "-")
    #expect(shown(screen) == [4, 5] && screen.text.contains(withKeys(ThreadWords.folded(5))), "\(screen.text)")
    await screen.press("k", "-")
    #expect(screen.status.contains(ThreadWords.nothingToFold), "\(screen.status)")
  }

  @Test func `folded replies stay folded after a refresh`() async throws {
    let screen = try await opened()
    await screen.press("j", "-", "R")
    #expect(shown(screen) == [4, 5, 6, 9, 10], "\(screen.text)")
  }

  @Test func `brackets select the next or previous sibling and gp selects the parent`() async throws {
    let screen = try await opened()
    await screen.press("j")
    #expect(selected(screen) == 6)
    await screen.press("]")
    #expect(selected(screen) == 9)
    await screen.press("]")
    #expect(selected(screen) == 9 && screen.status.contains(ThreadWords.noNext), "\(screen.status)")
    await screen.press("[")
    #expect(selected(screen) == 6)
    await screen.press("j", "j")
    #expect(selected(screen) == 8)
    await screen.press("[")
    #expect(selected(screen) == 8 && screen.status.contains(ThreadWords.noPrevious))
    let count = screen.server.paths.count
    for parent in [7, 6, 5, 4] {
      await screen.press("g", "p")
      #expect(selected(screen) == parent)
    }
    #expect(screen.server.paths.count == count, "what is here isn't asked for")
  }

  @Test func `lines connect each reply with its parent and its siblings`() {
    // Replies 2 to 1, 3 to 2, 4 to 2, 5 to 1, 6 to 5.
    let parents = [2: 1, 3: 2, 4: 2, 5: 1, 6: 5]
    let replies = parents.keys.sorted().map { number in
      var qwink = ScriptedTimeline.qwink(number)
      qwink.inReplyTo = parents[number].map { Qwink.ID("\($0)") }
      return qwink
    }
    let tree = ThreadTree(focus: ScriptedTimeline.qwink(1), thread: QwinkThread(descendants: replies))
    let nodes = tree.shown(folding: []).nodes
    #expect(nodes.map(\.continues) == [[], [true], [true, true], [true, false], [false], [false, false]])
    #expect(nodes.map(\.hasReplies) == [false, true, false, false, true, false])
    let folded = tree.shown(folding: ["2"]).nodes
    #expect(folded.map(\.continues) == [[], [true], [false], [false, false]])
    #expect(folded[1].hasReplies == false)
  }

  /// Opens qwink 5 with a chain of replies 6 to 13, each to the one before, and reply 14 to `parent`.
  private func openedDeep(lastReplyTo parent: Int, columns: Int = 80) async throws -> Screen {
    let server = ScriptedTimeline([5, 3])
    let chain = (6...13).map { Self.reply($0, to: $0 - 1) }
    server.setThread(QwinkThread(descendants: chain + [Self.reply(14, to: parent)]), of: 5)
    let screen = try await Screen.settled(server, rows: 50, columns: columns, hidesMessages: true)
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    return screen
  }

  /// The lines of the tree in the first row of each reply.
  private func trees(_ screen: Screen) -> [String] {
    screen.lines.compactMap { line in
      let tree = line.drop { "▌ ".contains($0) }.prefix { "├└│─ 0123456789".contains($0) }
      // The avatar follows.
      let avatar = line[tree.endIndex...].prefix(2)
      guard !tree.isEmpty, avatar.count == 2, avatar.allSatisfy(\.isUppercase) else { return nil }
      return tree.split(separator: " ").joined(separator: " ")
    }
  }

  @Test func `replies below the last level have their depth and no line from their parent's sibling`() async throws {
    let alone = try await openedDeep(lastReplyTo: 5)
    let shown = ["├─", "│ └─", "│ └─", "│ └─", "│ └─", "│ └6", "│ └7", "│ └8", "└─"]
    #expect(trees(alone) == shown, "\(alone.text)")
    // Reply 14 is a sibling of 11, at the last level.
    let sibling = try await openedDeep(lastReplyTo: 10)
    #expect(trees(sibling).suffix(4) == ["├6", "│7", "│8", "└─"], "\(sibling.text)")
    let narrow = try await openedDeep(lastReplyTo: 5, columns: 40)
    #expect(trees(narrow) == ["├─"] + (2...8).map { "│ └\($0)" } + ["└─"], "\(narrow.text)")
  }

  @Test func `the tint of the selected reply has no holes`() async throws {
    let screen = try await openedDeep(lastReplyTo: 5)
    for _ in 0..<9 {
      await screen.press("j")
      let row = try #require(screen.lines.firstIndex { $0.contains("▌") })
      let grid = try #require(screen.driver.frames.last?.grid)
      let tint = screen.application.window.theme[.selectedLine].background
      let avatar = screen.lines[row].prefix { !$0.isLetter }.count
      let holes = (0..<79).filter { grid[row, $0].style.background != tint && !(avatar...avatar + 1).contains($0) }
      #expect(holes.isEmpty, "\(screen.lines[row])")
    }
  }

  @Test func `a reply's text never starts further left than its parent's`() {
    let textColumn = QwinkCellLayout.textColumn(forColumns:indent:)
    for columns in 20...200 {
      let starts = (0...9).map { depth in
        let indent = ThreadCell.indent(columns, depth: depth)
        return indent + textColumn(columns - indent, indent)
      }
      #expect(starts == starts.sorted() && starts[0] == textColumn(columns, 0), "\(columns) columns: \(starts)")
    }
  }

  /// The numbers of the qwinks from top to bottom, at any indentation.
  private func shown(_ screen: Screen) -> [Int] { screen.lines.compactMap(Self.number) }

  /// The number of the selected qwink. Its bar is indented like the qwink.
  private func selected(_ screen: Screen) -> Int? {
    screen.lines.filter { $0.contains("▌") }.compactMap(Self.number).first
  }

  private static func number(in line: String) -> Int? {
    line.firstRange(of: "Qwink ").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
  }

  // MARK: On another server

  private static let address = "https://social.example/@anna/109"

  private func remote(_ number: Int, url: String? = nil, parent: String? = "109") -> Qwink {
    var qwink = ScriptedTimeline.qwink(number)
    qwink.url = url ?? "https://social.example/@ben/\(number)"
    qwink.inReplyTo = parent.map { Qwink.ID($0) }
    return qwink
  }

  /// A server with qwink 5 from social.example, which has three replies to it. The server knows one of them.
  private func incomplete() -> ScriptedTimeline {
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(5)
    qwink.url = Self.address
    qwink.repliesCount = 2
    server.replace(with: [qwink])
    var known = Self.reply(6, to: 5)
    known.url = "https://third.example/@carol/6"
    server.setThread(QwinkThread(descendants: [known]), of: 5)
    return server
  }

  private func open(_ server: ScriptedTimeline) async throws -> Screen {
    let screen = try await Screen.settled(server, rows: 40)
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    return screen
  }

  @Test func `gr fetches the missing replies from the author's server`() async throws {
    let server = incomplete()
    let there = QwinkThread(descendants: [
      remote(206, url: "https://third.example/@carol/6"), remote(207), remote(208, parent: "207"),
    ])
    server.handle(.get, "/api/v1/statuses/109/context") { request in
      #expect(request.head.authority == "social.example" && request.head.scheme == "https")
      #expect(request.field("Authorization") == nil, "a stranger asks")
      return .json(WireEncoder.thread(there))
    }
    let screen = try await open(server)
    #expect(screen.text.contains(withKeys(ThreadWords.more(1, on: "social.example"))), "\(screen.text)")
    await screen.press("g", "r")
    #expect(shown(screen) == [5, 6, 207, 208], "\(screen.text)")
    #expect(screen.status.contains(ThreadWords.fetched(2, from: "social.example")), "\(screen.status)")
    #expect(screen.text.contains(withKeys(ThreadWords.elsewhere("social.example"))), "\(screen.text)")
    // The user can't act on fetched replies. Each key reports that.
    await screen.press("G")
    for key in ["f", "r", "b", "a"] {
      await screen.press(key)
      #expect(screen.status.contains(withKeys(ThreadWords.cannotAct("social.example"))), "\(screen.status)")
    }
    let found = ScriptedTimeline.qwink(300)
    server.setAnswer(WireEncoder.searchResults(SearchResults(qwinks: [found])), of: "/api/v2/search")
    await screen.press("Enter")
    #expect(screen.text.contains("Qwink 300"), "\(screen.text)")
    #expect(server.paths.contains { $0.contains("social.example%2F%40ben%2F208") || $0.contains("/@ben/208") })
  }

  @Test func `gr opens the browser if the author's server requires a sign-in`() async throws {
    let server = incomplete()
    server.handle(.get, "/api/v1/statuses/109/context") { _ in
      .json(WireEncoder.error("This API requires an authenticated user"), status: 401)
    }
    let screen = try await open(server)
    await screen.press("g", "r")
    #expect(screen.opener.opened == [Self.address])
    #expect(screen.text.contains(ForeignThreadError.notReadable(host: "social.example").sentence), "\(screen.status)")
    #expect(!screen.account.connection.needsSignIn)
  }

  @Test func `an unreachable author's server is reported and the thread stays`() async throws {
    let server = incomplete()
    server.handle(.get, "/api/v1/statuses/109/context") { _ in throw TransportError.timedOut(host: "social.example") }
    let screen = try await open(server)
    await screen.press("g", "r")
    #expect(screen.status.contains("social.example") && screen.opener.opened.isEmpty, "\(screen.status)")
    #expect(shown(screen) == [5, 6] && !screen.header.contains(StatusWords.offlineSince), "\(screen.text)")
  }

  @Test(arguments: ["https://127.0.0.1/@anna/109", "https://[::1]/@anna/109", "http://social.example/@anna/109"])
  func `local and unencrypted addresses are never requested`(address: String) async throws {
    let server = incomplete()
    var qwink = ScriptedTimeline.qwink(5)
    qwink.url = address
    qwink.repliesCount = 2
    server.replace(with: [qwink])
    let screen = try await open(server)
    await screen.press("g", "r")
    #expect(!server.paths.contains("/api/v1/statuses/109/context"))
  }

  @Test func `a thread of the user's own server has nothing to fetch`() async throws {
    let screen = try await opened()
    await screen.press("g", "r")
    #expect(screen.status.contains(ThreadWords.allHere), "\(screen.status)")
  }
}
