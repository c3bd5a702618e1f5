import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct ThreadTests {
  private static let partial =
    "\(ThreadWords.mayBeMore) \(ScriptedTimeline.unreachable) \(StatusWords.retries("R"))"

  private func contextCount(_ server: ScriptedTimeline) -> Int { server.paths.count { $0.hasSuffix("/context") } }

  private func answered(_ ancestors: [Int], _ descendants: [Int]) -> ScriptedTimeline {
    let server = ScriptedTimeline([3, 2, 1])
    server.setThread(
      QwinkThread(
        ancestors: ancestors.map(ScriptedTimeline.qwink), descendants: descendants.map(ScriptedTimeline.qwink)), of: 3)
    return server
  }

  @Test func `a thread is fetched once the selection has rested`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server, rows: 30, columns: 130, hidesMessages: true)
    await screen.press("j", "j", "j")
    await screen.pass(.milliseconds(299))
    #expect(contextCount(server) == 0)
    await screen.pass(.milliseconds(1))
    #expect(server.paths.last == "/api/v1/statuses/27/context")
    await screen.pass(.seconds(20))
    #expect(contextCount(server) == 1)
  }

  @Test func `R fetches the opened qwink too`() async throws {
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(3)
    server.replace(with: [qwink])
    let screen = try await Screen.settled(server)
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    #expect(!server.paths.contains("/api/v1/statuses/3"))
    qwink.favouritesCount = 7
    let newer = qwink
    server.handle(.get, "/api/v1/statuses/3") { _ in .json(WireEncoder.qwink(newer)) }
    await screen.press("R")
    #expect(screen.text.contains("★ 7"), "\(screen.text)")
    #expect(contextCount(server) == 2)
  }

  @Test(arguments: [(40, 6), (80, 6), (99, 6)])
  func `replies are indented and connected with the opened qwink`(columns: Int, textColumn: Int) async throws {
    let screen = try await Screen.settled(answered([41], [61, 62]), rows: 30, columns: columns)
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    let texts = screen.lines.compactMap { line in
      line.firstRange(of: "Qwink ").map { line[..<$0.lowerBound].count }
    }
    #expect(texts == [textColumn, textColumn, textColumn + 3, textColumn + 3], "\(screen.text)")
    // A placeholder avatar is two letters, with two spaces before the name.
    let heads = screen.lines.map { $0.drop { "▌ ├└─│".contains($0) } }
      .filter { $0.count > 4 && $0.prefix(2).allSatisfy(\.isUppercase) }.map { Array($0) }
    #expect(heads.count == 4 && heads.allSatisfy { $0[2...3] == [" ", " "] && $0[4] != " " }, "\(screen.text)")
    #expect(screen.lines.contains { $0.contains("├─ ") } && screen.lines.contains { $0.contains("└─ ") })
  }

  @Test func `replies are shown below the opened qwink`() async throws {
    let screen = try await Screen.settled(answered([], [61, 62]))
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    #expect(screen.visible == [3, 61, 62])
    // The time is next to the name, the text and the audience are below it, and one blank row is above the replies.
    let name = try #require(screen.lines.firstIndex { $0.contains(" 202") })
    #expect(screen.lines[name].contains("  @") && screen.lines[name + 1].hasSuffix("Qwink 3"), "\(screen.text)")
    #expect(screen.lines[name + 2].contains(QwinkWords.words(.everybody)), "\(screen.text)")
    #expect(!screen.lines[name + 3].contains { $0.isLetter } && screen.lines[name + 4].contains("├─"))
  }

  @Test func `the opened qwink stays visible when its ancestors load above it`() async throws {
    let screen = try await Screen.settled(answered([41, 42, 43, 44, 45, 46, 47, 48, 49, 50], [61]))
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    #expect(screen.lines.contains { $0.hasSuffix("Qwink 3") })
    screen.strike("g", "g")
    #expect(screen.text.contains("Qwink 41"))
  }

  @Test func `no thread is fetched while the detail pane is hidden`() async throws {
    let server = answered([], [61])
    let screen = try await Screen.settled(server)
    await screen.press("j", "k")
    await screen.pass(.seconds(1))
    #expect(contextCount(server) == 0)
    screen.strike("Enter", "Esc")
    await screen.pass(.seconds(1))
    #expect(contextCount(server) == 0)
  }

  @Test func `the error of a thread disappears while R retries`() async throws {
    let server = answered([], [61])
    let path = "/api/v1/statuses/3/context"
    server.handle(.get, path) { _ in throw TransportError.refused(host: ScriptedTimeline.host) }
    let screen = try await Screen.settled(server)
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    #expect(screen.text.contains(StatusWords.retries("R")))
    let gate = Gate()
    server.handle(.get, path) { _ in
      await gate.whenOpen()
      return .json(WireEncoder.thread(QwinkThread()))
    }
    screen.strike("R")
    #expect(screen.text.contains(ThreadWords.fetching))
    #expect(!screen.text.contains(StatusWords.retries("R")))
    gate.open()
    await screen.settle()
    #expect(screen.text.contains(ThreadWords.noReplies))
  }

  @Test func `a failed thread names the retry key in a small window too`() async throws {
    let server = answered([], [61])
    server.handle(.get, "/api/v1/statuses/3/context") { _ in
      throw TransportError.timedOut(host: ScriptedTimeline.host)
    }
    let screen = try await Screen.settled(server, rows: 12, columns: 40)
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    #expect(screen.status.contains(StatusWords.retries("R")))
  }

  @Test func `a thread is assembled from cached timelines while offline`()
    async throws
  {
    var qwinks = [5, 4, 3, 2, 1].map(ScriptedTimeline.qwink)
    // 1 ‹ 2 ‹ 4 and 2 ‹ 5. Qwink 3 is in another thread.
    for (index, parent) in [(0, "2"), (1, "2"), (3, "1")] { qwinks[index].inReplyTo = Qwink.ID(parent) }
    let server = ScriptedTimeline()
    server.replace(with: qwinks)
    let screen = try await Screen.settled(server, rows: 40)
    server.setReachable(false)
    await screen.press("j", "j", "j", "Enter")
    await screen.pass(.seconds(1))
    #expect(screen.header.contains("○ 00:00"), "\(screen.header)")
    #expect(screen.visible == [1, 2, 4, 5], "\(screen.text)")
    #expect(screen.text.contains(Self.partial))
    server.setReachable(true)
    await screen.press("R")
    #expect(!screen.text.contains(ThreadWords.mayBeMore) && !screen.header.contains(StatusWords.offlineSince))
  }

  @Test func `a thread opened before is available offline after a restart`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline([3])
    let thread = QwinkThread(
      ancestors: [ScriptedTimeline.qwink(60)], descendants: [61, 62].map(ScriptedTimeline.qwink))
    server.setThread(thread, of: 3)
    let before = try await Screen.settled(server, rows: 40, in: folder)
    await before.press("Enter")
    await before.pass(.seconds(1))
    #expect(before.text.contains("Qwink 62"))
    let screen = try await Screen.settled(server, rows: 40, in: folder)
    server.setReachable(false)
    await screen.press("Enter")
    await screen.pass(.seconds(1))
    #expect(screen.visible == [60, 3, 61, 62], "\(screen.text)")
    #expect(screen.text.contains(Self.partial))
  }

  @Test func `gp opens a parent from a timeline while offline`() async throws {
    var qwinks = [3, 2, 1].map(ScriptedTimeline.qwink)
    qwinks[0].inReplyTo = "1"
    let server = ScriptedTimeline()
    server.replace(with: qwinks)
    let screen = try await Screen.settled(server)
    server.setReachable(false)
    await screen.press("g", "p")
    #expect(screen.way.contains(ThreadWords.title))
    #expect(screen.text.contains("Qwink 1") && !screen.text.contains("Qwink 2"))
    #expect(screen.status.contains(ScriptedTimeline.unreachable))
  }

  @Test func `a window made wide shows the thread of the selected qwink`() async throws {
    let screen = try await Screen.settled(answered([], [61]), hidesMessages: true)
    screen.resize(rows: 30, columns: 130)
    await screen.pass(.seconds(1))
    let replies = screen.detail.split(separator: "\n").filter { $0.contains("└─") || $0.contains("├─") }
    #expect(replies.count == 1 && screen.detail.contains("Qwink 61"), "\(screen.detail)")
  }

  @Test func `filtered and warned posts stay covered in a thread`() async throws {
    let server = ScriptedTimeline([3])
    var warned = ScriptedTimeline.qwink(61)
    warned.contentWarning = "Film"
    var filtered = ScriptedTimeline.qwink(62)
    filtered.filterMatches = [FilterMatch(id: "1", title: "Spoilers", hides: false, contexts: [])]
    server.setThread(QwinkThread(ancestors: [], descendants: [warned, filtered]), of: 3)
    let screen = try await Screen.settled(server)
    screen.strike("Enter")
    await screen.pass(.milliseconds(300))
    #expect(screen.text.contains("⚠ Film"))
    #expect(!screen.text.contains("Qwink 61"))
    #expect(!screen.text.contains("Qwink 62"))
  }
}
