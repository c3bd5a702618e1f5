import Databases
import Foundation
import GRDB
public import QwinkleModel
import QwinkleWire

/// A slice of the cached list of conversations.
public struct CachedConversations: Sendable {
  public var conversations: [Conversation] = []
  /// Number of rows read, including rows that can't be decoded any more.
  public var count = 0
  /// Whether more conversations are cached after these.
  public var hasMore = false
  /// Cursor to conversations older than the last cached one.
  public var older: PageCursor?
}

/// A page of a conversation's cached messages.
public struct CachedMessages: Sendable {
  /// Oldest first.
  public var messages: [Qwink] = []
  /// Position for loading the messages before these. Nil if these are the first.
  public var earlier: Place?

  /// A position among a conversation's messages.
  public struct Place: Hashable, Sendable {
    let time: Double
    let id: String
  }
}

/// A cache of one account's conversations. It shares the file of ``TimelineCache``. Reads block; writes run in the
/// background.
public final class ConversationCache: Sendable {
  /// A conversation to cache.
  public struct Row: Sendable {
    let id: String
    let isUnread: Bool
    let source: Data
    /// The conversation's last message. It is also cached among the conversation's messages, because the full
    /// conversation may never be fetched.
    let last: Qwink?

    /// Creates a row. `source` is the server's JSON; if nil, the conversation is encoded.
    public init(_ conversation: Conversation, source: [UInt8]? = nil) {
      id = conversation.id.rawValue
      isUnread = conversation.isUnread
      last = conversation.lastQwink
      self.source = Data(source ?? WireEncoder.conversation(conversation))
    }
  }

  /// Key of the cursor to older conversations. It is stored in the same table as the cursors of timelines.
  private static let listName = "conversations"

  private let timelines: TimelineCache

  /// Creates a cache in the file of `timelines`, which opens and closes the file.
  public init(beside timelines: TimelineCache) {
    self.timelines = timelines
  }

  // MARK: The list

  /// Returns cached conversations from index `offset` on, newest first.
  public func load(offset: Int, limit: Int) -> CachedConversations {
    let cached = timelines.read(after: [.conversations]) { database in
      let rows = try GRDB.Row.fetchAll(
        database, sql: "SELECT source, unread FROM conversation ORDER BY position DESC LIMIT ? OFFSET ?",
        arguments: [limit + 1, offset])
      let older = try String.fetchOne(
        database, sql: "SELECT older FROM timeline WHERE name = ?", arguments: [Self.listName])
      return CachedConversations(
        conversations: rows.prefix(limit).compactMap(Self.conversation), count: min(rows.count, limit),
        hasMore: rows.count > limit, older: older.map { PageCursor(url: $0) })
    }
    return cached ?? CachedConversations()
  }

