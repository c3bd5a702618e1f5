import GRDB

/// The tables and their migrations. Times are milliseconds since 1970. Ids of qwinks and qwinkers increase over time.
enum Schema {
  /// The migrations in order, numbered from 1.
  private static let migrations: [@Sendable (Database) throws -> Void] = [
    { try $0.execute(sql: first) },
    addReactions,
    { try $0.execute(sql: signIn) },
    { try $0.execute(sql: search) },
    { try $0.execute(sql: longerPrefixes) },
    { try $0.execute(sql: sensitivity) },
    { try $0.execute(sql: people) },
    { try $0.execute(sql: posts) },
    { try $0.execute(sql: lastStatus) },
    { try $0.execute(sql: filters) },
    { try $0.execute(sql: media) },
    { try $0.execute(sql: rules) },
    { try $0.execute(sql: blurhash) },
    { try $0.execute(sql: counts) },
    { try $0.execute(sql: authors) },
    { try $0.execute(sql: notificationFilters) },
    { try $0.execute(sql: followLanguages) },
    { try $0.execute(sql: profileSettings) },
    { try $0.execute(sql: quotes) },
    { try $0.execute(sql: focus) },
    { try $0.execute(sql: unixUsers) },
    { try $0.execute(sql: usage) },
    { try $0.execute(sql: imports) },
    { try $0.execute(sql: moderation) },
    { try $0.execute(sql: barredUnixUsers) },
    { try $0.execute(sql: auditIndex) },
  ]

  /// The number of the last migration. It is stored in the file as `user_version`, which shows immediately whether the
  /// file needs migrations.
  static var version: Int { migrations.count }

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for (index, migrate) in migrations.enumerated() {
      migrator.registerMigration("\(index + 1)") { db in
        try migrate(db)
        try db.execute(sql: "PRAGMA user_version = \(index + 1)")
      }
    }
    return migrator
  }

  /// The first tables. Visibility: 0 public, 1 unlisted, 2 private, 3 direct (see ``VisibilityCode``).
  private static let first = """
    CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO counters VALUES ('last_id', 0);

    CREATE TABLE accounts (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      display_name TEXT NOT NULL,
      note TEXT NOT NULL DEFAULT '',
      is_bot INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      followers_count INTEGER NOT NULL DEFAULT 0,
      following_count INTEGER NOT NULL DEFAULT 0,
      statuses_count INTEGER NOT NULL DEFAULT 0
    );

    CREATE TABLE follows (
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      target_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (account_id, target_id)
    ) WITHOUT ROWID;
    CREATE INDEX follows_target ON follows (target_id, account_id);

    CREATE TABLE statuses (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      edited_at INTEGER,
      visibility INTEGER NOT NULL,
      in_reply_to_id INTEGER REFERENCES statuses ON DELETE SET NULL,
      in_reply_to_account_id INTEGER,
      source TEXT NOT NULL,
      warning TEXT NOT NULL,
      language TEXT,
      replies_count INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX statuses_visibility ON statuses (visibility, id);
    CREATE INDEX statuses_account ON statuses (account_id, id);
    CREATE INDEX statuses_home ON statuses (account_id, id) WHERE visibility < 3;
    CREATE INDEX statuses_reply ON statuses (in_reply_to_id) WHERE in_reply_to_id IS NOT NULL;

    CREATE TABLE mentions (
      status_id INTEGER NOT NULL REFERENCES statuses ON DELETE CASCADE,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      PRIMARY KEY (status_id, account_id)
    ) WITHOUT ROWID;
    CREATE INDEX mentions_account ON mentions (account_id, status_id);

    CREATE TABLE status_tags (
      tag TEXT NOT NULL,
      status_id INTEGER NOT NULL REFERENCES statuses ON DELETE CASCADE,
      PRIMARY KEY (tag, status_id)
    ) WITHOUT ROWID;
    CREATE INDEX status_tags_status ON status_tags (status_id);

    CREATE TABLE apps (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      website TEXT,
      redirect_uris TEXT NOT NULL,
      scopes TEXT NOT NULL,
      client_id TEXT NOT NULL UNIQUE,
      secret_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL
    );

    CREATE TABLE tokens (
      hash TEXT PRIMARY KEY,
      account_id INTEGER REFERENCES accounts ON DELETE CASCADE,
      app_id INTEGER REFERENCES apps ON DELETE CASCADE,
      scopes TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tokens_account ON tokens (account_id);
    CREATE INDEX tokens_app ON tokens (app_id);

    CREATE TABLE idempotency (
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      key TEXT NOT NULL,
      status_id INTEGER NOT NULL REFERENCES statuses ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (account_id, key)
    ) WITHOUT ROWID;
    CREATE INDEX idempotency_age ON idempotency (created_at);
    CREATE INDEX idempotency_status ON idempotency (status_id);
    """

  /// Adds a flag for sensitive qwinks. Existing qwinks become sensitive if they have a content warning.
  private static let sensitivity = """
    ALTER TABLE statuses ADD COLUMN sensitive INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE status_versions ADD COLUMN sensitive INTEGER NOT NULL DEFAULT 0;
    UPDATE statuses SET sensitive = 1 WHERE warning <> '';
    UPDATE status_versions SET sensitive = 1 WHERE warning <> '';
    """

  /// Adds the time of an account's last public or unlisted post.
  private static let lastStatus = """
    ALTER TABLE accounts ADD COLUMN last_status_at INTEGER;
    UPDATE accounts SET last_status_at = latest.at FROM
      (SELECT account_id, max(created_at) AS at FROM statuses WHERE visibility <= 1 GROUP BY account_id) AS latest
      WHERE latest.account_id = accounts.id;
    """

  /// Adds the rules that a report cites: a JSON array of their texts at the time of the report.
  private static let rules = "ALTER TABLE reports ADD COLUMN rules TEXT NOT NULL DEFAULT '[]';"

  /// Adds the blurhashes of pictures. Pictures uploaded before this migration have no blurhash.
  private static let blurhash = "ALTER TABLE media ADD COLUMN blurhash TEXT;"

  /// Adds the focal points of pictures, such as `0.5,-0.25`. NULL is the centre.
  private static let focus = "ALTER TABLE media ADD COLUMN focus TEXT;"
}
