import GRDB

extension Schema {
  /// Adds boosts, favourites, bookmarks, notifications, edit history, conversations and read positions.
  @Sendable static func addReactions(_ db: Database) throws {
    try db.execute(sql: second)
    try gatherConversations(db)
  }

  /// A boost is a status without text that has a `boost_of_id`. The audience of a boost is never larger than the
  /// audience of the original.
  ///
  /// A conversation contains all direct qwinks among the same accounts. `participants` is a sorted JSON array of their
  /// ids. A user who deleted a conversation from their list has no row in `conversation_members` until a new qwink is
  /// posted in the conversation.
  private static let second = """
    CREATE TABLE conversations (
      id INTEGER PRIMARY KEY,
      participants TEXT NOT NULL UNIQUE
    );

    CREATE TABLE conversation_members (
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      conversation_id INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
      last_status_id INTEGER NOT NULL,
      last_read_id INTEGER NOT NULL,
      PRIMARY KEY (account_id, conversation_id)
    ) WITHOUT ROWID;
    CREATE INDEX conversation_members_last ON conversation_members (account_id, last_status_id);
    CREATE INDEX conversation_members_conversation ON conversation_members (conversation_id);

    ALTER TABLE statuses ADD COLUMN boost_of_id INTEGER REFERENCES statuses ON DELETE CASCADE;
    ALTER TABLE statuses ADD COLUMN conversation_id INTEGER REFERENCES conversations ON DELETE SET NULL;
    ALTER TABLE statuses ADD COLUMN boosts_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE statuses ADD COLUMN favourites_count INTEGER NOT NULL DEFAULT 0;
    DROP INDEX statuses_visibility;
    CREATE INDEX statuses_public ON statuses (visibility, id) WHERE boost_of_id IS NULL;
    CREATE INDEX statuses_boosts ON statuses (boost_of_id, id) WHERE boost_of_id IS NOT NULL;
    CREATE UNIQUE INDEX statuses_boosted ON statuses (boost_of_id, account_id) WHERE boost_of_id IS NOT NULL;
    CREATE INDEX statuses_conversation ON statuses (conversation_id, id) WHERE conversation_id IS NOT NULL;

    \(statusesOfAccounts("favourites"))
    CREATE INDEX favourites_status ON favourites (status_id, id);

    \(statusesOfAccounts("bookmarks"))

    CREATE TABLE notices (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      kind TEXT NOT NULL,
      actor_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      status_id INTEGER REFERENCES statuses ON DELETE CASCADE,
      created_at INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX notices_once ON notices (account_id, kind, actor_id, coalesce(status_id, 0));
    CREATE INDEX notices_account ON notices (account_id, id);
    CREATE INDEX notices_actor ON notices (actor_id);
    CREATE INDEX notices_status ON notices (status_id) WHERE status_id IS NOT NULL;

    CREATE TABLE status_versions (
      id INTEGER PRIMARY KEY,
      status_id INTEGER NOT NULL REFERENCES statuses ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      source TEXT NOT NULL,
      warning TEXT NOT NULL
    );
    CREATE INDEX status_versions_status ON status_versions (status_id, id);

    CREATE TABLE markers (
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      place TEXT NOT NULL,
      last_read_id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (account_id, place)
    ) WITHOUT ROWID;
    """

  /// SQL for a table of the statuses that accounts have favourited or bookmarked, with one row for each account and
  /// status.
  private static func statusesOfAccounts(_ table: String) -> String {
    """
    CREATE TABLE \(table) (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      status_id INTEGER NOT NULL REFERENCES statuses ON DELETE CASCADE,
      created_at INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX \(table)_once ON \(table) (status_id, account_id);
    CREATE INDEX \(table)_account ON \(table) (account_id, id);
    """
  }

  /// Groups the direct qwinks that were posted before this migration into conversations, and marks the conversations as
  /// read.
  private static func gatherConversations(_ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT s.id, (SELECT json_group_array(id) FROM (
          SELECT account_id AS id FROM mentions WHERE status_id = s.id UNION SELECT s.account_id ORDER BY 1))
        FROM statuses s WHERE s.visibility = 3 ORDER BY s.id
        """)
    // Continue after the last id assigned in the database, so that no id is used twice.
    var next = try Int64.fetchOne(db, sql: "SELECT value FROM counters WHERE name = 'last_id'") ?? 0
    for row in rows {
      let (status, participants): (Int64, String) = (row[0], row[1])
      next += 1
      try db.execute(
        sql: "INSERT OR IGNORE INTO conversations (id, participants) VALUES (?, ?)", arguments: [next, participants])
      try db.execute(
        sql: """
          UPDATE statuses SET conversation_id = (SELECT id FROM conversations WHERE participants = ?) WHERE id = ?
          """, arguments: [participants, status])
    }
    try db.execute(
      sql: """
        INSERT INTO conversation_members (account_id, conversation_id, last_status_id, last_read_id)
        SELECT p.value, c.id, max(s.id), max(s.id) FROM conversations c, json_each(c.participants) p
        JOIN statuses s ON s.conversation_id = c.id GROUP BY c.id, p.value
        """)
    try db.execute(sql: "UPDATE counters SET value = ? WHERE name = 'last_id'", arguments: [next])
  }
}
