import TerminalTesting
import Testing

@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct AccountTests {
  @Test func `the home timeline is missing and refused with a reason while signed out`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]), isSignedIn: false)
    #expect(screen.header.contains("1 Public"))
    #expect(!screen.header.contains("Home"))
    #expect(screen.header.contains(HeaderWords.signedOut))
    await screen.press("2")
    #expect(screen.status.contains(MainWords.needsAccount(.home)))
    #expect(screen.visible == [2, 1])
    #expect(!screen.server.paths.contains { $0.contains("/home") || $0.contains("verify_credentials") })
  }

  @Test func `writing is refused with a reason while signed out`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]), isSignedIn: false)
    await screen.press("c")
    #expect(screen.status.contains(MainWords.writingNeedsAccount))
    #expect(screen.visible == [2, 1])
    await screen.pass(.seconds(6))
    #expect(!screen.status.contains(MainWords.writingNeedsAccount))
  }

  @Test func `the header shows the sections and the account while signed in`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]), columns: 110)
    #expect(screen.header.contains("1 Public") && screen.header.contains("2 Home"))
    #expect(screen.header.contains("mara@tilde.example"))
  }

  @Test func `an empty home timeline suggests the public timeline`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    await screen.press("2")
    #expect(screen.text.contains(TimelineWords.emptyHome))
    #expect(screen.text.contains(keyHint(PlaceholderWords.opensPublic)))
  }
}
