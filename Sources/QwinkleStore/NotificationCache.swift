import Foundation
import GRDB
public import QwinkleModel
import QwinkleWire

/// A cache of one account's newest notifications and its read position, for the next start and for times without a
/// network. One page is stored, as the server's JSON; older ones come from the server.
///
/// Reads block the caller; writes run on a queue of their own.
public final class NotificationCache: Sendable {
  private let timelines: TimelineCache

  /// Stores notifications in the file of `timelines`, which opens and closes it.
  public init(besides timelines: TimelineCache) {
    self.timelines = timelines
  }

  /// The cached page; empty if there is none, or it can't be decoded any more.
  public func load() -> Page<AccountNotification> {
    guard let body = value(.page), var page = try? WireDecoder.notifications(from: body, link: nil) else {
      return Page(items: [])
    }
    page.older = value(.older).map { PageCursor(url: String(decoding: $0, as: UTF8.self)) }
    return page
  }

  /// The number of unread notifications at the last save.
  public var unreadCount: Int { value(.unread).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0 }

  /// Replaces the cached page and the number of unread notifications. Ignores a page without sources.
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
      let kept = zip(page.items, page.sources).filter { !ids.contains($0.0.id) }.map(\.1)
      if kept.count < page.items.count { try Self.set(.page, to: Self.array(kept), in: database) }
    }
  }

  /// The id of the newest notification read here, as earlier versions kept it; nil if none was.
  public var lastReadID: AccountNotification.ID? {
    value(.lastRead).map { AccountNotification.ID(String(decoding: $0, as: UTF8.self)) }
  }

  /// Saves the number of unread notifications.
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

  /// The JSON array of `items`.
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
