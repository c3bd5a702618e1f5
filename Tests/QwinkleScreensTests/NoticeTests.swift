import PaneKit
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The status bar shows a notice for its lifetime.
@MainActor
@Suite(.bounded) struct NoticeTests {
  private static let text = "The leeks are ripe."

  private func screen(showing notice: Notice) async throws -> Screen {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]))
    screen.main.report(notice)
    await screen.settle()
    #expect(screen.status.contains(Self.text))
    return screen
  }

  @Test(arguments: [
    (StyleRole.dim, Notice.Lifetime?.none, true, Duration.seconds(6)), (.new, nil, true, .seconds(6)),
    (.warning, nil, true, .seconds(6)), (.error, nil, false, .seconds(6)), (.warning, .minute, false, .seconds(60)),
  ])
  func `a key removes a notice unless it is an error or an announcement, and time removes all`(
    role: StyleRole, lifetime: Notice.Lifetime?, endsWithKey: Bool, duration: Duration
  ) async throws {
    let notice = Notice(Self.text, role, lifetime)
    let left = try await screen(showing: notice)
    await left.press("j")
    #expect(left.status.contains(Self.text) != endsWithKey, "\(left.status)")
    let waiting = try await screen(showing: notice)
    await waiting.pass(duration - .seconds(1))
    #expect(waiting.status.contains(Self.text), "\(waiting.status)")
    await waiting.pass(.seconds(1))
    #expect(!waiting.status.contains(Self.text), "\(waiting.status)")
  }

  @MainActor private final class Truth {
    var isSo = true
  }

  @Test func `a notice is removed once it is no longer true`() async throws {
    let truth = Truth()
    let screen = try await screen(showing: Notice(Self.text, .error, while: { truth.isSo }))
    screen.main.wordsMayHaveChanged()
    await screen.settle()
    #expect(screen.status.contains(Self.text))
    truth.isSo = false
    screen.main.wordsMayHaveChanged()
    await screen.settle()
    #expect(!screen.status.contains(Self.text))
  }
}