  /// Returns the number of unread cached conversations, not counting the first `count` conversations.
  public func unreadCount(after count: Int) -> Int {
    let unread = timelines.read(after: [.conversations]) { database in
      // Both queries use only the index of unread rows, so no content is read.
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

  /// Replaces all cached conversations.
  public func replace(_ rows: [Row], older: PageCursor?) {
    timelines.write("save conversations", about: .conversations) { database in
      try database.execute(sql: "DELETE FROM conversation")
      try Self.insert(rows, from: rows.count, into: database)
      try Self.setOlder(older, in: database)
    }
  }

  /// Moves or adds conversations to the top of the list, and removes the `gone` ones.
  public func putOnTop(_ rows: [Row], gone: [Conversation.ID] = []) {
    timelines.write("save newer conversations", about: .conversations) { database in
      for id in rows.map(\.id) + gone.map(\.rawValue) {
        try database.execute(sql: "DELETE FROM conversation WHERE id = ?", arguments: [id])
      }
      let top = try Int.fetchOne(database, sql: "SELECT max(position) FROM conversation") ?? 0
      try Self.insert(rows, from: top + rows.count, into: database)
    }
  }

  /// Adds conversations at the bottom, and saves the cursor to older ones.
  public func append(_ rows: [Row], older: PageCursor?) {
    timelines.write("save older conversations", about: .conversations) { database in
      let bottom = try Int.fetchOne(database, sql: "SELECT min(position) FROM conversation") ?? 1
      try Self.insert(rows, from: bottom - 1, into: database)
      try Self.setOlder(older, in: database)
    }
  }

  /// Restores a conversation right below `upper`, or on top if `upper` is nil or not cached.
  public func putBack(_ row: Row, below upper: Conversation.ID?) {
    timelines.write("restore a conversation", about: .conversations) { database in
      try database.execute(sql: "DELETE FROM conversation WHERE id = ?", arguments: [row.id])
      let above = try upper.flatMap { upper in
        try Int.fetchOne(database, sql: "SELECT position FROM conversation WHERE id = ?", arguments: [upper.rawValue])
      }
      let top = try Int.fetchOne(database, sql: "SELECT max(position) FROM conversation") ?? 0
      // Make room by moving up the rows above.
      if let above {
        try database.execute(
          sql: "UPDATE conversation SET position = position + 1 WHERE position >= ?", arguments: [above])
      }
      try Self.insert([row], from: above ?? top + 1, into: database)
    }
  }

  /// Saves a conversation's newer state without moving the conversation. If the conversation isn't cached, saves only
  /// its last message.
  public func update(_ conversation: Conversation) {
    let row = Row(conversation)
    timelines.write("save a conversation", about: .conversations) { database in
      let known = try Data.fetchOne(
        database, sql: "SELECT source FROM conversation WHERE id = ?", arguments: [row.id]
      ).map { [UInt8]($0) }
      if let known, let old = try? WireDecoder.conversation(from: known) {
        // Preserve members of the JSON that Qwinkle doesn't know.
        try database.execute(
          sql: "UPDATE conversation SET source = ?, unread = ? WHERE id = ?",
          arguments: [Data(WireEncoder.update(known, of: old, to: conversation)), row.isUnread, row.id])
      }
      if let last = row.last { try Self.keep([last], of: row.id, in: database) }
    }
  }

  /// Removes a conversation, all its messages and its read position.
  public func remove(_ id: Conversation.ID) {
    timelines.write("delete a conversation", about: .conversations) { database in
      try database.execute(sql: "DELETE FROM conversation WHERE id = ?", arguments: [id.rawValue])
      try database.execute(sql: "DELETE FROM message WHERE conversation = ?", arguments: [id.rawValue])
      try database.execute(sql: "DELETE FROM seen WHERE conversation = ?", arguments: [id.rawValue])
    }
  }

  // MARK: Read positions

  /// Returns the last message that the user has seen in this program, if any.
  public func lastSeen(in id: Conversation.ID) -> Qwink.ID? {
    let seen = timelines.read(after: [.conversations]) { database in
      try String.fetchOne(
        database, sql: "SELECT message FROM seen WHERE conversation = ?", arguments: [id.rawValue])
    }
    return (seen ?? nil).map { Qwink.ID($0) }
  }

  /// Saves the last message that the user has seen.
  public func setLastSeen(_ message: Qwink.ID, in id: Conversation.ID) {
    timelines.write("save what was read", about: .conversations) { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO seen (conversation, message) VALUES (?, ?)",
        arguments: [id.rawValue, message.rawValue])
    }
  }

  // MARK: Messages

  /// Returns a conversation's last `limit` messages, or the last ones before `place`.
  public func messages(of id: Conversation.ID, before place: CachedMessages.Place? = nil, limit: Int) -> CachedMessages
  {
    let cached = timelines.read(after: [.conversations]) { database in
      let rows = try GRDB.Row.fetchAll(
        database,
        sql: """
          SELECT source, time, id FROM message WHERE conversation = ? AND (time, id) < (?, ?)
          ORDER BY time DESC, id DESC LIMIT ?
          """, arguments: [id.rawValue, place?.time ?? .greatestFiniteMagnitude, place?.id ?? "", limit + 1])
      let shown = rows.prefix(limit)
      let first: CachedMessages.Place? =
        rows.count > limit ? try shown.last.map { .init(time: try $0.value("time"), id: try $0.value("id")) } : nil
      return CachedMessages(messages: shown.reversed().compactMap(Self.message), earlier: first)
    }
    return cached ?? CachedMessages()
  }

  /// Saves a conversation's messages, or newer states of them.
  public func keep(_ messages: [Qwink], of id: Conversation.ID) {
    guard !messages.isEmpty else { return }
    timelines.write("save messages", about: .conversations) { try Self.keep(messages, of: id.rawValue, in: $0) }
  }

  private static func keep(_ messages: [Qwink], of conversation: String, in database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO message (conversation, id, time, source) VALUES (?, ?, ?, ?)
        ON CONFLICT (conversation, id) DO UPDATE SET time = excluded.time, source = excluded.source
          WHERE source IS NOT excluded.source
        """)
    for message in messages {
      try statement.execute(arguments: [
        conversation, message.id.rawValue, message.createdAt.timeIntervalSince1970, Data(WireEncoder.qwink(message)),
      ])
    }
  }

  /// Removes messages from all conversations.
  public func removeMessages(_ ids: [Qwink.ID]) {
    guard !ids.isEmpty else { return }
    timelines.write("delete messages", about: .conversations) { database in
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
      if let last = row.last { try keep([last], of: row.id, in: database) }
    }
  }

  private static func setOlder(_ cursor: PageCursor?, in database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO timeline (name, older) VALUES (?, ?)", arguments: [listName, cursor?.url])
  }

  /// Decodes a conversation and applies its local read state.
  private static func conversation(_ row: GRDB.Row) -> Conversation? {
    guard let source = Data.fromDatabaseValue(row["source"]),
      var conversation = try? WireDecoder.conversation(from: [UInt8](source))
    else { return nil }
    conversation.isUnread = Bool.fromDatabaseValue(row["unread"]) ?? false
    return conversation
  }

  private static func message(_ row: GRDB.Row) -> Qwink? {
    Data.fromDatabaseValue(row["source"]).flatMap { try? WireDecoder.qwink(from: [UInt8]($0)) }
  }
}
