import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Testing

@testable import QwinkleScreens

/// A key that does nothing says so, and no message outlives the next key that does something.
@MainActor
@Suite(.timeLimit(.minutes(60))) struct IgnoredKeyTests {
  @Test(arguments: [("w", "w"), ("F5", "F5"), ("^G", "^G"), ("Del", "Del")])
  func `a key that nothing has says so, and names the help`(key: String, name: String) async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    await screen.press(key)
    #expect(screen.status.contains("\(name) does nothing here · ? lists keys"), "\(screen.status)")
    await screen.press("j")
    #expect(!screen.status.contains("does nothing"), "\(screen.status)")
    await screen.press("Enter", key)
    #expect(screen.way.contains("Thread") && screen.status.contains("does nothing here"), "\(screen.text)")
  }

  @Test func `the second key of a sequence says so with the first`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    await screen.press("g", "x")
    #expect(screen.status.contains("gx does nothing here"), "\(screen.status)")
    await screen.press("c", "^X", "x")
    #expect(screen.text.contains("^X x does nothing here · F1 lists keys"), "\(screen.text)")
    await screen.press("a")
    #expect(!screen.text.contains("does nothing here") && screen.text.contains("^D post"), "\(screen.text)")
  }

  @Test func `an action that does not apply says why`() async throws {
    let server = ScriptedTimeline([2, 1])
    Talk.begin(on: server)
    let screen = try await Screen.settled(server)
    for (key, reason) in [("z", "No content warning here"), ("X", "No follow request here")] {
      await screen.press(key)
      #expect(screen.status.contains(reason), "\(key): \(screen.status)")
      await screen.press("j")
      #expect(!screen.status.contains(reason))
    }
    await screen.press("3")
    for key in ["r", "b", "f"] {
      await screen.press(key)
      #expect(screen.status.contains("\(key) needs a qwink"), "\(key): \(screen.status)")
    }
  }

  @Test func `a warning still opens, and says nothing`() async throws {
    let server = ScriptedTimeline([1])
    var qwink = Qwink.sample(id: "2", text: "The butler did it.")
    qwink.contentWarning = "film"
    server.add([qwink])
    let screen = try await Screen.settled(server)
    await screen.press("z")
    #expect(screen.text.contains("The butler did it.") && !screen.status.contains("No content warning"))
  }

  @Test func `what a key did goes with the next key, what failed stays`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]))
    await screen.press("f")
    #expect(screen.status.contains("u: undo"))
    await screen.press("j")
    #expect(!screen.status.contains("u: undo"), "\(screen.status)")
    screen.server.reactions.fail(with: .local(reason: "No room."))
    await screen.press("b")
    #expect(screen.status.contains("Boost failed."))
    await screen.press("j")
    #expect(screen.status.contains("Boost failed."), "\(screen.status)")
    await screen.pass(.seconds(10))
    #expect(!screen.status.contains("Boost failed."))
  }

  @Test func `where several panes are seen the hints end with their key`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]), rows: 40, columns: 160)
    #expect(screen.status.contains("^W panes"), "\(screen.status)")
    await screen.press("^W")
    #expect(screen.status.contains("next pane"), "\(screen.status)")
    let narrow = try await Screen.settled(ScriptedTimeline([2, 1]), columns: 100)
    #expect(!narrow.status.contains("panes"))
  }
}
