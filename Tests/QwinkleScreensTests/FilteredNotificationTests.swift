import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// The row of filtered requests, the list of requests, their notifications and the policy.
@MainActor
@Suite(.bounded) struct FilteredNotificationTests {
  /// The requests and the policy of a scripted server.
  private final class Box: Sendable {
    private let state: Mutex<(requests: [NotificationRequest], policy: NotificationPolicy?)>

    init(_ names: [String], policy: NotificationPolicy? = NotificationPolicy(treatments: [.privateMentions: .filter])) {
      state = Mutex((names.map(FilteredNotificationTests.request), policy))
    }

    var requests: [NotificationRequest] { state.withLock { $0.requests } }

    func set(_ names: [String]) {
      state.withLock { $0.requests = names.map(FilteredNotificationTests.request) }
    }

    func remove(_ id: String) { state.withLock { $0.requests.removeAll { $0.id.rawValue == id } } }

    var policy: NotificationPolicy? {
      state.withLock { state in
        var policy = state.policy
        policy?.requestsCount = state.requests.count
        return policy
      }
    }

    func change(_ group: NotificationPolicy.Group, to treatment: NotificationPolicy.Treatment) {
      state.withLock { $0.policy?.treatments[group] = treatment }
    }
  }

  nonisolated private static func qwink(by name: String) -> Qwink {
    var qwink = Qwink.sample(id: Qwink.ID("\(name)-qwink"), text: "Psst from \(name)", author: .sample(name))
    qwink.visibility = .direct
    return qwink
  }

  nonisolated private static func request(_ name: String) -> NotificationRequest {
    NotificationRequest(
      id: NotificationRequest.ID("\(name)-request"), qwinker: .sample(name, displayName: name.capitalized),
      notificationsCount: 2, lastQwink: qwink(by: name), createdAt: ScriptedTimeline.start,
      updatedAt: ScriptedTimeline.start)
  }

  nonisolated private static func mention(by name: String) -> AccountNotification {
    AccountNotification(
      id: AccountNotification.ID("\(name)-mention"), kind: .mention, createdAt: ScriptedTimeline.start,
      qwinker: .sample(name, displayName: name.capitalized), qwink: qwink(by: name))
  }

  nonisolated private static func follow(_ id: String, by name: String) -> AccountNotification {
    AccountNotification(
      id: AccountNotification.ID(id), kind: .follow,
      createdAt: ScriptedTimeline.start.addingTimeInterval(-86_400 * Double(9 - (Int(id) ?? 0))),
      qwinker: .sample(name, displayName: name.capitalized))
  }

  /// A server with the notifications of erin and frank, and the requests in `box`. An accepted sender's mention is
  /// listed from then on.
  private func server(_ box: Box, _ notifications: ScriptedNotifications) -> ScriptedTimeline {
    let server = ScriptedTimeline([1])
    server.answerFirst { request in
      let path = request.head.path ?? ""
      if request.head.method == .get, path.contains("account_id=") {
        let name = path.split(separator: "=")[1].prefix { $0 != "-" }
        return .json(WireEncoder.notifications([Self.mention(by: String(name)), Self.follow("1", by: "erin")]))
      }
      return await notifications.answer(request)
    }
    server.handle(.get, "/api/v2/notifications/policy") { _ in
      guard let policy = box.policy else { return .json(WireEncoder.error("Not found"), status: 404) }
      return .json(WireEncoder.notificationPolicy(policy))
    }
    server.handle(.get, "/api/v1/notifications/requests") { _ in .json(WireEncoder.notificationRequests(box.requests)) }
    for request in box.requests {
      for verb in ["accept", "dismiss"] {
        server.handle(.post, "/api/v1/notifications/requests/\(request.id)/\(verb)") { _ in
          box.remove(request.id.rawValue)
          if verb == "accept" {
            notifications.set(notifications.all + [Self.mention(by: request.qwinker.userName)])
          }
          return .json(Array("{}".utf8))
        }
      }
    }
    return server
  }

  private func followers() -> ScriptedNotifications {
    ScriptedNotifications([Self.follow("3", by: "erin"), Self.follow("2", by: "frank")])
  }

