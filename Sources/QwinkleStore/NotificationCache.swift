import Foundation
import GRDB
public import QwinkleModel
import QwinkleWire

/// A cache of one account's newest notifications and their unread count, for the next start and for offline use. It
/// stores one page as the server's JSON. Older notifications are always fetched.
///
/// Reads block the caller. Writes are asynchronous.
public final class NotificationCache: Sendable {
  private let timelines: TimelineCache

  /// Creates a cache in the file of `timelines`, which opens and closes the file.
  public init(besides timelines: TimelineCache) {
    self.timelines = timelines
  }

  /// Returns the cached page. Empty if no page is cached or it can't be decoded any more.
  public func load() -> Page<AccountNotification> {
    guard let body = value(.page), var page = try? WireDecoder.notifications(from: body, link: nil) else {
      return Page(items: [])
    }
    page.older = value(.older).map { PageCursor(url: String(decoding: $0, as: UTF8.self)) }
    return page
  }

  /// Number of unread notifications, as last saved.
  public var unreadCount: Int { value(.unread).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0 }

  /// Replaces the cached page and the number of unread notifications. Ignores a page without the server's JSON of each
  /// item (``Page/sources``).
  public func replace(_ page: Page<AccountNotification>, unreadCount: Int) {
    guard page.sources.count == page.items.count else { return }
    let body = Self.array(page.sources)
    let older = page.older.map { Array($0.url.utf8) }
    timelines.write("save notifications", about: .notifications) { database in
      try Self.set(.page, to: body, in: database)
      try Self.set(.older, to: older, in: database)
      try Self.set(.unread, to: Array(String(unreadCount).utf8), in: database)
    }
  }

  /// Removes notifications from the cached page.
  public func remove(_ ids: Set<AccountNotification.ID>) {
    timelines.write("remove notifications", about: .notifications) { database in
      guard let body = try Self.value(.page, in: database),
        let page = try? WireDecoder.notifications(from: body, link: nil), page.sources.count == page.items.count
      else { return }
      let remaining = zip(page.items, page.sources).filter { !ids.contains($0.0.id) }.map(\.1)
      if remaining.count < page.items.count { try Self.set(.page, to: Self.array(remaining), in: database) }
    }
  }

  /// The id of the newest read notification, if an earlier version of the program saved one.
  public var lastReadID: AccountNotification.ID? {
    value(.lastRead).map { AccountNotification.ID(String(decoding: $0, as: UTF8.self)) }
  }

  public func setUnreadCount(_ count: Int) {
    timelines.write("save the number of unread notifications", about: .notifications) { database in
      try Self.set(.unread, to: Array(String(count).utf8), in: database)
    }
  }

  private enum Key: String { case page, older, lastRead, unread }

  private func value(_ key: Key) -> [UInt8]? {
    let value = timelines.read(after: [.notifications]) { try Self.value(key, in: $0) }
    return value ?? nil
  }

  private static func value(_ key: Key, in database: Database) throws -> [UInt8]? {
    try Data.fetchOne(database, sql: "SELECT value FROM notice WHERE key = ?", arguments: [key.rawValue])
      .map { [UInt8]($0) }
  }

  /// Returns a JSON array of `items`.
  private static func array(_ items: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "[")] + items.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
  }

  private static func set(_ key: Key, to value: [UInt8]?, in database: Database) throws {
    guard let value else {
      return try database.execute(sql: "DELETE FROM notice WHERE key = ?", arguments: [key.rawValue])
    }
    try database.execute(
      sql: "INSERT OR REPLACE INTO notice (key, value) VALUES (?, ?)", arguments: [key.rawValue, Data(value)])
  }
}
