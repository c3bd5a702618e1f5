import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// Filtering notifications by type, and fetching older ones of those types.
@MainActor
@Suite(.bounded) struct NotificationTypeTests {
  nonisolated private static let start = Date(timeIntervalSince1970: 1_767_225_600)

  /// Returns a mention for every 50th number, and otherwise a favourite.
  nonisolated private static func notification(_ number: Int) -> AccountNotification {
    let qwink = Qwink.sample(id: Qwink.ID("q\(number)"), text: "Chard", author: .sample("bob"))
    return AccountNotification(
      id: .init("\(number)"), kind: number % 50 == 0 ? .mention : .favourite,
      createdAt: start.addingTimeInterval(60 * Double(number)), qwinker: .sample("bob"), qwink: qwink)
  }

  @MainActor
  private final class Bench {
    let ledger = ActivityLedger()
    let server = ScriptedNotifications((1...250).reversed().map(NotificationTypeTests.notification))
    let account: Account
    var feed: NotificationFeed { account.notifications }

    init() {
      let server = server
      let transport = ScriptedTransport { request in
        await server.answer(request) ?? .json(WireEncoder.error("Record not found"), status: 404)
      }
      account = Account(
        service: DownloadService(
          configuration: .init(serverURL: "https://tilde.example", token: "secret"), ledger: ledger,
          transport: { transport }),
        cache: nil, outgoing: nil, clock: VirtualClock(at: NotificationTypeTests.start), isSignedIn: true)
    }

    func refresh() async {
      feed.refresh()
      await ledger.settle()
    }

    func loadOlder(_ types: Set<NotificationType>) async {
      feed.loadOlder(for: types)
      await ledger.settle()
    }

    func shown(_ types: Set<NotificationType>) -> [String] {
      feed.notifications(for: types).filter { notification in types.contains { $0.holds(for: notification.kind) } }
        .map(\.id.rawValue)
    }
  }

  @Test func `one page loads all older notifications of a rare type`() async {
    let bench = Bench()
    await bench.refresh()
    #expect(bench.shown([.mentions]) == ["250"] && !bench.feed.state(for: [.mentions]).isComplete)
    await bench.loadOlder([.mentions])
    #expect(bench.shown([.mentions]) == ["250", "200", "150", "100", "50"])
    #expect(bench.feed.state(for: [.mentions]).isComplete && !bench.feed.state.isComplete)
    #expect(bench.feed.notifications.count == 40, "without a type the list is as before")
    #expect(bench.server.asked.last == "GET ?limit=40&max_id=211&types%5B%5D=mention&types%5B%5D=quote")
    let count = bench.server.asked.count
    await bench.loadOlder([.mentions])
    #expect(bench.server.asked.count == count, "there are no more")
  }

  @Test func `several pages load all older notifications of a common type`() async {
    let bench = Bench()
    await bench.refresh()
    for _ in 0..<6 { await bench.loadOlder([.favourites]) }
    #expect(bench.shown([.favourites]) == (1...250).reversed().filter { $0 % 50 != 0 }.map(String.init))
    #expect(bench.feed.state(for: [.favourites]).isComplete)
  }

  @Test func `another type or a longer list is fetched from the end of the list`() async {
    let bench = Bench()
    await bench.refresh()
    await bench.loadOlder([.mentions])
    #expect(bench.shown([.boosts]).isEmpty && !bench.feed.state(for: [.boosts]).isComplete)
    await bench.loadOlder([.boosts])
    #expect(bench.feed.state(for: [.boosts]).isComplete)
    await bench.loadOlder([])
    #expect(bench.feed.notifications.count == 80)
    await bench.loadOlder([.mentions])
    #expect(bench.server.asked.last == "GET ?limit=40&max_id=171&types%5B%5D=mention&types%5B%5D=quote")
    #expect(bench.shown([.mentions]) == ["250", "200", "150", "100", "50"])
  }

  @Test func `new notifications are added above the older ones of a type`() async {
    let bench = Bench()
    await bench.refresh()
    await bench.loadOlder([.mentions])
    bench.server.set((1...300).reversed().filter { !(251...299).contains($0) }.map(Self.notification))
    await bench.refresh()
    #expect(bench.shown([.mentions]) == ["300", "250", "200", "150", "100", "50"])
    #expect(bench.server.asked.count { $0.contains("types") } == 1)
  }

  @Test func `a server that ignores types is paged until all of a type are loaded`() async {
    let bench = Bench()
    bench.server.ignoreTypes()
    await bench.refresh()
    for _ in 0..<2 { await bench.loadOlder([.mentions]) }
    #expect(bench.shown([.mentions]) == ["250", "200", "150"])
    #expect(!bench.feed.state(for: [.mentions]).isComplete)
    for _ in 0..<4 { await bench.loadOlder([.mentions]) }
    #expect(bench.shown([.mentions]) == ["250", "200", "150", "100", "50"])
    #expect(bench.feed.state(for: [.mentions]).isComplete)
  }

  @Test func `older notifications of a type can be dismissed and change with their qwinks`() async {
    let bench = Bench()
    await bench.refresh()
    await bench.loadOlder([.mentions])
    bench.account.pendingActions.seconds = 0
    bench.account.holdDismissal(of: ["100"]) {}
    #expect(bench.shown([.mentions]) == ["250", "200", "150", "50"])
    await bench.ledger.settle()
    #expect(bench.shown([.mentions]) == ["250", "200", "150", "50"] && !bench.server.ids.contains("100"))
    bench.account.timelines.merge(Qwink.sample(id: "q50", text: "Basil", author: .sample("bob")))
    #expect(bench.feed.notifications(for: [.mentions]).last?.qwink?.text.plainText == "Basil")
  }
}