  private func selected(_ screen: Screen) -> String { screen.lines.first { $0.hasPrefix("▌") } ?? "" }

  @Test(arguments: [40, 80])
  func `a row above the notifications counts the requests and isn't selected`(columns: Int) async throws {
    let box = Box(["dana", "mallory"])
    let screen = try await Screen.settled(server(box, followers()), rows: 30, columns: columns, hidesMessages: true)
    await screen.press("4")
    let row = FilteredWords.requests(2)
    #expect(screen.text.contains(row), "\(screen.text)")
    #expect(selected(screen).contains("Erin"), "\(screen.text)")
    // The row isn't a notification, so it has no number.
    #expect(screen.text.contains("1/2") && screen.account.notifications.notifications.count == 2)
    await screen.press("-")
    #expect(!screen.text.contains("Erin") && selected(screen).contains("Frank"), "\(screen.text)")
    await screen.press("g", "g")
    #expect(selected(screen).contains(row), "\(screen.text)")
    await screen.press("-")
    #expect(screen.status.contains("No notification here"), "\(screen.status)")
    box.set([])
    await screen.press("R")
    #expect(!screen.text.contains(row) && selected(screen).contains("Frank"), "\(screen.text)")
    box.set(["dana"])
    await screen.press("R")
    #expect(screen.text.contains(FilteredWords.requests(1)) && selected(screen).contains("Frank"), "\(screen.text)")
  }

  @Test func `new notifications are still selected at the top, below the row`() async throws {
    let notifications = followers()
    let screen = try await Screen.settled(server(Box(["dana"]), notifications), columns: 100, hidesMessages: true)
    await screen.press("4")
    #expect(selected(screen).contains("Erin"))
    notifications.set([Self.follow("5", by: "gina")] + notifications.all)
    await screen.press("R")
    #expect(selected(screen).contains("Gina"), "\(screen.text)")
    #expect(screen.text.contains(FilteredWords.requests(1)))
  }

  @Test func `an accepted request leaves the list and its notification appears`() async throws {
    let box = Box(["dana", "mallory"])
    let screen = try await Screen.settled(server(box, followers()), columns: 100, hidesMessages: true)
    await screen.press("4", "g", "g", "Enter")
    #expect(selected(screen).contains("Dana") && selected(screen).contains(FilteredWords.notifications(2)))
    #expect(screen.text.contains("Psst from dana") && screen.text.contains("@mallory"))
    #expect(screen.status.contains(try Screen.hint(for: .acceptNotifications)))
    await screen.press("A")
    #expect(screen.status.contains(FilteredWords.answered(.sample("dana"), accepted: true)), "\(screen.status)")
    #expect(!screen.text.contains("Psst from dana") && selected(screen).contains("Mallory"))
    await screen.press("X")
    #expect(screen.text.contains(FilteredWords.dismissQuestion(Self.request("mallory"))), "\(screen.text)")
    await screen.press("n", "X", "y")
    #expect(screen.text.contains(FilteredWords.none), "\(screen.text)")
    await screen.press("q")
    #expect(screen.text.contains("Psst from dana") && !screen.text.contains("filtered request"), "\(screen.text)")
    #expect(box.requests.isEmpty)
  }

  @Test func `Enter shows the notifications of the sender only, and a the profile`() async throws {
    let screen = try await Screen.settled(server(Box(["dana"]), followers()), columns: 100, hidesMessages: true)
    await screen.press("4", "g", "g", "Enter", "Enter")
    #expect(screen.text.contains(FilteredWords.title(of: .sample("dana"))), "\(screen.text)")
    #expect(screen.text.contains("Psst from dana") && !screen.text.contains("Erin"), "\(screen.text)")
    await screen.press("q")
    #expect(screen.text.contains(FilteredWords.notifications(2)), "\(screen.text)")
    await screen.press("a")
    #expect(screen.text.contains("@dana") && !screen.text.contains(FilteredWords.notifications(2)), "\(screen.text)")
  }

