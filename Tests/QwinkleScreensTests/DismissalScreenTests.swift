import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Dismissing notifications with a key, and clearing all of them with a command.
@MainActor
@Suite(.bounded) struct DismissalScreenTests {
  nonisolated private static let mine = Qwink.sample(id: "m1", text: "The chard survives.", author: .sample("mara"))
  /// First row of ``four()``.
  private static let bobAndDana =
    "Bob \(NotificationWords.verb(of: .favourite)) · Dana \(NotificationWords.verb(of: .boost))"
  /// Key hints next to a countdown.
  private static let heldKeys = "u \(PendingWords.undo) · gs \(PendingWords.now)"

  nonisolated private static func notification(
    _ id: String, _ kind: AccountNotification.Kind, by name: String, qwink: Qwink? = nil
  ) -> AccountNotification {
    AccountNotification(
      id: AccountNotification.ID(id), kind: kind, createdAt: ScriptedTimeline.start.addingTimeInterval(-60),
      qwinker: .sample(name, displayName: name.prefix(1).uppercased() + name.dropFirst()), qwink: qwink)
  }

  /// The whole program in the notifications section.
  private func screen(
    _ notifications: ScriptedNotifications, holding seconds: Int = 6, read: String? = nil, rows: Int = 24
  ) async throws -> Screen {
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v1/markers") { _ in
      .json(
        WireEncoder.readPositions(
          read.map { [ReadPosition(place: .notifications, lastReadID: $0, updatedAt: nil)] } ?? []))
    }
    server.api.answer("POST /api/v1/markers") { _ in .json(WireEncoder.readPositions([])) }
    server.answerFirst { await notifications.answer($0) }
    let screen = try await Screen.settled(server, rows: rows, columns: 100, hidesMessages: true)
    screen.account.pendingActions.seconds = seconds
    await screen.press("4")
    return screen
  }

  private func four() -> ScriptedNotifications {
    ScriptedNotifications([
      Self.notification("5", .favourite, by: "bob", qwink: Self.mine),
      Self.notification("4", .followRequest, by: "carol"),
      Self.notification("3", .boost, by: "dana", qwink: Self.mine),
      Self.notification("2", .followRequest, by: "erin"),
    ])
  }

  private func selected(_ screen: Screen) -> String { screen.lines.first { $0.hasPrefix("▌") } ?? "" }

  @Test func `a key dismisses every notification of a row after a countdown`() async throws {
    let server = four()
    let screen = try await screen(server)
    #expect(selected(screen).contains(Self.bobAndDana))
    await screen.press("-")
    #expect(!screen.text.contains("Bob") && !screen.text.contains("Dana"))
    #expect(selected(screen).contains("Carol"), "\(screen.text)")
    let both = PendingWords.doing(.dismiss(["5", "3"]), in: 6)
    #expect(screen.status.contains("\(both) · \(Self.heldKeys)"), "\(screen.status)")
    await screen.press("-")
    let single = PendingWords.doing(.dismiss(["4"]), in: 6)
    #expect(screen.status.contains("\(single) \(PendingWords.more(1))") && selected(screen).contains("Erin"))
    #expect(server.ids == ["5", "4", "3", "2"])
    await screen.pass(.seconds(6))
    #expect(server.ids == ["2"] && !screen.status.contains(PendingWords.doing(.dismiss(["4"]))))
    // Either dismissal may be answered last.
    let outcomes = [2, 1].map(NotificationWords.dismissed)
    #expect(outcomes.contains { screen.status.contains($0) }, "\(screen.status)")
    await screen.press("R")
    #expect(!screen.text.contains("Bob") && screen.text.contains("Erin"))
  }

  @Test func `u restores dismissed rows newest first`() async throws {
    let server = four()
    let screen = try await screen(server)
    await screen.press("-", "-", "u")
    #expect(screen.status.contains(PendingActions.Kind.dismiss(["4"]).takenBack))
    #expect(screen.text.contains("Carol") && !screen.text.contains("Bob"))
    await screen.press("u")
    #expect(screen.text.contains(Self.bobAndDana))
    await screen.pass(.seconds(60))
    #expect(server.ids == ["5", "4", "3", "2"] && !server.asked.contains { $0.hasPrefix("POST") })
  }

  @Test func `a row is dismissed at once without a question when undo is off`() async throws {
    let server = four()
    let screen = try await screen(server, holding: 0)
    await screen.press("j", "-")
    #expect(
      server.ids == ["5", "3", "2"] && screen.status.contains(NotificationWords.dismissed(1)), "\(screen.status)")
    #expect(screen.sheetTitle == nil && !screen.text.contains("Carol"))
  }

  @Test func `a list limited to one type dismisses only that type`() async throws {
    let server = four()
    let screen = try await screen(server, holding: 0)
    await screen.press(":")
    screen.type("only boosts")
    await screen.press("Enter", "-")
    #expect(server.ids == ["5", "4", "2"])
    #expect(screen.text.contains(NotificationWords.noneOf([.boosts])), "\(screen.text)")
  }

  @Test func `dismissing rows leaves the unread marks of other rows unchanged`() async throws {
    let server = four()
    let screen = try await screen(server, read: "3")
    let unread: () -> [String] = { screen.lines.dropFirst(2).filter { $0.contains("•") } }
    #expect(unread().count == 2)
    // Dismisses the last unread row, then the row that contains the newest read notification.
    await screen.press("j", "-", "k", "-")
    #expect(unread().isEmpty && screen.text.contains("Erin"), "\(screen.text)")
    await screen.press("u")
    #expect(unread().count == 1 && unread()[0].contains("Bob"), "\(screen.text)")
  }

  @Test(arguments: [405, 501])
  func `a server that can't dismiss is reported and the key leaves the help`(status: Int) async throws {
    let server = four()
    server.refuse("POST /dismiss", with: status)
    let screen = try await screen(server, holding: 0, rows: 480)
    await screen.press("?")
    let summary = try Screen.summary(of: .dismissNotification)
    #expect(screen.text.contains(summary))
    await screen.press("q", "-")
    let sentence = ScriptedTimeline.lack(of: .dismissals)
    #expect(screen.status.contains(sentence), "\(screen.status)")
    #expect(screen.text.contains(Self.bobAndDana))
    let count = server.asked.count { $0.contains("dismiss") }
    await screen.press("j", "-")
    #expect(screen.status.contains(sentence) && server.asked.count { $0.contains("dismiss") } == count)
    await screen.press("?")
    #expect(!screen.text.contains(summary))
    #expect(screen.text.contains(":clear-notifications"))
  }

  @Test func `the dismiss key shows a reason in an empty list`() async throws {
    let screen = try await screen(ScriptedNotifications([]))
    await screen.press("-")
    let reason = try #require(IgnoredKeyWords.reason(.dismissNotification, keys: "-"))
    #expect(screen.status.contains(reason), "\(screen.status)")
  }

  @Test func `clearing empties the list after a countdown that u can cancel`() async throws {
    let server = four()
    let screen = try await screen(server)
    await screen.press(":")
    screen.type("clear-notifications")
    await screen.press("Enter")
    let clearing = PendingWords.doing(.clearNotifications, in: 6)
    #expect(screen.status.contains("\(clearing) · \(Self.heldKeys)"), "\(screen.status)")
    await screen.press("u")
    #expect(screen.status.contains(PendingActions.Kind.clearNotifications.takenBack))
    await screen.pass(.seconds(60))
    #expect(server.ids.count == 4 && screen.text.contains("Carol"))
    await screen.press(":")
    screen.type("clear-notifications")
    await screen.press("Enter", "g", "s")
    #expect(server.ids.isEmpty && screen.unwrapped.contains(NotificationWords.none), "\(screen.text)")
    #expect(screen.status.contains(NotificationWords.cleared))
  }

  @Test func `clearing asks first when undo is off`() async throws {
    let server = four()
    let screen = try await screen(server, holding: 0)
    await screen.press(":")
    screen.type("clear-notifications")
    await screen.press("Enter")
    #expect(screen.unwrapped.contains(NotificationWords.clearQuestion) && server.ids.count == 4, "\(screen.text)")
    await screen.press("n")
    #expect(server.ids.count == 4)
    await screen.press(":")
    screen.type("clear-notifications")
    await screen.press("Enter", "y")
    #expect(server.ids.isEmpty && screen.unwrapped.contains(NotificationWords.none))
  }

  @Test func `a server that can't clear is reported and asked only once`() async throws {
    let server = four()
    server.refuse("POST /clear", with: 404)
    let screen = try await screen(server, holding: 0)
    for answer in [["y"], []] {
      await screen.press(":")
      screen.type("clear-notifications")
      await screen.press("Enter")
      for key in answer { await screen.press(key) }
      #expect(!screen.unwrapped.contains(NotificationWords.clearQuestion))
      #expect(screen.status.contains(ScriptedTimeline.lack(of: .clearing)), "\(screen.status)")
    }
    #expect(server.asked.count { $0 == "POST /clear" } == 1 && screen.text.contains("Carol"))
  }
}
