import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// What a reader sees when something new arrives.
@MainActor
@Suite(.bounded) struct NewsTests {
  @Test func `a poll after a minute says how many are new and moves nothing`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    await screen.press("j", times: 8)
    let visible = screen.visible
    let selected = screen.selected
    server.add([32, 31])
    await screen.pass(.seconds(59))
    #expect(server.refreshCount() == 1)
    await screen.pass(.seconds(1))
    #expect(server.refreshCount() == 2)
    #expect(screen.status.contains(StatusWords.newCount(2)))
    #expect(screen.visible == visible)
    #expect(screen.selected == selected)
  }

  @Test func `a poll does not move one who stands at the top either`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    server.add([31])
    await screen.pass(.seconds(60))
    #expect(screen.visible.first == 30)
    #expect(screen.selected == 30)
    #expect(screen.status.contains(StatusWords.newCount(1)))
  }

  @Test func `what somebody at the top has posted elsewhere is shown at once`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    server.add([.sample(id: "31", text: "Qwink 31", author: .sample("mara"))])
    await screen.pass(.seconds(60))
    #expect(screen.visible.first == 31 && screen.selected == 31)
    // Not if something new from others is there, too, nor to one who has gone on.
    server.add([33])
    await screen.pass(.seconds(60))
    server.add([.sample(id: "34", text: "Qwink 34", author: .sample("mara"))])
    await screen.pass(.seconds(60))
    #expect(screen.selected == 31 && screen.status.contains(StatusWords.newCount(1)))
    await screen.press("g", "g", "j")
    let selected = screen.selected
    server.add([.sample(id: "35", text: "Qwink 35", author: .sample("mara"))])
    await screen.pass(.seconds(60))
    #expect(screen.selected == selected)
  }

  @Test func `going up clears the word about what is new`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    server.add([33, 32, 31])
    await screen.pass(.seconds(60))
    #expect(screen.status.contains(StatusWords.newCount(3)))
    await screen.press("k")
    #expect(screen.status.contains(StatusWords.newCount(2)))
    #expect(screen.selected == 31)
    await screen.press("g", "g")
    #expect(!screen.status.contains(StatusWords.newAbove))
    #expect(screen.selected == 33)
  }

  @Test func `what one poll brought and what the next brings add up`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    server.add([31])
    await screen.pass(.seconds(60))
    server.add([33, 32])
    await screen.pass(.seconds(60))
    #expect(screen.status.contains(StatusWords.newCount(3)))
  }

  @Test func `R while reading below keeps the place`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    await screen.press("j", times: 8)
    let visible = screen.visible
    let selected = screen.selected
    server.add([32, 31])
    await screen.press("R")
    #expect(screen.visible == visible)
    #expect(screen.selected == selected)
    #expect(screen.status.contains(StatusWords.newCount(2)))
  }

  @Test func `R at the top shows what is new`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    server.add([32, 31])
    await screen.press("R")
    #expect(screen.visible.prefix(3) == [32, 31, 30])
    #expect(screen.selected == 32)
    #expect(!screen.status.contains(StatusWords.newAbove))
  }

  @Test func `R during a poll makes its answer the reader's`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    server.add([31])
    screen.advance(by: .seconds(60))
    await screen.press("R")
    #expect(server.refreshCount() == 2)
    #expect(screen.selected == 31)
  }

  @Test func `a qwink that changed is shown as it is now, in its place`() async throws {
    let server = ScriptedTimeline()
    var changed = ScriptedTimeline.qwink(2)
    server.add([ScriptedTimeline.qwink(3), changed, ScriptedTimeline.qwink(1)])
    let screen = try await Screen.settled(server)
    changed.favouritesCount = 7
    server.replace(with: [ScriptedTimeline.qwink(3), changed, ScriptedTimeline.qwink(1)])
    await screen.pass(.seconds(60))
    #expect(screen.visible == [3, 2, 1])
    #expect(screen.text.contains("★ 7"))
    #expect(!screen.status.contains(StatusWords.newAbove))
  }

  @Test func `what somebody deleted goes at the next refresh, and is not there at the next start`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline([4, 3, 2, 1])
    let screen = try await Screen.settled(server, in: folder)
    await screen.press("j", "j")
    server.replace(with: [4, 3, 1].map(ScriptedTimeline.qwink))
    #expect(screen.visible == [4, 3, 2, 1])
    await screen.press("R")
    #expect(screen.visible == [4, 3, 1])
    #expect(screen.selected == 1)
    let second = try Screen(ScriptedTimeline(), in: folder)
    #expect(second.visible == [4, 3, 1])
  }

  @Test func `a qwink that is being read stays when its row goes`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await Screen.settled(server)
    await screen.press("j", "Enter")
    server.replace(with: [3, 1].map(ScriptedTimeline.qwink))
    await screen.press("R")
    await screen.pass(.seconds(60))
    #expect(screen.visible == [2])
    await screen.press("Esc")
    #expect(screen.visible == [3, 1])
  }

  @Test func `what is no longer marked is listed until the next refresh`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let path = "/api/v1/bookmarks"
    func answer(_ marked: [Qwink]) { server.handle(.get, path) { _ in .json(WireEncoder.qwinks(marked)) } }
    answer([ScriptedTimeline.qwink(2).setting(.bookmark, to: true)])
    let screen = try await Screen.settled(server)
    await screen.press("5")
    #expect(screen.visible == [2])
    await screen.press("m")
    #expect(screen.visible == [2])
    #expect(!screen.text.contains("⚑"))
    answer([])
    await screen.press("R")
    #expect(screen.visible.isEmpty)
    #expect(screen.text.contains(TimelineWords.noBookmarks))
  }

  @Test func `relative times go on while nothing new comes`() async throws {
    let server = ScriptedTimeline([500])
    let screen = try await Screen.settled(server)
    #expect(screen.lines[2].hasSuffix("now"))
    await screen.pass(.seconds(61))
    #expect(screen.lines[2].hasSuffix("1m"))
  }
}
