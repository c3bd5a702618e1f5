import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// A key that does nothing shows a message. The next key that does something clears it.
@MainActor
@Suite(.bounded) struct IgnoredKeyTests {
  @Test(arguments: [("t", "t"), ("F5", "F5"), ("^G", "^G"), ("Del", "Del")])
  func `an unbound key shows a message with the help key`(key: String, name: String) async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    await screen.press(key)
    #expect(screen.status.contains(IgnoredKeyWords.nothing(name, help: "?")), "\(screen.status)")
    let nothing = IgnoredKeyWords.nothing(name, help: nil)
    await screen.press("j")
    #expect(!screen.status.contains(nothing), "\(screen.status)")
    await screen.press("Enter", key)
    #expect(screen.way.contains(ThreadWords.title) && screen.status.contains(nothing), "\(screen.text)")
  }

  @Test func `an unbound second key is reported together with the first`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    await screen.press("g", "x")
    #expect(screen.status.contains(IgnoredKeyWords.nothing("gx", help: nil)), "\(screen.status)")
    await screen.press("c", "^X", "x")
    #expect(screen.text.contains(IgnoredKeyWords.nothing("^X x", help: "F1")), "\(screen.text)")
    await screen.press("a")
    #expect(!screen.text.contains(IgnoredKeyWords.nothing("^X x", help: nil)), "\(screen.text)")
    #expect(screen.text.contains("^D \(EntryWords.sending(.new))"), "\(screen.text)")
  }

  @Test func `a key whose action doesn't apply shows the reason`() async throws {
    let server = ScriptedTimeline([2, 1])
    Talk.begin(on: server)
    let screen = try await Screen.settled(server)
    for (key, action) in [("z", Action.reveal), ("X", .refuseFollow)] {
      let reason = try #require(IgnoredKeyWords.reason(action, keys: key))
      await screen.press(key)
      #expect(screen.status.contains(reason), "\(key): \(screen.status)")
      await screen.press("j")
      #expect(!screen.status.contains(reason))
    }
    await screen.press("3")
    for (key, action) in [("r", Action.reply), ("b", .boost), ("f", .favourite)] {
      let reason = try #require(IgnoredKeyWords.reason(action, keys: key))
      await screen.press(key)
      #expect(screen.status.contains(reason), "\(key): \(screen.status)")
    }
  }

  @Test func `revealing a warning shows no message`() async throws {
    let server = ScriptedTimeline([1])
    var qwink = Qwink.sample(id: "2", text: "The butler did it.")
    qwink.contentWarning = "film"
    server.add([qwink])
    let screen = try await Screen.settled(server)
    await screen.press("z")
    #expect(screen.text.contains("The butler did it.") && !screen.status.contains(IgnoredKeyWords.noWarning))
  }

  @Test func `the next key clears a confirmation but not a failure`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]))
    let favourited = withKeys(ActionWords.undoable(Reaction.favourite.sentence(isOn: true)))
    let failed = FailureWords.failed(FailureWords.reacting(.boost, isOn: true))
    await screen.press("f")
    #expect(screen.status.contains(favourited))
    await screen.press("j")
    #expect(!screen.status.contains(favourited), "\(screen.status)")
    screen.server.reactions.fail(with: .local(reason: "No room."))
    await screen.press("b")
    #expect(screen.status.contains(failed))
    await screen.press("j")
    #expect(screen.status.contains(failed), "\(screen.status)")
    await screen.pass(.seconds(10))
    #expect(!screen.status.contains(failed))
  }

  @Test func `with several visible panes the hints end with the pane key`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]), rows: 40, columns: 160)
    let nextPane = try Screen.hint(for: .nextPane).dropFirst("^W ".count)
    #expect(screen.status.contains("^W \(MainWords.panes)"), "\(screen.status)")
    await screen.press("^W")
    #expect(screen.status.contains(nextPane), "\(screen.status)")
    let narrow = try await Screen.settled(ScriptedTimeline([2, 1]), columns: 99)
    #expect(!narrow.status.contains("^W \(MainWords.panes)"))
  }
}
