extension Schema {
  /// Adds polls, scheduled and pinned qwinks, lists, followed and featured tags, and reports.
  static let posts = """
    CREATE TABLE polls (
      id INTEGER PRIMARY KEY,
      status_id INTEGER NOT NULL UNIQUE REFERENCES statuses ON DELETE CASCADE,
      expires_at INTEGER NOT NULL,
      allows_several INTEGER NOT NULL,
      hides_totals INTEGER NOT NULL,
      voters_count INTEGER NOT NULL DEFAULT 0,
      is_closed INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX polls_open ON polls (expires_at) WHERE NOT is_closed;
    CREATE TABLE poll_options (
      poll_id INTEGER NOT NULL REFERENCES polls ON DELETE CASCADE,
      position INTEGER NOT NULL,
      title TEXT NOT NULL,
      votes_count INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (poll_id, position)
    ) WITHOUT ROWID;
    CREATE TABLE poll_votes (
      poll_id INTEGER NOT NULL REFERENCES polls ON DELETE CASCADE,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      position INTEGER NOT NULL,
      PRIMARY KEY (poll_id, account_id, position)
    ) WITHOUT ROWID;
    CREATE INDEX poll_votes_account ON poll_votes (account_id);

    CREATE TABLE scheduled (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      publish_at INTEGER NOT NULL,
      entry TEXT NOT NULL,
      key TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      has_failed INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX scheduled_account ON scheduled (account_id, id);
    CREATE INDEX scheduled_due ON scheduled (publish_at) WHERE NOT has_failed;

    CREATE TABLE pins (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      status_id INTEGER NOT NULL UNIQUE REFERENCES statuses ON DELETE CASCADE
    );
    CREATE INDEX pins_account ON pins (account_id, id);

    CREATE TABLE lists (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      title TEXT NOT NULL,
      replies TEXT NOT NULL,
      is_exclusive INTEGER NOT NULL
    );
    CREATE INDEX lists_account ON lists (account_id, id);
    CREATE TABLE list_members (
      id INTEGER PRIMARY KEY,
      list_id INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX list_members_once ON list_members (list_id, account_id);
    CREATE INDEX list_members_account ON list_members (account_id);

    CREATE TABLE tag_follows (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      tag TEXT NOT NULL,
      name TEXT NOT NULL
    );
    CREATE UNIQUE INDEX tag_follows_once ON tag_follows (account_id, tag);
    CREATE INDEX tag_follows_account ON tag_follows (account_id, id);
    CREATE TABLE featured_tags (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      tag TEXT NOT NULL,
      name TEXT NOT NULL
    );
    CREATE UNIQUE INDEX featured_tags_once ON featured_tags (account_id, tag);

    CREATE TABLE reports (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      target_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      statuses TEXT NOT NULL,
      comment TEXT NOT NULL,
      category TEXT NOT NULL,
      created_at INTEGER NOT NULL
    );
    CREATE INDEX reports_account ON reports (account_id);
    CREATE INDEX reports_target ON reports (target_id);
    """
}
