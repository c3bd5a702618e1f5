import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// Dismissing and clearing notifications.
@MainActor
@Suite(.bounded) struct DismissalTests {
  nonisolated private static let start = Date(timeIntervalSince1970: 1_767_225_600)

  nonisolated private static func notification(_ number: Int) -> AccountNotification {
    AccountNotification(
      id: .init("\(number)"), kind: .followRequest, createdAt: start.addingTimeInterval(60 * Double(number)),
      qwinker: .sample("p\(number)"))
  }

  private final class Observer: AccountObserver {
    var failures: [String] = []
    func account(didFail failure: FeedFailure) { failures.append(failure.sentence) }
  }

  @MainActor
  private final class Bench {
    let ledger = ActivityLedger()
    let clock = VirtualClock(at: DismissalTests.start)
    let server: ScriptedNotifications
    let account: Account
    let observer = Observer()
    let cache: TimelineCache
    private let folder = FileManager.default.temporaryDirectory.path + "/qwinkle-dismissals-\(UUID().uuidString)"

    /// Creates notifications 5 to 1, read up to 3.
    init() throws {
      server = ScriptedNotifications((1...5).reversed().map(DismissalTests.notification))
      let server = server
      let transport = ScriptedTransport { request in
        if let answer = await server.answer(request) { return answer }
        switch (request.head.method, (request.head.path ?? "").prefix { $0 != "?" }) {
        case (.get, "/api/v1/markers"):
          return .json(
            WireEncoder.readPositions([ReadPosition(place: .notifications, lastReadID: "3", updatedAt: nil)]))
        case (.post, "/api/v1/markers"): return .json(WireEncoder.readPositions([]))
        default: return .json(WireEncoder.error("Record not found"), status: 404)
        }
      }
      cache = try TimelineCache(directory: folder, ledger: ledger)
      account = Account(
        service: DownloadService(
          configuration: .init(serverURL: "https://tilde.example", token: "secret"), ledger: ledger,
          transport: { transport }),
        cache: cache, outgoing: nil, clock: clock, isSignedIn: true)
      account.addObserver(observer)
      account.pendingActions.seconds = 6
    }

    deinit {
      cache.close()
      try? FileManager.default.removeItem(atPath: folder)
    }

    /// Groups these notifications on the server.
    func group(_ ids: [String]) {
      server.set(
        server.all.map { notification in
          var notification = notification
          if ids.contains(notification.id.rawValue) { notification.groupKey = "follow-1" }
          return notification
        })
    }

    func start() async {
      account.notifications.start()
      await settle()
    }

    func settle() async { await ledger.settle() }

    func pass(_ duration: Duration) async {
      await clock.advance(by: duration) { await self.ledger.settle() }
    }

    func dismiss(_ ids: String...) {
      account.holdDismissal(of: ids.map { .init($0) }) { self.doneCount += 1 }
    }

    var doneCount = 0
    var shown: [String] { account.notifications.notifications.map(\.id.rawValue) }
    var unreadCount: Int { account.notifications.countedUnread }
    /// Ids of the cached notifications, which the next launch shows first.
    var kept: [String] {
      cache.flush()
      return NotificationCache(besides: cache).load().items.map(\.id.rawValue)
    }
    /// Requests that change notifications.
    var writes: [String] { server.asked.filter { $0.hasPrefix("POST") } }
  }

  @Test func `a dismissed notification disappears at once and is deleted after the delay`() async throws {
    let bench = try Bench()
    await bench.start()
    #expect(bench.shown == ["5", "4", "3", "2", "1"] && bench.unreadCount == 2)
    bench.dismiss("4", "2")
    #expect(bench.shown == ["5", "3", "1"] && bench.unreadCount == 1)
    #expect(bench.writes.isEmpty && bench.kept == ["5", "4", "3", "2", "1"])
    await bench.pass(.seconds(6))
    #expect(bench.writes == ["POST /4/dismiss", "POST /2/dismiss"])
    #expect(bench.server.ids == ["5", "3", "1"] && bench.kept == ["5", "3", "1"] && bench.shown == ["5", "3", "1"])
    #expect(bench.doneCount == 1 && bench.unreadCount == 1 && bench.observer.failures.isEmpty)
    #expect(bench.account.connection.abilities[.dismissals] == true)
  }

