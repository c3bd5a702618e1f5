import QwinkleModel
import QwinkleTesting
import Testing

@testable import QwinkleScreens

/// What is posted and can't be seen says where it is, and that is true.
@MainActor
@Suite(.timeLimit(.minutes(60))) struct PostedPlaceTests {
  private let server = ScriptedTimeline(Array((1...40).reversed()), home: [50])

  private func post(_ text: String, on screen: Screen, _ keys: String...) async {
    await screen.press(keys.first ?? "c")
    screen.type(text)
    for key in keys.dropFirst() { await screen.press(key) }
    await screen.press("^D")
  }

  @Test func `at the top it is seen, and nothing more is said`() async throws {
    let screen = try await Screen.settled(server)
    await post("Hello all", on: screen)
    #expect(screen.text.contains("Hello all"))
    #expect(screen.status.hasSuffix("Posted"), "\(screen.status)")
  }

  @Test func `further down gg shows it`() async throws {
    let screen = try await Screen.settled(server)
    await screen.press("j", times: 20)
    await post("Hello all", on: screen)
    #expect(!screen.text.contains("Hello all"))
    #expect(screen.status.hasSuffix("Posted · gg shows it"), "\(screen.status)")
    await screen.press("g", "g")
    #expect(screen.text.contains("Hello all"))
  }

  @Test func `for followers it is at home`() async throws {
    let screen = try await Screen.settled(server)
    await screen.press("2", "1")
    await post("Among us", on: screen, "c", "^T", "^T")
    #expect(screen.status.hasSuffix("Posted to followers · 2 shows it"), "\(screen.status)")
    await screen.press("2")
    #expect(screen.text.contains("Among us"), "\(screen.text)")
  }

  @Test func `where home has not been opened only its name is said`() async throws {
    let screen = try await Screen.settled(server)
    await post("Among us", on: screen, "c", "^T", "^T")
    #expect(screen.status.hasSuffix("Posted to followers · it is in 2 Home"), "\(screen.status)")
    await screen.press("2")
    #expect(screen.text.contains("Among us"), "\(screen.text)")
  }

  @Test func `a reply is in the thread that Enter opens`() async throws {
    let screen = try await Screen.settled(server)
    await screen.press("j")
    await post("Indeed", on: screen, "r")
    #expect(screen.status.hasSuffix("Reply posted · Enter shows the thread"), "\(screen.status)")
  }

  @Test func `a direct qwink is among the messages`() async throws {
    let screen = try await Screen.settled(server)
    await post("@erin psst", on: screen, "c", "^T", "^T", "^T")
    #expect(screen.status.hasSuffix("Sent · it is in 3 Messages"), "\(screen.status)")
    #expect(!screen.text.contains("psst"))
  }
}
