import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct TimelineScreenTests {
  private let refused = TransportError.refused(host: ScriptedTimeline.host)

  @Test func `the first frame shows cached rows before any request`() throws {
    let folder = TemporaryFolder()
    try Screen.keep([9, 8, 7, 6, 5, 4, 3, 2, 1], in: folder)
    let screen = try Screen(ScriptedTimeline(), in: folder)
    #expect(screen.frameCount == 1)
    #expect(screen.visible == [9, 8, 7, 6, 5, 4, 3])
    #expect(screen.selected == 9)
    #expect(screen.server.paths.isEmpty)
  }

  @Test func `without cached rows the first frame shows that it is loading`() async throws {
    let screen = try Screen(ScriptedTimeline([2, 1]))
    #expect(screen.text.contains(TimelineWords.fetching(.public)))
    await screen.settle()
    #expect(screen.visible == [2, 1])
    #expect(screen.selected == 2)
  }

  @Test func `the first response is merged with cached rows`() async throws {
    let folder = TemporaryFolder()
    try Screen.keep(Array((1...30).reversed()), in: folder)
    let screen = try await Screen.settled(ScriptedTimeline(Array((1...32).reversed())), in: folder)
    #expect(screen.selected == 30)
    #expect(screen.visible.first == 30)
    #expect(screen.status.contains(StatusWords.newCount(2)))
    await screen.press("k", "k")
    #expect(screen.selected == 32)
    #expect(!screen.status.contains(StatusWords.newAbove))
  }

  @Test func `rows stay while the server rebuilds its timeline`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let folder = TemporaryFolder()
    let screen = try await Screen.settled(server, in: folder)
    server.handle(.get, "/api/v1/timelines/public") { _ in .json(Array("[]".utf8), status: 206) }
    await screen.press("R")
    #expect(screen.visible == [3, 2, 1])
    #expect(try Screen(ScriptedTimeline(), in: folder).visible == [3, 2, 1])
  }

  @Test func `fetched rows are cached for the next start`() async throws {
    let folder = TemporaryFolder()
    _ = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    let screen = try Screen(ScriptedTimeline(), in: folder)
    #expect(screen.visible == [3, 2, 1])
  }

  @Test func `after a failure the rows stay and the status explains the retry`() async throws {
    let folder = TemporaryFolder()
    try Screen.keep([5, 4, 3, 2, 1], in: folder)
    let server = ScriptedTimeline([5, 4, 3, 2, 1])
    server.failTimelines(with: refused)
    let screen = try await Screen.settled(server, columns: 160, in: folder)
    #expect(screen.visible == [5, 4, 3, 2, 1])
    #expect(screen.status.contains(ScriptedTimeline.unreachable))
    #expect(screen.status.contains(StatusWords.withinAMinute))
    #expect(screen.header.contains("\(StatusWords.offlineSince) 00:00"))
  }

  @Test func `a failure explains the retry in 80 columns too`() async throws {
    let server = ScriptedTimeline([1])
    let screen = try await Screen.settled(server)
    server.failTimelines(with: refused)
    await screen.press("R")
    #expect(screen.status.contains(ScriptedTimeline.unreachable))
    #expect(screen.status.contains(StatusWords.withinAMinute))
    #expect(screen.status.contains(StatusWords.retriesNow("R")))
  }

  @Test func `a failure without rows names the retry key`() async throws {
    let server = ScriptedTimeline([1])
    server.failTimelines(with: refused)
    let screen = try await Screen.settled(server)
    #expect(screen.text.contains(ScriptedTimeline.unreachable))
    #expect(screen.text.contains(keyHint(PlaceholderWords.retries)))
  }

  @Test func `an empty timeline hides keys that need a row`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline(), columns: 100)
    let hints = try [Action.listNext, .open, .reply, .boost, .bookmark].map { try Screen.hint(for: $0) }
    for hint in hints { #expect(!screen.status.contains(hint)) }
    let compose = try Screen.hint(for: .compose)
    #expect(screen.status.contains(compose))
    screen.server.add([1])
    await screen.press("R")
    for hint in hints { #expect(screen.status.contains(hint)) }
  }

  @Test func `a failed refresh is retried after 20 seconds`() async throws {
    let server = ScriptedTimeline([2, 1])
    server.failTimelines(with: refused)
    let screen = try await Screen.settled(server)
    #expect(server.refreshCount() == 1)
    await screen.pass(.seconds(19))
    #expect(server.refreshCount() == 1)
    server.failTimelines(with: nil)
    await screen.pass(.seconds(1))
    #expect(server.refreshCount() == 2)
    #expect(screen.visible == [2, 1])
    #expect(!screen.text.contains(ScriptedTimeline.unreachable))
    #expect(!screen.header.contains(StatusWords.offlineSince))
  }

  @Test func `R retries at once`() async throws {
    let server = ScriptedTimeline([2, 1])
    server.failTimelines(with: refused)
    let screen = try await Screen.settled(server)
    server.failTimelines(with: nil)
    await screen.press("R")
    #expect(screen.visible == [2, 1])
    #expect(!screen.text.contains(ScriptedTimeline.unreachable))
  }

  @Test func `an empty timeline suggests writing a post`() async throws {
    let screen = try await Screen.settled()
    #expect(screen.text.contains(TimelineWords.nothingHere))
    #expect(screen.text.contains(keyHint(TimelineWords.writesFirst)))
  }

  @Test func `the next poll is a minute after the last response even while scrolling`() async throws {
    let server = ScriptedTimeline(Array((1...400).reversed()))
    let screen = try await Screen.settled(server)
    for _ in 0..<6 {
      await screen.pass(.seconds(10))
      await screen.press("G")
    }
    await screen.pass(.seconds(1))
    #expect(server.refreshCount() == 2)
  }
}
