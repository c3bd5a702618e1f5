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

  @Test func `the first frame shows what was kept, before anything is asked`() throws {
    let folder = TemporaryFolder()
    try Screen.keep([9, 8, 7, 6, 5, 4, 3, 2, 1], in: folder)
    let screen = try Screen(ScriptedTimeline(), in: folder)
    #expect(screen.frameCount == 1)
    #expect(screen.visible == [9, 8, 7, 6, 5, 4, 3])
    #expect(screen.selected == 9)
    #expect(screen.server.paths.isEmpty)
  }

  @Test func `without anything kept the first frame says that it is being fetched`() async throws {
    let screen = try Screen(ScriptedTimeline([2, 1]))
    #expect(screen.text.contains(TimelineWords.fetching(.public)))
    await screen.settle()
    #expect(screen.visible == [2, 1])
    #expect(screen.selected == 2)
  }

  @Test func `the first answer merges with what was kept`() async throws {
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

  @Test func `a timeline that the server is making anew stays as it was`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let folder = TemporaryFolder()
    let screen = try await Screen.settled(server, in: folder)
    server.handle(.get, "/api/v1/timelines/public") { _ in .json(Array("[]".utf8), status: 206) }
    await screen.press("R")
    #expect(screen.visible == [3, 2, 1])
    #expect(try Screen(ScriptedTimeline(), in: folder).visible == [3, 2, 1])
  }

  @Test func `what came is there at the next start`() async throws {
    let folder = TemporaryFolder()
    _ = try await Screen.settled(ScriptedTimeline([3, 2, 1]), in: folder)
    let screen = try Screen(ScriptedTimeline(), in: folder)
    #expect(screen.visible == [3, 2, 1])
  }

  @Test func `a failure leaves what is on the screen, says why, and when it is tried again`() async throws {
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

  @Test func `in 80 columns too a failure says what happens next`() async throws {
    let server = ScriptedTimeline([1])
    let screen = try await Screen.settled(server)
    server.failTimelines(with: refused)
    await screen.press("R")
    #expect(screen.status.contains(ScriptedTimeline.unreachable))
    #expect(screen.status.contains(StatusWords.withinAMinute))
    #expect(screen.status.contains(StatusWords.retriesNow("R")))
  }

  @Test func `a failure with nothing to show says what can be done`() async throws {
    let server = ScriptedTimeline([1])
    server.failTimelines(with: refused)
    let screen = try await Screen.settled(server)
    #expect(screen.text.contains(ScriptedTimeline.unreachable))
    #expect(screen.text.contains(keyHint(PlaceholderWords.retries)))
  }

  @Test func `an empty timeline names no keys that have nothing to do`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline(), columns: 100)
    let hints = try [Action.listNext, .open, .reply, .boost, .bookmark].map { try Screen.hint(for: $0) }
    for hint in hints { #expect(!screen.status.contains(hint)) }
    let compose = try Screen.hint(for: .compose)
    #expect(screen.status.contains(compose))
    screen.server.add([1])
    await screen.press("R")
    for hint in hints { #expect(screen.status.contains(hint)) }
  }

  @Test func `after a failure it is tried again after 20 seconds`() async throws {
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

  @Test func `R tries again at once`() async throws {
    let server = ScriptedTimeline([2, 1])
    server.failTimelines(with: refused)
    let screen = try await Screen.settled(server)
    server.failTimelines(with: nil)
    await screen.press("R")
    #expect(screen.visible == [2, 1])
    #expect(!screen.text.contains(ScriptedTimeline.unreachable))
  }

  @Test func `an empty timeline says so and which keys change it`() async throws {
    let screen = try await Screen.settled()
    #expect(screen.text.contains(TimelineWords.nothingHere))
    #expect(screen.text.contains(keyHint(TimelineWords.writesFirst)))
  }

  @Test func `the next poll comes a minute after the last answer, also for one who scrolls`() async throws {
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
