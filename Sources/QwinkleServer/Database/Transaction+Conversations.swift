import GRDB
import QwinkleModel

// A conversation consists of all direct qwinks among the same accounts (the author and the mentioned accounts), whether
// or not they are replies. Each of these accounts can see the whole conversation, because accounts are never added to a
// direct qwink or removed from it.

extension Transaction {
  /// Returns the viewer's conversations, sorted by their last qwink, newest first. The page's links contain ids of
  /// these last qwinks.
  func conversations(_ request: PageRequest) throws -> PageOf<Conversation> {
    let source: SQL = try """
    conversation_members m WHERE m.account_id = \(me()) AND \(hasPresent("m.conversation_id"))
    """
    return try page(request, "m.last_status_id", "m.conversation_id", from: source).map { try conversations($0) }
  }

  /// SQL for the participants of conversation `c` as a JSON array. Malformed JSON is replaced with an empty array,
  /// because it would make the whole query fail.
  private static var participants: SQL { "iif(json_valid(c.participants), c.participants, '[]')" }

  /// SQL condition that at least one other participant isn't hidden from the viewer, or that the viewer is the only
  /// participant. Limited accounts can't start conversations with accounts that don't follow them.
  private func hasPresent(_ conversation: SQL) throws -> SQL {
    let me = try me()
    let others: SQL = """
      SELECT 1 FROM conversations c, json_each(\(Self.participants)) p WHERE c.id = \(conversation) AND p.value <> \(me)
      """
    return """
      ((NOT EXISTS (\(others)) OR EXISTS (\(others) AND \(present("p.value")))) AND \(isOpen(conversation: conversation)))
      """
  }

  /// Marks one of the viewer's conversations as read.
  func readConversation(_ id: Int64?) throws -> Conversation {
    try run(
      "UPDATE conversation_members SET last_read_id = last_status_id WHERE conversation_id = ? AND account_id = ?",
      [id, me()])
    guard let id, let conversation = try conversations([id]).first else { throw Refusal.notFound }
    return conversation
  }

  /// Returns one of the viewer's conversations. Returns nil if it doesn't exist, or if all of its other participants
  /// are hidden from the viewer.
  func conversation(_ id: Int64) throws -> Conversation? { try conversations([id]).first }

  /// Removes a conversation from the viewer's list until a new qwink is posted in it. Its qwinks aren't deleted.
  func deleteConversation(_ id: Int64?) throws {
    try run("DELETE FROM conversation_members WHERE conversation_id = ? AND account_id = ?", [id, me()])
    if db.changesCount == 0 { throw Refusal.notFound }
  }

  /// Adds a new direct status to the conversation of its participants. The conversation becomes unread for all
  /// participants except the author.
  func addToConversation(_ status: Int64, of people: Set<Int64>, by author: Int64) throws {
    let participants = jsonArray(people.sorted())
    try run("INSERT OR IGNORE INTO conversations (id, participants) VALUES (?, ?)", [nextID(), participants])
    guard let id = try numbers("SELECT id FROM conversations WHERE participants = ?", [participants]).first else {
      return
    }
    try run("UPDATE statuses SET conversation_id = ? WHERE id = ?", [id, status])
    for account in people {
      // An account that had deleted the conversation from its list gets a new row. The older statuses of the
      // conversation count as read.
      try run(
        """
        INSERT INTO conversation_members (account_id, conversation_id, last_status_id, last_read_id)
        VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET last_status_id = excluded.last_status_id,
          last_read_id = CASE WHEN account_id = ? THEN excluded.last_read_id ELSE last_read_id END
        """, [account, id, status, account == author ? status : status - 1, author])
    }
    happened(.conversation(id, accounts: people))
  }

  /// Updates a conversation after a status in it was deleted: the newest remaining status becomes its last status. If
  /// no status remains, deletes the conversation.
  func removeFromConversation(_ id: Int64, _ status: Int64) throws {
    guard
      let last = try numbers("SELECT id FROM statuses WHERE conversation_id = ? ORDER BY id DESC LIMIT 1", [id]).first
    else { return try run("DELETE FROM conversations WHERE id = ?", [id]) }
    try run(
      "UPDATE conversation_members SET last_status_id = ? WHERE conversation_id = ? AND last_status_id = ?",
      [last, id, status])
  }

  /// Returns the viewer's conversations that have these ids, in the order of `ids`.
  private func conversations(_ ids: [Int64]) throws -> [Conversation] {
    let me = try me()
    let list = jsonArray(ids)
    let rows = try rows(
      literal: """
        SELECT m.conversation_id, m.last_status_id, EXISTS (SELECT 1 FROM statuses s
          WHERE s.conversation_id = m.conversation_id AND s.id > m.last_read_id AND s.account_id <> m.account_id
          AND \(visible))
        FROM conversation_members m
        WHERE m.account_id = \(me) AND m.conversation_id IN (SELECT value FROM json_each(\(list)))
        AND \(hasPresent("m.conversation_id"))
        """)
    var others: [Int64: [Int64]] = [:]
    for row in try self.rows(
      literal: """
        SELECT c.id, p.value FROM conversations c, json_each(\(Self.participants)) p
        WHERE c.id IN (SELECT value FROM json_each(\(list))) AND p.value <> \(me) AND \(present("p.value"))
        ORDER BY c.id, p.value
        """)
    { others[row[0], default: []].append(row[1]) }
    let qwinkers = try qwinkers(Set(others.values.joined()))
    let last = Dictionary(
      try qwinks(rows.map { $0[1] }).map { ($0.id.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    var conversations: [Int64: Conversation] = [:]
    for row in rows {
      let id: Int64 = row[0]
      conversations[id] = Conversation(
        id: Conversation.ID(String(id)), participants: others[id, default: []].compactMap { qwinkers[$0] },
        isUnread: row[2], lastQwink: last[String(row[1] as Int64)])
    }
    return ids.compactMap { conversations[$0] }
  }
}
