import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Filters apply only in their contexts, and only until they expire.
@MainActor
@Suite(.bounded) struct FilterContextTests {
  private func qwink(
    _ number: Int, hides: Bool, in contexts: [FilterPlace], endingAfter seconds: Double? = nil
  ) -> Qwink {
    var qwink = ScriptedTimeline.qwink(number)
    qwink.filterMatches = [
      FilterMatch(
        id: "\(number)", title: "Weather \(number)", hides: hides, contexts: contexts.map(\.rawValue),
        expiresAt: seconds.map { ScriptedTimeline.start.addingTimeInterval($0) })
    ]
    return qwink
  }

  private func home(of qwinks: [Qwink]) async throws -> Screen {
    let server = ScriptedTimeline()
    server.add(qwinks, to: "home")
    let screen = try await Screen.settled(server)
    await screen.press("2")
    return screen
  }

  private func filtered(_ number: Int) -> String { Disclosure.Cover.filter("Weather \(number)").words }

  @Test func `a filter for notifications doesn't hide the post in home`() async throws {
    let screen = try await home(of: [qwink(2, hides: true, in: [.notifications]), ScriptedTimeline.qwink(1)])
    #expect(screen.visible == [2, 1], "\(screen.text)")
  }

  @Test func `a filter for public timelines doesn't warn in home`() async throws {
    let screen = try await home(of: [qwink(2, hides: false, in: [.public]), ScriptedTimeline.qwink(1)])
    #expect(screen.visible == [2, 1] && !screen.text.contains(filtered(2)), "\(screen.text)")
  }

  @Test func `rows reappear when their filters expire, without a request`() async throws {
    let screen = try await home(of: [
      qwink(4, hides: true, in: [.home], endingAfter: 10), qwink(3, hides: false, in: [.home], endingAfter: 20),
      qwink(2, hides: false, in: [.home], endingAfter: 30), ScriptedTimeline.qwink(1),
    ])
    #expect(screen.visible == [1], "\(screen.text)")
    #expect(screen.text.contains(filtered(3)) && screen.text.contains(filtered(2)), "\(screen.text)")
    let refreshes = screen.server.refreshCount(of: "home")
    await screen.pass(.seconds(11))
    #expect(screen.visible == [4, 1] && screen.text.contains(filtered(3)), "\(screen.text)")
    await screen.pass(.seconds(10))
    #expect(screen.visible == [4, 3, 1] && screen.text.contains(filtered(2)), "\(screen.text)")
    await screen.pass(.seconds(10))
    #expect(screen.visible == [4, 3, 2, 1], "\(screen.text)")
    #expect(screen.server.refreshCount(of: "home") == refreshes, "\(screen.server.paths)")
  }

  @Test func `cached rows are filtered by the time at which they are shown`() async throws {
    let folder = TemporaryFolder()
    let server = ScriptedTimeline()
    server.add([qwink(2, hides: true, in: [.home], endingAfter: 3600), ScriptedTimeline.qwink(1)], to: "home")
    let first = try await Screen.settled(server, in: folder)
    await first.press("2")
    #expect(first.visible == [1], "\(first.text)")
    first.strike("^C", "^C")
    await first.settle()
    server.setReachable(false)
    let second = try Screen(server, in: folder)
    second.advance(by: .seconds(7200))
    await second.settle()
    await second.press("2")
    #expect(second.visible == [2, 1], "\(second.text)")
  }

  @Test func `a filter covers the author's warning until the text is revealed`() async throws {
    var warned = qwink(2, hides: false, in: [.home, .thread])
    warned.contentWarning = "The butler"
    let screen = try await home(of: [warned, ScriptedTimeline.qwink(1)])
    for _ in ["list", "thread"] {
      #expect(screen.text.contains(filtered(2)) && !screen.text.contains("The butler"), "\(screen.text)")
      #expect(!screen.text.contains("Qwink 2"), "\(screen.text)")
      await screen.press("z")
      #expect(screen.text.contains("⚠ The butler") && screen.text.contains("Qwink 2"), "\(screen.text)")
      await screen.press("z", "Enter")
    }
  }

  @Test func `the entry shows a filter as a filter rather than as the author's warning`() async throws {
    let screen = try await home(of: [ScriptedTimeline.qwink(1)])
    screen.main.write(.reply(to: qwink(2, hides: false, in: [.thread])))
    await screen.settle()
    #expect(screen.text.contains(filtered(2)), "\(screen.text)")
    #expect(!screen.text.contains("\(EntryWords.warningLabel)  \(filtered(2))"), "\(screen.text)")
    #expect(!screen.text.contains("Qwink 2"), "\(screen.text)")
  }
}
