import Foundation
import QwinkleModel
import QwinkleStore
import QwinkleWire
import Testing
import Timekeeping

@Suite struct ConversationCacheTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path

  private func conversation(_ id: String, isUnread: Bool = false) -> Conversation {
    Conversation(
      id: .init(id), participants: [Qwinker(id: "1", userName: "alice")], isUnread: isUnread,
      lastQwink: message("last of \(id)", at: 60))
  }

  private func message(_ id: String, at seconds: Double) -> Qwink {
    Qwink(
      id: .init(id), author: Qwinker(id: "1", userName: "alice"), createdAt: Date(timeIntervalSince1970: seconds),
      text: RichText(plain: "message \(id)"), visibility: .direct)
  }

  private func rows(_ ids: [String], isUnread: Bool = false) -> [ConversationCache.Row] {
    ids.map { ConversationCache.Row(conversation($0, isUnread: isUnread)) }
  }

  private func open() throws -> (timelines: TimelineCache, cache: ConversationCache) {
    let timelines = try TimelineCache(directory: directory, ledger: ActivityLedger())
    return (timelines, ConversationCache(beside: timelines))
  }

  private func ids(_ kept: CachedConversations) -> [String] { kept.conversations.map(\.id.rawValue) }

  @Test func `conversations are loaded in order after a restart`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let (timelines, cache) = try open()
    cache.replace(rows(["c", "b"]), older: PageCursor(url: "x"))
    cache.append(rows(["a"]), older: PageCursor(url: "y"))
    cache.putOnTop(rows(["b", "d"]))
    timelines.close()
    let kept = try open().cache.load(offset: 0, limit: 10)
    #expect(ids(kept) == ["b", "d", "c", "a"])
    #expect(kept.older == PageCursor(url: "y"))
    #expect(!kept.hasMore)
    #expect(kept.conversations.first == conversation("b"))
  }

  @Test func `a conversation whose deletion failed returns to its place`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let (timelines, cache) = try open()
    let all = (0..<120).map { "c\($0)" }
    cache.replace(rows(all), older: PageCursor(url: "x"))
    cache.remove("c3")
    cache.putBack(.init(conversation("c3")), below: "c2")
    timelines.flush()
    #expect(ids(cache.load(offset: 0, limit: 200)) == all)
    cache.remove("c0")
    cache.putBack(.init(conversation("c0")), below: nil)
    timelines.flush()
    #expect(ids(cache.load(offset: 0, limit: 200)) == all)
  }

  @Test func `conversations are loaded in parts and later unread ones are counted`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let (timelines, cache) = try open()
    cache.replace(rows(["f"], isUnread: true) + rows(["e", "d"]) + rows(["c", "b"], isUnread: true), older: nil)
    timelines.flush()
    let first = cache.load(offset: 0, limit: 2)
    #expect(ids(first) == ["f", "e"] && first.hasMore && first.count == 2)
    #expect(cache.unreadCount(after: 0) == 3)
    #expect(cache.unreadCount(after: 2) == 2)
    #expect(cache.unreadCount(after: 4) == 1)
    #expect(cache.unreadCount(after: 9) == 0)
  }

  @Test func `a conversation read here stays read even if the server's JSON says unread`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let (timelines, cache) = try open()
    let source = WireEncoder.conversation(conversation("a", isUnread: true))
    var read = conversation("a", isUnread: true)
    cache.replace([.init(read, source: source)], older: nil)
    read.isUnread = false
    cache.update(read)
    timelines.flush()
    #expect(cache.load(offset: 0, limit: 1).conversations.first?.isUnread == false)
  }

  @Test func `the last messages are loaded first with a cursor to earlier ones`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let (timelines, cache) = try open()
    cache.keep((0..<10).map { message("\($0)", at: Double($0 / 2)) }, of: "a")
    cache.keep([message("other", at: 3)], of: "b")
    timelines.flush()
    let last = cache.messages(of: "a", limit: 4)
    #expect(last.messages.map(\.id.rawValue) == ["6", "7", "8", "9"])
    let before = cache.messages(of: "a", before: last.earlier, limit: 4)
    #expect(before.messages.map(\.id.rawValue) == ["2", "3", "4", "5"])
    let first = cache.messages(of: "a", before: before.earlier, limit: 4)
    #expect(first.messages.map(\.id.rawValue) == ["0", "1"] && first.earlier == nil)
    #expect(last.messages.last == message("9", at: 4))
  }

  @Test func `a message is stored once and can be removed`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let (timelines, cache) = try open()
    cache.keep([message("1", at: 1), message("2", at: 2)], of: "a")
    cache.keep([message("1", at: 1)], of: "a")
    cache.removeMessages(["2"])
    cache.setLastSeen("1", in: "a")
    timelines.flush()
    #expect(cache.messages(of: "a", limit: 9).messages == [message("1", at: 1)])
    #expect(cache.lastSeen(in: "a") == "1")
    cache.remove("a")
    timelines.flush()
    #expect(cache.messages(of: "a", limit: 9).messages.isEmpty)
    #expect(cache.lastSeen(in: "a") == nil)
  }

  @Test func `an unreadable conversation is skipped`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let (timelines, cache) = try open()
    cache.replace(
      [.init(conversation("b"), source: Array("{".utf8))] + rows(["a"]), older: nil)
    timelines.flush()
    let kept = cache.load(offset: 0, limit: 9)
    #expect(ids(kept) == ["a"] && kept.count == 2)
  }
}
