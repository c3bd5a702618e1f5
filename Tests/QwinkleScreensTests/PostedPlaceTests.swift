import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The reported location of a new post, which must be correct even if the post isn't visible.
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

  @Test func `a post that is visible at the top is reported without a place`() async throws {
    let screen = try await Screen.settled(server)
    await post("Hello all", on: screen)
    #expect(screen.text.contains("Hello all"))
    #expect(screen.status.hasSuffix(words(.inSight)), "\(screen.status)")
  }

  @Test func `gg shows a post sent while the reader is below the top`() async throws {
    let screen = try await Screen.settled(server)
    await screen.press("j", times: 20)
    await post("Hello all", on: screen)
    #expect(!screen.text.contains("Hello all"))
    #expect(screen.status.hasSuffix(words(.top)), "\(screen.status)")
    await screen.press("g", "g")
    #expect(screen.text.contains("Hello all"))
  }

  @Test func `a post for followers is in the home section`() async throws {
    let screen = try await Screen.settled(server)
    await screen.press("2", "1")
    await post("Among us", on: screen, "c", "^T", "^T")
    #expect(screen.status.hasSuffix(words(.section(.home), visibility: .private)), "\(screen.status)")
    await screen.press("2")
    #expect(screen.text.contains("Among us"), "\(screen.text)")
  }

  @Test func `a post in a section that was not opened is reported by the section's name`() async throws {
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