  @Test func `undo restores a pending dismissal and sends nothing`() async throws {
    let bench = try Bench()
    await bench.start()
    bench.dismiss("4")
    bench.account.notifications.refresh()
    await bench.settle()
    #expect(bench.shown == ["5", "3", "2", "1"], "a page does not bring it back")
    #expect(bench.account.undo()?.sentence == PendingActions.Kind.dismiss(["4"]).takenBack)
    #expect(bench.shown == ["5", "4", "3", "2", "1"] && bench.unreadCount == 2)
    await bench.pass(.seconds(60))
    #expect(bench.writes.isEmpty && bench.doneCount == 0)
  }

  @Test func `quitting cancels a pending dismissal and restores its row`() async throws {
    let bench = try Bench()
    await bench.start()
    bench.dismiss("4")
    bench.account.pendingActions.finish()
    await bench.pass(.seconds(60))
    #expect(bench.shown == ["5", "4", "3", "2", "1"] && bench.writes.isEmpty)
  }

  @Test func `a failed dismissal restores the notifications and reports the reason`() async throws {
    let bench = try Bench()
    await bench.start()
    bench.account.pendingActions.seconds = 0
    bench.server.refuse("POST /dismiss", with: 503)
    bench.dismiss("4", "2")
    #expect(bench.shown == ["5", "3", "1"])
    await bench.settle()
    #expect(bench.shown == ["5", "4", "3", "2", "1"] && bench.kept == bench.shown && bench.doneCount == 0)
    #expect(bench.writes == ["POST /4/dismiss"], "the next would fail too")
    let failed = FailureWords.failed(FailureWords.dismissing)
    #expect(bench.observer.failures.count == 1 && bench.observer.failures[0].hasPrefix("\(failed) "))
    #expect(bench.account.connection.abilities[.dismissals] == nil)
  }

  @Test func `dismissing a notification that is already gone succeeds`() async throws {
    let bench = try Bench()
    await bench.start()
    bench.account.pendingActions.seconds = 0
    bench.server.set(bench.server.all.filter { $0.id != "4" })
    bench.dismiss("4")
    await bench.settle()
    #expect(bench.shown == ["5", "3", "2", "1"] && bench.kept == bench.shown && bench.doneCount == 1)
    #expect(bench.observer.failures.isEmpty && bench.account.connection.abilities.missing.isEmpty)
  }

  @Test(arguments: [(404, true), (404, false), (405, true), (501, true)])
  func `dismissing is unsupported if the notification still exists`(status: Int, givesSingle: Bool) async throws {
    let bench = try Bench()
    await bench.start()
    bench.account.pendingActions.seconds = 0
    bench.server.refuse("POST /dismiss", with: status)
    if !givesSingle { bench.server.giveNoSingle() }
    bench.dismiss("4")
    await bench.settle()
    #expect(bench.shown == ["5", "4", "3", "2", "1"] && bench.doneCount == 0)
    let lack: DownloadError =
      status == 404
      ? .unsupportedHere(host: "tilde.example", .dismissals) : .unsupported(host: "tilde.example", .dismissals)
    #expect(bench.observer.failures == ["\(FailureWords.failed(FailureWords.dismissing)) \(lack.sentence)"])
    #expect(bench.account.connection.abilities.missing == (status == 404 ? [] : [.dismissals]))
  }

  @Test func `a group on the server is dismissed by one request`() async throws {
    let bench = try Bench()
    bench.group(["5", "4", "2"])
    await bench.start()
    bench.account.pendingActions.seconds = 0
    bench.dismiss("5", "4", "3", "2")
    await bench.settle()
    #expect(bench.writes == ["POST v2/follow-1/dismiss", "POST /3/dismiss"])
    #expect(bench.server.ids == ["1"] && bench.shown == ["1"] && bench.kept == ["1"] && bench.doneCount == 1)
  }

