import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// New notifications, and messages that were read in a chat.
@MainActor
@Suite(.bounded) struct NotificationFeedTests {
  nonisolated private static let me = Qwinker.sample("mara")
  nonisolated private static let bob = Qwinker.sample("bob")
  nonisolated private static let start = Date(timeIntervalSince1970: 1_767_225_600)

  nonisolated private static func message(_ id: String, minute: Double) -> Qwink {
    var qwink = Qwink.sample(id: Qwink.ID(id), text: "Message \(id)", author: bob)
    qwink.visibility = .direct
    qwink.mentions = [.init(id: me.id, userName: me.userName, handle: me.handle)]
    qwink.createdAt = start.addingTimeInterval(60 * minute)
    return qwink
  }

  nonisolated private static func notification(_ id: String, of qwink: Qwink?, minute: Double) -> AccountNotification {
    AccountNotification(
      id: AccountNotification.ID(id), kind: qwink == nil ? .follow : .mention,
      createdAt: start.addingTimeInterval(60 * minute), qwinker: bob, qwink: qwink)
  }

  /// Read positions that the server received.
  private final class Marks: Sendable {
    let texts = Mutex<[String]>([])
  }

  @MainActor
  private final class Bench {
    let ledger = ActivityLedger()
    let account: Account
    private let clock = VirtualClock(at: NotificationFeedTests.start)
    private let marks = Marks()

    /// Creates a server with `notifications`, read up to 1, and a conversation that ends in `last`.
    init(_ notifications: [AccountNotification], last: Qwink) {
      let isRead = Gate()
      let marks = marks
      let transport = ScriptedTransport { request in
        let path = request.head.path ?? ""
        switch (request.head.method, path.prefix { $0 != "?" }) {
        case (.get, "/api/v1/notifications"): return .json(WireEncoder.notifications(notifications))
        case (.get, "/api/v1/conversations"):
          return .json(
            WireEncoder.conversations([
              Conversation(id: "c", participants: [bob], isUnread: !isRead.isOpen, lastQwink: last)
            ]))
        case (.post, "/api/v1/conversations/c/read"):
          isRead.open()
          return .json(WireEncoder.conversations([]))
        case (.get, "/api/v1/markers"):
          return .json(
            WireEncoder.readPositions([ReadPosition(place: .notifications, lastReadID: "1", updatedAt: nil)]))
        case (.post, "/api/v1/markers"):
          marks.texts.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
          return .json(WireEncoder.readPositions([]))
        case (.get, "/api/v1/accounts/verify_credentials"): return .json(WireEncoder.qwinker(me, ownNote: ""))
        default: return .json(WireEncoder.error("Record not found"), status: 404)
        }
      }
      let service = DownloadService(
        configuration: .init(serverURL: "https://tilde.example", token: "secret"), ledger: ledger,
        transport: { transport })
      account = Account(
        service: service, cache: nil, outgoing: nil, clock: clock, isSignedIn: true)
    }

    func start() async {
      account.identity.identify()
      account.inbox.start()
      account.notifications.start()
      await ledger.settle()
    }

    /// Ids of new notifications, and of the messages among them that were read in their chat.
    var unread: (all: [String], readMessages: [String]) {
      let feed = account.notifications
      let unread = feed.unread
      return (unread.map(\.id.rawValue), unread.filter(feed.isReadMessage).map(\.id.rawValue))
    }

    var toldMarks: [String] { marks.texts.withLock { $0 } }

    func readChat() async {
      account.inbox.markRead("c")
      // The read marker is sent to the server after a delay.
      await clock.advance(by: .seconds(10)) { await self.ledger.settle() }
    }
  }

  @Test func `messages read in their chat are read in notifications and on the server`() async {
    let messages = [Self.message("m1", minute: 1), Self.message("m2", minute: 2)]
    let bench = Bench(
      [
        Self.notification("3", of: messages[1], minute: 2), Self.notification("2", of: messages[0], minute: 1),
        Self.notification("1", of: nil, minute: 0),
      ], last: messages[1])
    await bench.start()
    #expect(bench.unread.all == ["3", "2"] && bench.unread.readMessages.isEmpty)
    await bench.readChat()
    #expect(bench.unread.all.isEmpty)
    #expect(bench.toldMarks.count == 1 && bench.toldMarks.first?.contains("\"3\"") ?? false, "\(bench.toldMarks)")
  }

  @Test func `reading a message leaves older notifications new`() async {
    let message = Self.message("m1", minute: 2)
    let bench = Bench(
      [
        Self.notification("3", of: message, minute: 2), Self.notification("2", of: nil, minute: 1),
        Self.notification("1", of: nil, minute: 0),
      ], last: message)
    await bench.start()
    await bench.readChat()
    #expect(bench.unread.all == ["3", "2"] && bench.unread.readMessages == ["3"])
    #expect(bench.toldMarks.isEmpty)
  }

  @Test func `a message newer than its conversation stays new`() async {
    let bench = Bench(
      [
        Self.notification("2", of: Self.message("m2", minute: 2), minute: 2),
        Self.notification("1", of: nil, minute: 0),
      ], last: Self.message("m1", minute: 1))
    await bench.start()
    await bench.readChat()
    #expect(bench.unread.all == ["2"] && bench.unread.readMessages.isEmpty)
  }

  @Test func `reading a message in its chat moves the server's marker past skipped notifications`() async {
    let message = Self.message("m1", minute: 3)
    let bench = Bench(
      [
        Self.notification("4", of: message, minute: 3), Self.notification("3", of: nil, minute: 2),
        Self.notification("2", of: nil, minute: 1), Self.notification("1", of: nil, minute: 0),
      ], last: message)
    await bench.start()
    bench.account.notifications.markRead(["3"], of: ["2", "3", "4"])
    #expect(bench.unread.all == ["4", "2"])
    await bench.readChat()
    #expect(bench.unread.all == ["2"])
    #expect(bench.toldMarks.last?.contains("\"4\"") ?? false, "\(bench.toldMarks)")
  }

  @Test func `reading a skipped notification removes only it from the skipped rows`() async throws {
    let bench = Bench([Self.notification("1", of: nil, minute: 0)], last: Self.message("m1", minute: 1))
    await bench.start()
    let positions = bench.account.readPositions
    var mark = try #require(positions.mark(in: .notifications))
    mark.skip([SkippedRow(id: "old"), SkippedRow(id: "older")])
    positions.read(.notifications, upTo: mark)
    bench.account.notifications.markRead(["old"], of: ["old"])
    #expect(positions.mark(in: .notifications)?.skipped.map(\.id) == ["older"])
    #expect(positions.mark(in: .notifications)?.id == "1")
  }
}
