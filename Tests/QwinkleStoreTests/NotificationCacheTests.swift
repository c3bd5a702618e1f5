import Foundation
import QwinkleModel
import QwinkleStore
import QwinkleWire
import Testing
import Timekeeping

@Suite struct NotificationCacheTests {
  private static let date = Date(timeIntervalSince1970: 1_767_225_600)

  private func notification(_ id: String) -> AccountNotification {
    let bob = Qwinker(id: "b", userName: "bob")
    return AccountNotification(
      id: AccountNotification.ID(id), kind: .favourite, createdAt: Self.date, qwinker: bob,
      qwink: Qwink(id: "q", author: bob, createdAt: Self.date, text: RichText(plain: "Hello")))
  }

  private func page(_ ids: [String], older: String? = nil) throws -> Page<AccountNotification> {
    var page = try WireDecoder.notifications(from: WireEncoder.notifications(ids.map(notification)), link: nil)
    page.older = older.map { PageCursor(url: $0) }
    return page
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/qwinkle-notices-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test func `the newest page is loaded unchanged in another run`() throws {
    try withFolder { folder in
      let timelines = try TimelineCache(directory: folder, ledger: ActivityLedger())
      let cache = NotificationCache(besides: timelines)
      #expect(cache.load().items.isEmpty)
      cache.replace(try page(["3", "2", "1"], older: "https://tilde.example/older"), unreadCount: 1)
      cache.setUnreadCount(2)
      timelines.close()
      let again = NotificationCache(besides: try TimelineCache(directory: folder, ledger: ActivityLedger()))
      #expect(again.load().items == ["3", "2", "1"].map(notification))
      #expect(again.load().older?.url == "https://tilde.example/older")
      #expect(again.unreadCount == 2)
    }
  }

  @Test func `a page replaces the previous page`() throws {
    try withFolder { folder in
      let timelines = try TimelineCache(directory: folder, ledger: ActivityLedger())
      let cache = NotificationCache(besides: timelines)
      cache.replace(try page(["1"], older: "https://tilde.example/older"), unreadCount: 1)
      timelines.flush()
      #expect(cache.load().items.map(\.id) == ["1"] && cache.load().older != nil)
      cache.replace(try page([]), unreadCount: 1)
      timelines.flush()
      #expect(cache.load().items.isEmpty)
      #expect(cache.load().older == nil)
    }
  }

  @Test func `removing notifications preserves the cursor to older ones`() throws {
    try withFolder { folder in
      let timelines = try TimelineCache(directory: folder, ledger: ActivityLedger())
      let cache = NotificationCache(besides: timelines)
      cache.remove(["1"])
      cache.replace(try page(["3", "2", "1"], older: "https://tilde.example/older"), unreadCount: 2)
      cache.remove(["3", "1", "0"])
      timelines.flush()
      #expect(cache.load().items == [notification("2")])
      #expect(cache.load().older?.url == "https://tilde.example/older" && cache.unreadCount == 2)
      cache.remove(["2"])
      timelines.flush()
      #expect(cache.load().items.isEmpty && cache.load().older?.url == "https://tilde.example/older")
    }
  }

  @Test func `a page without its source JSON is not cached`() throws {
    try withFolder { folder in
      let timelines = try TimelineCache(directory: folder, ledger: ActivityLedger())
      let cache = NotificationCache(besides: timelines)
      cache.replace(try page(["1"]), unreadCount: 1)
      cache.replace(Page(items: [notification("2")]), unreadCount: 1)
      timelines.flush()
      #expect(cache.load().items.map(\.id) == ["1"])
    }
  }
}