  @Test func `a group with other visible notifications is dismissed one by one`() async throws {
    let bench = try Bench()
    bench.group(["5", "4", "2"])
    await bench.start()
    bench.account.pendingActions.seconds = 0
    bench.dismiss("5", "4")
    await bench.settle()
    #expect(bench.writes == ["POST /5/dismiss", "POST /4/dismiss"] && bench.shown == ["3", "2", "1"])
  }

  @Test func `notifications are dismissed one by one if the server cannot dismiss groups`() async throws {
    let bench = try Bench()
    bench.group(["5", "4"])
    bench.server.ignoreGroups()
    await bench.start()
    bench.account.pendingActions.seconds = 0
    bench.dismiss("5", "4")
    await bench.settle()
    #expect(bench.writes == ["POST v2/follow-1/dismiss", "POST /5/dismiss", "POST /4/dismiss"])
    #expect(bench.shown == ["3", "2", "1"] && bench.observer.failures.isEmpty && bench.doneCount == 1)
    #expect(bench.account.connection.abilities.missing.isEmpty)
  }

  /// Returns a bench without a delay, and a gate that blocks the response to its second page request.
  private static func asking() async throws -> (Bench, Gate) {
    let bench = try Bench()
    await bench.start()
    bench.account.pendingActions.seconds = 0
    let gate = Gate()
    bench.server.hold("GET ", by: gate)
    bench.account.notifications.refresh()
    try await wait(for: "a second page request", showing: { "\(bench.server.asked)" }) {
      bench.server.asked.count { $0.hasPrefix("GET ?") } == 2
    }
    return (bench, gate)
  }

  @Test func `a page requested earlier does not restore a dismissed notification`() async throws {
    let (bench, gate) = try await Self.asking()
    bench.dismiss("4")
    try await wait(for: "the end of the action", showing: { "\(bench.writes)" }) { bench.doneCount == 1 }
    gate.open()
    await bench.settle()
    #expect(bench.shown == ["5", "3", "2", "1"])
    bench.server.set((1...5).reversed().map(Self.notification))
    bench.account.notifications.refresh()
    await bench.settle()
    #expect(bench.shown == ["5", "4", "3", "2", "1"], "the server has it again")
  }

  @Test func `clearing removes all notifications and their cache after the delay`() async throws {
    let bench = try Bench()
    await bench.start()
    bench.account.holdClearing { bench.doneCount += 1 }
    #expect(bench.shown.count == 5)
    await bench.pass(.seconds(6))
    #expect(bench.writes == ["POST /clear"] && bench.server.ids.isEmpty)
    #expect(bench.shown.isEmpty && bench.kept.isEmpty && bench.unreadCount == 0 && bench.doneCount == 1)
    #expect(bench.account.notifications.state.isComplete)
    bench.server.set([Self.notification(6)])
    bench.account.notifications.refresh()
    await bench.settle()
    #expect(bench.shown == ["6"] && bench.kept == ["6"] && bench.unreadCount == 1)
  }

  @Test func `a page requested earlier does not restore cleared notifications`() async throws {
    let (bench, gate) = try await Self.asking()
    bench.account.holdClearing { bench.doneCount += 1 }
    try await wait(for: "the end of the action", showing: { "\(bench.writes)" }) { bench.doneCount == 1 }
    gate.open()
    await bench.settle()
    #expect(bench.shown.isEmpty && bench.kept.isEmpty)
    #expect(bench.server.asked.count { $0.hasPrefix("GET ?") } == 3, "it asks again")
  }

  @Test func `a server that cannot clear notifications is asked only once`() async throws {
    let bench = try Bench()
    await bench.start()
    bench.account.pendingActions.seconds = 0
    bench.server.refuse("POST /clear", with: 404)
    bench.account.holdClearing { bench.doneCount += 1 }
    await bench.settle()
    #expect(bench.shown.count == 5 && bench.kept.count == 5 && bench.doneCount == 0)
    let lack = DownloadError.unsupported(host: "tilde.example", .clearing).sentence
    #expect(bench.observer.failures == ["\(FailureWords.failed(FailureWords.clearing)) \(lack)"])
    #expect(bench.account.connection.abilities.missing == [.clearing])
    #expect(bench.account.connection.refusal(of: .clearing) == lack)
  }
}
