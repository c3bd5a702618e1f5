import HTTPTypes
import QwinkleConfig
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import PaneKit
@testable import QwinkleScreens

/// Verbs of the `:` prompt: `:boost` does the same as its key, and `:follow bob` acts on a user.
@MainActor
@Suite(.bounded) struct PromptVerbTests {
  private func screen(_ server: ScriptedTimeline = ScriptedTimeline([3, 2, 1])) async throws -> Screen {
    try await Screen.settled(server, columns: 100)
  }

  /// The requests and the text of a screen after `act`.
  private func result(_ act: @MainActor (Screen) async -> Void) async throws -> [String] {
    let screen = try await screen()
    await act(screen)
    return screen.server.reactions.seen.map { "\($0)" } + screen.lines
  }

  @Test(arguments: PromptCommand.verbs.compactMap { verb in verb.action.map { (verb.name, $0) } })
  func `a verb without an argument does the same as its key`(name: String, action: Action) async throws {
    let byKey = try await result { screen in
      // The footer shows the message of an impossible action with the name that the user typed.
      if !screen.application.window.effectiveFirstResponder.perform(action) {
        screen.main.say(IgnoredKeyWords.reason(action, keys: ":\(name)") ?? "", .dim)
      }
      await screen.settle()
    }
    let byName = try await result { screen in
      await screen.press(":")
      screen.type(name)
      await screen.press("Enter")
    }
    #expect(byName == byKey)
  }

  @Test func `follow with a name follows that user`() async throws {
    let screen = try await screen()
    screen.server.setAnswer(
      WireEncoder.qwinker(.sample("carol", id: "9")), of: "/api/v1/accounts/lookup?acct=carol")
    screen.server.handle(.get, "/api/v1/accounts/relationships") { _ in
      .json(WireEncoder.relationships([Relationship(id: "9")]))
    }
    await screen.press(":")
    screen.type("follow carol")
    await screen.press("Enter")
    #expect(screen.server.paths.contains("/api/v1/accounts/9/follow"), "\(screen.server.paths)\n\(screen.text)")
  }

  @Test func `a verb does nothing if another post is selected by then`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    let screen = try await screen(server)
    await screen.press(":")
    screen.type("boost")
    screen.main.focus.navigator?.selectionDidChange(in: screen.main.focus)
    (screen.main.focus as? TimelineViewController)?.list.select(1)
    await screen.press("Enter")
    #expect(screen.status.contains(PromptWords.selectionChanged), "\(screen.text)")
    #expect(server.reactions.seen.isEmpty)
  }

  @Test func `delete does nothing if another draft is selected by then`() async throws {
    let folder = TemporaryFolder()
    let drafts = SavedDrafts(store: nil, folder: folder)
    for text in ["one", "two"] { drafts.save(Entry(text: text, idempotencyKey: text), for: .new) }
    let screen = try await Screen.settled(columns: 100, in: folder)
    screen.main.show(.drafts)
    await screen.settle()
    let list = try #require(screen.main.focus as? DraftsViewController).list
    list.select(0)
    await screen.press(":")
    screen.type("delete")
    list.select(1)
    await screen.press("Enter")
    #expect(screen.status.contains(PromptWords.selectionChanged), "\(screen.text)")
    #expect(screen.text.contains("one") && screen.text.contains("two"))
  }

  @Test func `a command of the user has precedence over a verb but not over other commands`() {
    let own = ["boost", "tag"].map { OwnCommand(name: $0, run: "cat") }
    #expect(PromptCommand.named("boost", besides: own) == nil)
    #expect(PromptCommand.named("tag", besides: own)?.name == "tag")
  }

  @Test func `a verb bound to a key acts on the selected post`() async throws {
    let screen = try await screen()
    screen.main.actions.run("boost")
    await screen.settle()
    #expect(screen.server.reactions.seen.count == 1, "\(screen.text)")
  }

  @Test func `mute with a time mutes the selected user`() async throws {
    let screen = try await screen()
    await screen.press(":")
    screen.type("mute 8h")
    await screen.press("Enter")
    #expect(screen.server.paths.contains { $0.hasSuffix("/mute") }, "\(screen.server.paths)\n\(screen.text)")
  }

  @Test func `a verb that needs a post reports that none is selected`() async throws {
    let screen = try await screen(ScriptedTimeline())
    await screen.press(":")
    screen.type("boost")
    await screen.press("Enter")
    #expect(screen.status.contains(":boost needs a post, and none is selected"), "\(screen.text)")
  }
}