  @Test func `the last post of a request is covered or hidden like any post`() async throws {
    let box = Box(["dana"])
    var covered = Self.request("dana")
    covered.lastQwink?.contentWarning = "Leeks"
    var hidden = Self.request("mallory")
    hidden.lastQwink?.filterMatches = [
      FilterMatch(id: "1", title: "Secret", hides: true, contexts: ["notifications"])
    ]
    let requests = [covered, hidden]
    let server = server(box, followers())
    server.handle(.get, "/api/v1/notifications/requests") { _ in .json(WireEncoder.notificationRequests(requests)) }
    let screen = try await Screen.settled(server, columns: 100, hidesMessages: true)
    screen.main.show(.records(.filtered))
    await screen.settle()
    #expect(screen.text.contains("⚠ Leeks") && screen.text.contains("Mallory"), "\(screen.text)")
    #expect(!screen.text.contains("Psst"), "\(screen.text)")
  }

  @Test func `a request answered elsewhere disappears with a message`() async throws {
    let box = Box(["dana"])
    let server = server(box, followers())
    server.handle(.post, "/api/v1/notifications/requests/dana-request/accept") { _ in
      .json(WireEncoder.error("Record not found"), status: 404)
    }
    let screen = try await Screen.settled(server, columns: 100, hidesMessages: true)
    screen.main.show(.records(.filtered))
    await screen.settle()
    await screen.press("A")
    #expect(screen.status.contains(FilteredWords.answered(.sample("dana"), accepted: nil)), "\(screen.status)")
    #expect(!screen.text.contains("Psst"))
    #expect(screen.account.connection.abilities.missing.isEmpty)
  }

  @Test func `the policy is a form that sends only changed rules`() async throws {
    let policy = NotificationPolicy(
      treatments: [.notFollowing: .other("quarantine"), .privateMentions: .filter, .bots: .accept])
    let box = Box([], policy: policy)
    let server = server(box, followers())
    let sent = Mutex<[String]>([])
    server.handle(.patch, "/api/v2/notifications/policy") { request in
      sent.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
      box.change(.bots, to: .drop)
      return .json(WireEncoder.notificationPolicy(box.policy ?? policy))
    }
    let screen = try await Screen.settled(server, columns: 100, hidesMessages: true)
    await screen.press(":")
    screen.type("notification-policy")
    await screen.press("Enter")
    for word in ["quarantine", FilteredWords.label(of: .privateMentions), "filter", FilteredWords.label(of: .bots)] {
      #expect(screen.text.contains(word), "\(word): \(screen.text)")
    }
    // The server doesn't know this rule.
    #expect(!screen.text.contains(FilteredWords.label(of: .newAccounts)))
    await screen.press("Tab", "Tab", "^U")
    screen.type("maybe")
    await screen.press("^D")
    #expect(screen.text.contains(FilteredWords.noTreatment("maybe", of: .bots)), "\(screen.text)")
    await screen.press("^U")
    screen.type("Drop")
    await screen.press("^D")
    #expect(screen.status.contains(FilteredWords.policySaved), "\(screen.status)")
    #expect(sent.withLock { $0 } == [#"{"for_bots":"drop"}"#])
    #expect(screen.account.filteredNotifications.policy?.treatments[.bots] == .drop)
  }

  @Test(arguments: [404, 405, 501])
  func `a server without a policy shows no row and explains the command`(status: Int) async throws {
    let server = server(Box([], policy: nil), followers())
    server.handle(.get, "/api/v2/notifications/policy") { _ in .json(WireEncoder.error("No"), status: status) }
    let screen = try await Screen.settled(server, columns: 100, hidesMessages: true)
    await screen.press("4")
    #expect(!screen.text.contains("filtered request"))
    await screen.press(":")
    screen.type("notification-policy")
    await screen.press("Enter")
    #expect(screen.status.contains(ScriptedTimeline.lack(of: .filteredNotifications)), "\(screen.status)")
    let count = server.paths.count { $0 == "/api/v2/notifications/policy" }
    await screen.press("R")
    #expect(server.paths.count { $0 == "/api/v2/notifications/policy" } == count, "asked again")
  }
}
