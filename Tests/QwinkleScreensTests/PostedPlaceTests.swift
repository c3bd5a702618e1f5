import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// What is posted and can't be seen says where it is, and that is true.
@MainActor
@Suite(.bounded) struct PostedPlaceTests {
  private let server = ScriptedTimeline(Array((1...40).reversed()), home: [50])

  private func post(_ text: String, on screen: Screen, _ keys: String...) async {
    await screen.press(keys.first ?? "c")
    screen.type(text)
    for key in keys.dropFirst() { await screen.press(key) }
    await screen.press("^D")
  }

  private func words(
    _ place: PostedPlace, visibility: Visibility = .public, inReplyTo parent: Qwink.ID? = nil
  ) -> String {
    var qwink = Qwink.sample()
    qwink.visibility = visibility
    qwink.inReplyTo = parent
    return withKeys(EntryWords.posted(qwink, where: place))
  }

  @Test func `at the top it is seen, and nothing more is said`() async throws {
    let screen = try await Screen.settled(server)
    await post("Hello all", on: screen)
    #expect(screen.text.contains("Hello all"))
    #expect(screen.status.hasSuffix(words(.inSight)), "\(screen.status)")
  }

  @Test func `further down gg shows it`() async throws {
    let screen = try await Screen.settled(server)
    await screen.press("j", times: 20)
    await post("Hello all", on: screen)
    #expect(!screen.text.contains("Hello all"))
    #expect(screen.status.hasSuffix(words(.top)), "\(screen.status)")
    await screen.press("g", "g")
    #expect(screen.text.contains("Hello all"))
  }

  @Test func `for followers it is at home`() async throws {
    let screen = try await Screen.settled(server)
    await screen.press("2", "1")
    await post("Among us", on: screen, "c", "^T", "^T")
    #expect(screen.status.hasSuffix(words(.section(.home), visibility: .private)), "\(screen.status)")
    await screen.press("2")
    #expect(screen.text.contains("Among us"), "\(screen.text)")
  }

  @Test func `where home has not been opened only its name is said`() async throws {
    let screen = try await Screen.settled(server)
    await post("Among us", on: screen, "c", "^T", "^T")
    #expect(screen.status.hasSuffix(words(.somewhere(.home), visibility: .private)), "\(screen.status)")
    await screen.press("2")
    #expect(screen.text.contains("Among us"), "\(screen.text)")
  }

  @Test func `a reply is in the thread that Enter opens`() async throws {
    let screen = try await Screen.settled(server)
    await screen.press("j")
    await post("Indeed", on: screen, "r")
    #expect(screen.status.hasSuffix(words(.thread, inReplyTo: "1")), "\(screen.status)")
  }

  @Test func `a direct qwink is among the messages`() async throws {
    let screen = try await Screen.settled(server)
    await post("@erin psst", on: screen, "c", "^T", "^T", "^T")
    #expect(screen.status.hasSuffix(words(.somewhere(.messages), visibility: .direct)), "\(screen.status)")
    #expect(!screen.text.contains("psst"))
  }
}
