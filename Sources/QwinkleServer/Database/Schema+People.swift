import GRDB

extension Schema {
  /// Adds blocks, mutes, follow requests, suspensions, private notes and account settings.
  ///
  /// `thread_id` of a reply is the id of the first status in its thread. `thread_id` of the first status is NULL.
  static let people = """
    \(pairs("blocks", with: ""))
    \(pairs("mutes", with: "hides_notifications INTEGER NOT NULL, expires_at INTEGER,"))
    \(pairs("follow_requests", with: "shows_boosts INTEGER NOT NULL, notifies INTEGER NOT NULL,"))

    CREATE TABLE suspensions (
      account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
      created_at INTEGER NOT NULL
    );

    CREATE TABLE account_notes (
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      target_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      note TEXT NOT NULL,
      PRIMARY KEY (account_id, target_id)
    ) WITHOUT ROWID;
    CREATE INDEX account_notes_target ON account_notes (target_id);

    ALTER TABLE follows ADD COLUMN shows_boosts INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE follows ADD COLUMN notifies INTEGER NOT NULL DEFAULT 0;

    ALTER TABLE accounts ADD COLUMN is_locked INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE accounts ADD COLUMN fields TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE accounts ADD COLUMN usual_visibility INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE accounts ADD COLUMN usually_sensitive INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE accounts ADD COLUMN usual_language TEXT;

    ALTER TABLE statuses ADD COLUMN thread_id INTEGER;
    WITH RECURSIVE threads (id, root) AS (
      SELECT id, id FROM statuses WHERE in_reply_to_id IS NULL
      UNION ALL
      SELECT s.id, t.root FROM threads t JOIN statuses s ON s.in_reply_to_id = t.id)
    UPDATE statuses SET thread_id = threads.root FROM threads
      WHERE threads.id = statuses.id AND statuses.in_reply_to_id IS NOT NULL;
    CREATE TABLE thread_mutes (
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      thread_id INTEGER NOT NULL,
      PRIMARY KEY (account_id, thread_id)
    ) WITHOUT ROWID;
    """

  /// SQL for a table of relationships between accounts, with one row for each pair.
  private static func pairs(_ table: String, with columns: String) -> String {
    """
    CREATE TABLE \(table) (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      target_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      \(columns)
      created_at INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX \(table)_once ON \(table) (account_id, target_id);
    CREATE INDEX \(table)_account ON \(table) (account_id, id);
    CREATE INDEX \(table)_target ON \(table) (target_id, id);
    """
  }
}
