import Foundation
import GRDB
public import QwinkleModel
import QwinkleWire

/// A piece of the list of conversations that was kept.
public struct KeptConversations: Sendable {
  public var conversations: [Conversation] = []
  /// How many were looked at, with those that cannot be read any more.
  public var count = 0
  /// Whether more are kept after these.
  public var hasMore = false
  /// The way to what is older than the last one kept.
  public var older: PageCursor?
}

/// The newest messages of a conversation, or some that are older, as they were kept.
public struct KeptMessages: Sendable {
  /// Oldest first.
  public var messages: [Qwink] = []
  /// Leads to those before; nil where these are the first.
  public var earlier: Place?

  /// A place among the messages of one conversation.
  public struct Place: Hashable, Sendable {
    let time: Double
    let id: String
  }
}

/// What one account's conversations looked like, in the same file as its timelines and for the same reasons: see
/// ``TimelineCache``. Reading is done at once, writing in the background.
public final class ConversationCache: Sendable {
  /// A conversation to keep.
  public struct Row: Sendable {
    let id: String
    let isUnread: Bool
    let source: Data

    /// `source` is the item as the server wrote it; without one the conversation is written anew.
    public init(_ conversation: Conversation, source: [UInt8]? = nil) {
      id = conversation.id.rawValue
      isUnread = conversation.isUnread
      self.source = Data(source ?? WireEncoder.conversation(conversation))
    }
  }

  /// The key under which the way to older conversations is kept, beside those of timelines.
  private static let listName = "conversations"

  private let timelines: TimelineCache
  private var queue: DatabaseQueue { timelines.queue }

  /// The conversations in the file of `timelines`, which opens and closes it.
  public init(beside timelines: TimelineCache) {
    self.timelines = timelines
  }

  // MARK: The list

  /// Conversations as they were kept, from the `offset`-th on, newest first.
  public func load(offset: Int, limit: Int) -> KeptConversations {
    let kept = try? queue.read { database in
      let rows = try GRDB.Row.fetchAll(
        database, sql: "SELECT source, unread FROM conversation ORDER BY position DESC LIMIT ? OFFSET ?",
        arguments: [limit + 1, offset])
      let older = try String.fetchOne(
        database, sql: "SELECT older FROM timeline WHERE name = ?", arguments: [Self.listName])
      return KeptConversations(
        conversations: rows.prefix(limit).compactMap(Self.conversation), count: min(rows.count, limit),
        hasMore: rows.count > limit, older: older.map { PageCursor(url: $0) })
    }
    return kept ?? KeptConversations()
  }

  /// How many of all that are kept are unread, but for those at the first `count` places.
  public func unreadCount(after count: Int) -> Int {
    let unread = try? queue.read { database in
      // The index of the unread ones answers either, without a look at what was said.
      guard count > 0 else { return try Int.fetchOne(database, sql: "SELECT count(*) FROM conversation WHERE unread") }
      return try Int.fetchOne(
        database,
        sql: """
          SELECT count(*) FROM conversation WHERE unread AND position <
            (SELECT position FROM conversation ORDER BY position DESC LIMIT 1 OFFSET ?)
          """, arguments: [count - 1])
    }
    return (unread ?? nil) ?? 0
  }

  /// Keeps these instead of all that were kept.
  public func replace(_ rows: [Row], older: PageCursor?) {
    timelines.write("keep conversations") { database in
      try database.execute(sql: "DELETE FROM conversation")
      try Self.insert(rows, from: rows.count, into: database)
      try Self.setOlder(older, in: database)
    }
  }

  /// Keeps these on top, wherever they were before; those that are `gone` go.
  public func putOnTop(_ rows: [Row], gone: [Conversation.ID] = []) {
    timelines.write("keep newer conversations") { database in
      for id in rows.map(\.id) + gone.map(\.rawValue) {
        try database.execute(sql: "DELETE FROM conversation WHERE id = ?", arguments: [id])
      }
      let top = try Int.fetchOne(database, sql: "SELECT max(position) FROM conversation") ?? 0
      try Self.insert(rows, from: top + rows.count, into: database)
    }
  }

  /// Keeps these below all others, and the way on from there.
  public func append(_ rows: [Row], older: PageCursor?) {
    timelines.write("keep older conversations") { database in
      let bottom = try Int.fetchOne(database, sql: "SELECT min(position) FROM conversation") ?? 1
      try Self.insert(rows, from: bottom - 1, into: database)
      try Self.setOlder(older, in: database)
    }
  }

