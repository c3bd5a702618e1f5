import FoundationEssentials
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Filtering notifications by type, and fetching older ones of those types only.
@MainActor
@Suite(.bounded) struct NotificationTypeScreenTests {
  private static let favourited = NotificationWords.verb(of: .favourite)

  /// Favourites of different qwinks, with a mention as the oldest notification.
  private func crowd(_ count: Int) -> ScriptedNotifications {
    let question = Qwink.sample(id: "a1", text: "Which chard?", author: .sample("dana"))
    let favourites = (2...count).reversed().map { number in
      AccountNotification(
        id: .init("\(number)"), kind: .favourite, createdAt: ScriptedTimeline.start.addingTimeInterval(-60),
        qwinker: .sample("p\(number)"), qwink: .sample(id: Qwink.ID("m\(number)"), text: "The chard survives."))
    }
    let mention = AccountNotification(
      id: "1", kind: .mention, createdAt: ScriptedTimeline.start.addingTimeInterval(-120), qwinker: .sample("dana"),
      qwink: question)
    return ScriptedNotifications(favourites + [mention])
  }

  private func screen(_ notifications: ScriptedNotifications, columns: Int = 100) async throws -> Screen {
    let server = ScriptedTimeline([1])
    server.answerFirst { await notifications.answer($0) }
    return try await Screen.settled(server, columns: columns)
  }

  @Test func `one request fetches an old mention below a thousand favourites`() async throws {
    let server = crowd(1000)
    let screen = try await screen(server)
    await screen.press("4")
    let count = server.asked.count
    await screen.press("@")
    #expect(screen.text.contains("Which chard?") && !screen.text.contains(Self.favourited), "\(screen.text)")
    #expect(server.asked.dropFirst(count).count { $0.contains("types%5B%5D=mention") } == 1)
    #expect(server.asked.count - count <= 2, "\(server.asked.dropFirst(count))")
    await screen.press("@")
    #expect(screen.text.contains(Self.favourited))
  }

  @Test(arguments: [true, false])
  func `filtering falls back to paging if the server rejects or ignores types`(rejects: Bool) async throws {
    let server = crowd(150)
    if rejects { server.refuseTypes() } else { server.ignoreTypes() }
    let screen = try await screen(server)
    await screen.press("4", "@")
    #expect(screen.text.contains("Which chard?") && !screen.text.contains(Self.favourited), "\(screen.text)")
  }

  @Test func `a new notification is shown on top only if its type is selected`() async throws {
    let server = crowd(100)
    let screen = try await screen(server)
    await screen.press("4", "@")
    var newer = server.all[0]
    newer.id = "200"
    newer.qwinker = .sample("zoe")
    var mention = server.all[server.all.count - 1]
    mention.id = "201"
    mention.qwink?.text = RichText(plain: "And the basil?")
    server.set([mention, newer] + server.all)
    await screen.press("R")
    let rows = screen.lines.filter { $0.contains("Which chard?") || $0.contains("And the basil?") }
    #expect(rows.count == 2 && rows[0].contains("basil") && !screen.text.contains("zoe"), "\(screen.text)")
  }

  @Test func `the header shows a plus sign if more notifications may be unread`() async throws {
    let many = try await screen(crowd(100), columns: 150)
    #expect(many.header.contains("•40+"), "\(many.header)")
    let few = try await screen(crowd(30), columns: 150)
    #expect(few.header.contains("•30") && !few.header.contains("•30+"), "\(few.header)")
  }
}
