import Foundation
import GRDB
public import QwinkleModel
import QwinkleWire

/// What one account's newest notifications were, for the next start and for times without a network, and how far they
/// had been read. One page is kept, as the JSON that the server wrote; what is older comes from the server.
///
/// Reading is done at once, by whoever asks; writing goes to a queue of its own.
public final class NotificationCache: Sendable {
  private let timelines: TimelineCache

  /// Keeps notifications in the file that `timelines` has open, which closes it too.
  public init(besides timelines: TimelineCache) {
    self.timelines = timelines
  }

  /// The page that was kept last; empty where there is none, or it cannot be read any more.
  public func load() -> Page<AccountNotification> {
    guard let body = value(.page), var page = try? WireDecoder.notifications(from: body, link: nil) else {
      return Page(items: [])
    }
    page.older = value(.older).map { PageCursor(url: String(decoding: $0, as: UTF8.self)) }
    return page
  }

  /// How many notifications had not been read when something was kept last.
  public var unreadCount: Int { value(.unread).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0 }

  /// Keeps `page` instead of what was kept, and how many notifications have not been read. A page without sources is
  /// passed over.
  public func replace(_ page: Page<AccountNotification>, unreadCount: Int) {
    guard page.sources.count == page.items.count else { return }
    let body = [UInt8(ascii: "[")] + page.sources.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    let older = page.older.map { Array($0.url.utf8) }
    timelines.write("keep notices") { database in
      try Self.set(.page, to: body, in: database)
      try Self.set(.older, to: older, in: database)
      try Self.set(.unread, to: Array(String(unreadCount).utf8), in: database)
    }
  }

  /// The id of the newest notification that has been read here; nil where none has.
  public var lastReadID: AccountNotification.ID? {
    value(.lastRead).map { AccountNotification.ID(String(decoding: $0, as: UTF8.self)) }
  }

  /// Keeps how far notifications have been read, and how many have not been.
  public func setLastReadID(_ id: AccountNotification.ID, unreadCount: Int) {
    let bytes = Array(id.rawValue.utf8)
    timelines.write("keep a read position") { database in
      try Self.set(.lastRead, to: bytes, in: database)
      try Self.set(.unread, to: Array(String(unreadCount).utf8), in: database)
    }
  }

  private enum Key: String { case page, older, lastRead, unread }

  private func value(_ key: Key) -> [UInt8]? {
    let data = try? timelines.queue.read { database in
      try Data.fetchOne(database, sql: "SELECT value FROM notice WHERE key = ?", arguments: [key.rawValue])
    }
    return (data ?? nil).map { [UInt8]($0) }
  }

  private static func set(_ key: Key, to value: [UInt8]?, in database: Database) throws {
    guard let value else {
      return try database.execute(sql: "DELETE FROM notice WHERE key = ?", arguments: [key.rawValue])
    }
    try database.execute(
      sql: "INSERT OR REPLACE INTO notice (key, value) VALUES (?, ?)", arguments: [key.rawValue, Data(value)])
  }
}