  /// Keeps a conversation again, right below `upper`; on top where that is nil or not kept.
  public func putBack(_ row: Row, below upper: Conversation.ID?) {
    timelines.write("keep a conversation again") { database in
      try database.execute(sql: "DELETE FROM conversation WHERE id = ?", arguments: [row.id])
      let above = try upper.flatMap { upper in
        try Int.fetchOne(database, sql: "SELECT position FROM conversation WHERE id = ?", arguments: [upper.rawValue])
      }
      let top = try Int.fetchOne(database, sql: "SELECT max(position) FROM conversation") ?? 0
      // Those above make room.
      if let above {
        try database.execute(
          sql: "UPDATE conversation SET position = position + 1 WHERE position >= ?", arguments: [above])
      }
      try Self.insert([row], from: above ?? top + 1, into: database)
    }
  }

  /// Keeps the newer state of a conversation where it stands.
  public func update(_ row: Row) {
    timelines.write("keep a conversation") { database in
      try database.execute(
        sql: "UPDATE conversation SET source = ?, unread = ? WHERE id = ?",
        arguments: [row.source, row.isUnread, row.id])
    }
  }

  /// Forgets a conversation with all its messages.
  public func remove(_ id: Conversation.ID) {
    timelines.write("forget a conversation") { database in
      try database.execute(sql: "DELETE FROM conversation WHERE id = ?", arguments: [id.rawValue])
      try database.execute(sql: "DELETE FROM message WHERE conversation = ?", arguments: [id.rawValue])
      try database.execute(sql: "DELETE FROM seen WHERE conversation = ?", arguments: [id.rawValue])
    }
  }

  // MARK: What was read

  /// The last message that was seen here; nil where none was.
  public func lastSeen(in id: Conversation.ID) -> Qwink.ID? {
    let seen = try? queue.read { database in
      try String.fetchOne(
        database, sql: "SELECT message FROM seen WHERE conversation = ?", arguments: [id.rawValue])
    }
    return (seen ?? nil).map { Qwink.ID($0) }
  }

  /// Keeps which message was seen last.
  public func setLastSeen(_ message: Qwink.ID, in id: Conversation.ID) {
    timelines.write("keep what was read") { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO seen (conversation, message) VALUES (?, ?)",
        arguments: [id.rawValue, message.rawValue])
    }
  }

  // MARK: Messages

  /// The last `limit` messages of a conversation, before `place` where it is given.
  public func messages(of id: Conversation.ID, before place: KeptMessages.Place? = nil, limit: Int) -> KeptMessages {
    let kept = try? queue.read { database in
      let rows = try GRDB.Row.fetchAll(
        database,
        sql: """
          SELECT source, time, id FROM message WHERE conversation = ? AND (time, id) < (?, ?)
          ORDER BY time DESC, id DESC LIMIT ?
          """, arguments: [id.rawValue, place?.time ?? .greatestFiniteMagnitude, place?.id ?? "", limit + 1])
      let shown = rows.prefix(limit)
      let first: KeptMessages.Place? =
        rows.count > limit ? shown.last.map { .init(time: $0["time"], id: $0["id"]) } : nil
      return KeptMessages(messages: shown.reversed().compactMap(Self.message), earlier: first)
    }
    return kept ?? KeptMessages()
  }

  /// Keeps messages of a conversation, or newer states of them.
  public func keep(_ messages: [Qwink], of id: Conversation.ID) {
    guard !messages.isEmpty else { return }
    timelines.write("keep messages") { database in
      let statement = try database.cachedStatement(
        sql: "INSERT OR REPLACE INTO message (conversation, id, time, source) VALUES (?, ?, ?, ?)")
      for message in messages {
        try statement.execute(arguments: [
          id.rawValue, message.id.rawValue, message.createdAt.timeIntervalSince1970, Data(WireEncoder.qwink(message)),
        ])
      }
    }
  }

  /// Forgets messages, in whatever conversation they stand.
  public func removeMessages(_ ids: [Qwink.ID]) {
    guard !ids.isEmpty else { return }
    timelines.write("forget messages") { database in
      for id in ids {
        try database.execute(sql: "DELETE FROM message WHERE id = ?", arguments: [id.rawValue])
      }
    }
  }

  // MARK: Helpers

  private static func insert(_ rows: [Row], from top: Int, into database: Database) throws {
    let statement = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO conversation (id, position, unread, source) VALUES (?, ?, ?, ?)")
    for (index, row) in rows.enumerated() {
      try statement.execute(arguments: [row.id, top - index, row.isUnread, row.source])
    }
  }

  private static func setOlder(_ cursor: PageCursor?, in database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO timeline (name, older) VALUES (?, ?)", arguments: [listName, cursor?.url])
  }

  /// What was kept, with what became of it here: that it was read.
  private static func conversation(_ row: GRDB.Row) -> Conversation? {
    guard let source = row["source"] as Data?,
      var conversation = try? WireDecoder.conversation(from: [UInt8](source))
    else { return nil }
    conversation.isUnread = row["unread"]
    return conversation
  }

  private static func message(_ row: GRDB.Row) -> Qwink? {
    (row["source"] as Data?).flatMap { try? WireDecoder.qwink(from: [UInt8]($0)) }
  }
}
