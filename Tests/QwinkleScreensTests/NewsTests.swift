import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// New qwinks while a timeline is open.
@MainActor
@Suite(.bounded) struct NewsTests {
  @Test func `a poll counts new qwinks without moving the list`() async throws {
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

  @Test func `a poll does not move a reader at the top`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    server.add([31])
    await screen.pass(.seconds(60))
    #expect(screen.visible.first == 30)
    #expect(screen.selected == 30)
    #expect(screen.status.contains(StatusWords.newCount(1)))
  }

  @Test func `the user's post from another client appears at once at the top`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    server.add([.sample(id: "31", text: "Qwink 31", author: .sample("mara"))])
    await screen.pass(.seconds(60))
    #expect(screen.visible.first == 31 && screen.selected == 31)
    // The list stays if other authors' qwinks are new too, or if the reader has moved on.
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

  @Test func `moving up to new qwinks clears their count`() async throws {
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

  @Test func `the counts of consecutive polls add up`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    server.add([31])
    await screen.pass(.seconds(60))
    server.add([33, 32])
    await screen.pass(.seconds(60))
    #expect(screen.status.contains(StatusWords.newCount(3)))
  }

  @Test func `R does not move a reader who is not at the top`() async throws {
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

  @Test func `R at the top shows new qwinks`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    server.add([32, 31])
    await screen.press("R")
    #expect(screen.visible.prefix(3) == [32, 31, 30])
    #expect(screen.selected == 32)
    #expect(!screen.status.contains(StatusWords.newAbove))
  }

  @Test func `R during a poll shows its result without another request`() async throws {
    let server = ScriptedTimeline(Array((1...30).reversed()))
    let screen = try await Screen.settled(server)
    server.add([31])
    screen.advance(by: .seconds(60))
    await screen.press("R")
    #expect(server.refreshCount() == 2)
    #expect(screen.selected == 31)
  }

  @Test func `a changed qwink is updated in place`() async throws {
    let server = ScriptedTimeline()
    var changed = ScriptedTimeline.qwink(2)
    server.add([ScriptedTimeline.qwink(3), changed, ScriptedTimeline.qwink(1)])
    let screen = try await Screen.settled(server)
    changed.favouritesCount = 7
    server.replace(with: [ScriptedTimeline.qwink(3), changed, ScriptedTimeline.qwink(1)])
    await screen.pass(.seconds(60))
    #expect(screen.visible == [3, 2, 1])
    #expect(screen.text.contains("★7"))
    #expect(!screen.status.contains(StatusWords.newAbove))
  }

  @Test func `a deleted qwink disappears at the next refresh and stays deleted after a restart`() async throws {
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

  @Test func `an open qwink stays visible after its row is removed`() async throws {
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

  @Test func `a removed bookmark stays listed until the next refresh`() async throws {
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

  @Test func `relative times advance without new qwinks`() async throws {
    let server = ScriptedTimeline([500])
    let screen = try await Screen.settled(server)
    #expect(screen.lines[2].hasSuffix("now"))
    await screen.pass(.seconds(61))
    #expect(screen.lines[2].hasSuffix("1m"))
  }
}
